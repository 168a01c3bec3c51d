import { definitions } from '../../../generated/definitions.ts';

/**
 * What the plugin adds to the query of the webhook URL where a reply gives it to the service, such as `?Menu=sales&Question=2`: a count of
 * the events that follow each other, and what the reply wants to have back.
 */
const added = definitions.events.flatMap(({ parameters, identifiedBy }) =>
  parameters
    .filter((one) => one.in === 'query')
    .map(({ name, key }) => ({ name, counts: identifiedBy.includes(key) })),
);

const namesOf = (counts: boolean) => [
  ...new Set(added.filter((one) => one.counts === counts).map(({ name }) => name)),
];

/** The names of the parameters that are in the query, never in the body. */
export const namesInQuery: ReadonlySet<string> = new Set(added.map(({ name }) => name));

// The count is the end, because nothing in the signed text separates the URL from the names of the body, which start with letters.
const count = `(?:${namesOf(true).join('|')})=[1-9]\\d?$`;
const given = namesOf(false).map((name) => `(?:${name}=[^&]*&)?`);
// The webhook URL's own query can end in such a name, too.
const forms = [given.join(''), ''].map((names) => new RegExp(`[?&]${names}${count}`));

/**
 * Appends parameters to the query of a URL.
 *
 * @param url the webhook URL, or the end of it that has its query
 * @param pairs the parameters that have a value, the count last
 */
export function withReportQuery(url: string, pairs: readonly (readonly [string, string])[]) {
  // Encodes more than needed: what `encodeURIComponent` leaves, such as an apostrophe, has two spellings.
  const encode = (value: string) =>
    encodeURIComponent(value).replaceAll(
      /[!'()*~]/g,
      (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
    );
  const query = pairs.map(([name, value]) => `${name}=${encode(value)}`).join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/**
 * Finds what `withReportQuery` added to a query.
 *
 * @param query the query of a request
 * @param isOwn whether the rest of it is the query of the webhook URL
 * @returns the parameters, and their text as the service signed it, in whatever encoding they arrived; undefined if it has none
 */
export function reportQueryIn(query: string, isOwn: (rest: string) => boolean) {
  for (const form of forms) {
    const [text = ''] = form.exec(query) ?? [];
    const rest = query.slice(0, query.length - text.length);
    if (!text || !isOwn(rest)) continue;
    const parameters = [...new URLSearchParams(text.slice(1))];
    return { parameters, text: withReportQuery(rest, parameters).slice(rest.length) };
  }
  return undefined;
}
