import { definitions } from '../../../src/index.ts';
import type { NodeRed } from '../node-red.ts';

/** Where the sounds of records are, below the root of the pages of flows. */
export const mediaPath = `/${definitions.manifest.id}/media`;

/**
 * Where a browser can hear the sound of a record.
 *
 * @param account the id of the configuration node
 * @param shape the id of the record's shape
 * @returns undefined when records of this shape have no sound, or Node-RED serves no pages of flows
 */
export function mediaAddress(
  { settings: { httpNodeRoot = '/' } }: NodeRed,
  account: string,
  shape: string,
  record: object,
): string | undefined {
  const hasMedia = definitions.records.some(({ id, media }) => id === shape && media);
  if (!hasMedia || httpNodeRoot === false || !('sid' in record)) return undefined;
  const below = [mediaPath, account, shape, encodeURIComponent(String(record.sid))].join('/');
  return httpNodeRoot.replace(/\/$/, '') + below;
}
