import {
  definitions,
  type MediaOptions,
  mediaKey,
  sendMedia,
  sentence,
  TelephonyError,
  unplayableReason,
} from '../../../src/builder.ts';
import { type AccountNode, runningAccount } from '../account/account.ts';
import { serverSay } from '../locale/server-translator.ts';
import type { Handler, NodeRed } from '../node-red.ts';

/** The path of audio and pictures, below the root of the pages of flows. */
const mediaPath = `/${definitions.manifest.id}/media`;

/**
 * Returns the URL of a record's audio or picture.
 *
 * @param account the id of the configuration node
 * @param shape the id of the record's shape
 * @returns undefined if the shape has no media, this record's can't be shown, or Node-RED serves no pages of flows
 */
function mediaUrl(
  { settings: { httpNodeRoot = '/' } }: NodeRed,
  account: string,
  shape: string,
  record: object,
): string | undefined {
  const key = mediaKey(shape, record);
  if (httpNodeRoot === false || !key || unplayableReason(shape, record)) return undefined;
  const below = [mediaPath, account, shape, encodeURIComponent(key)].join('/');
  return httpNodeRoot.replace(/\/$/, '') + below;
}

/**
 * Returns a record as flows get it: with the media URL if the account allows it, and with times as texts, which every
 * node can show, compare and store.
 */
export function recordForFlow(
  RED: NodeRed,
  account: AccountNode,
  shape: string,
  record: object,
): Record<string, unknown> {
  const media = account.servesMedia && mediaUrl(RED, account.id, shape, record);
  const values = Object.entries(record).map(([key, value]) => [
    key,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return { ...Object.fromEntries(values), ...(media && { media }) };
}

const notServed = () =>
  new TelephonyError('not-found', sentence('There is no such file, or you may not access it.'));

/**
 * Serves the audio and pictures of accounts that allow it. Node-RED fetches them, so the browser needs no credentials.
 * `httpNodeAuth` and `httpNodeMiddleware` guard the route like all pages of flows.
 */
export function registerMediaRoute(RED: NodeRed) {
  const say = serverSay(RED);
  const play: Handler = (request, response, next) => {
    const { account, shape = '', key = '' } = request.params;
    const open = async (options: MediaOptions) => {
      const node = runningAccount(account ?? '');
      if (!node?.servesMedia) throw notServed();
      return node.telephony().media(shape, key, options);
    };
    sendMedia(request, response, open, { say }).catch(next);
  };
  const guards = [RED.settings.httpNodeMiddleware ?? []].flat();
  RED.httpNode.get(`${mediaPath}/:account/:shape/:key`, ...guards, play);
}
