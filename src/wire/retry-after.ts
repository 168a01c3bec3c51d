/** The three date formats of HTTP (RFC 9110, 5.6.7). Servers still send only the first. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

// The third format names no time zone, but is in GMT like the others.
const readHttpDate = (text: string) =>
  httpDates.some((format) => format.test(text))
    ? Date.parse(text.replace(/(?<! GMT)$/, ' GMT'))
    : NaN;

/**
 * Reads how long a response asks to wait.
 *
 * @param text its `Retry-After` header: a number of seconds, or an HTTP date
 * @returns seconds, rounded up; undefined if the header is missing or can't be parsed
 */
export function readRetryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (readHttpDate(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
