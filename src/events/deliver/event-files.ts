import type { EventMedia } from '../../../generated/definition-types.ts';
import type { EventFile } from '../../../generated/operations.ts';
import { parseUrl } from '../../text/parse-url.ts';

/** The parameters of a request by name, most with one value. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

/**
 * Returns a file for the app.
 *
 * @returns undefined if its URL isn't a web URL
 */
export function eventFile(text: string, contentType: string | null): EventFile | undefined {
  const url = parseUrl(text);
  return url && /^https?:$/.test(url.protocol) ? { url: url.href, contentType } : undefined;
}

/** Returns the pairs of parameter names that describe the files of a request. */
export function fileParameters({ url, contentType }: EventMedia, given: Parameters) {
  const pairs: { url: string; contentType: string }[] = [];
  for (let index = 0; given.has(`${url}${index}`); index += 1)
    pairs.push({ url: `${url}${index}`, contentType: `${contentType}${index}` });
  return pairs;
}

/** Returns the files of a request. */
export const filesIn = (media: EventMedia, given: Parameters): EventFile[] =>
  fileParameters(media, given).flatMap(({ url, contentType }) => {
    const type = given.get(contentType)?.[0] || null;
    return eventFile(given.get(url)?.[0] ?? '', type) ?? [];
  });
