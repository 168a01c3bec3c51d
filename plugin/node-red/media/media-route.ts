import { type MediaOptions, sendMedia, TelephonyError } from '../../../src/index.ts';
import { accountOf } from '../account/account-node.ts';
import type { Handler, NodeRed } from '../node-red.ts';
import { mediaPath } from './media-address.ts';

const notGivenOut = () =>
  new TelephonyError('not-found', 'There is no such recording, or it is not given out.');

/**
 * Plays the sounds of accounts that allow it: Node-RED fetches them with the credentials, so that the browser needs none.
 * It is guarded as all pages of flows are, by `httpNodeAuth` and `httpNodeMiddleware`.
 */
export function registerMediaRoute(RED: NodeRed) {
  const play: Handler = (request, response, next) => {
    const { account, shape = '', sid = '' } = request.params;
    const open = async (options: MediaOptions) => {
      const node = accountOf(RED, account);
      if (!node.givesOutMedia) throw notGivenOut();
      return node.telephony().media(shape, sid, options);
    };
    sendMedia(request, response, open).catch(next);
  };
  const guards = [RED.settings.httpNodeMiddleware ?? []].flat();
  RED.httpNode.get(`${mediaPath}/:account/:shape/:sid`, ...guards, play);
}
