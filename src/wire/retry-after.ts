/** The three forms that HTTP gives a date (RFC 9110, 5.6.7); only the first is still written. */
const httpDates = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

// The third form has no zone: it is in GMT as the others are.
const readHttpDate = (text: string) =>
  httpDates.some((form) => form.test(text)) ? Date.parse(text.replace(/(?<! GMT)$/, ' GMT')) : NaN;

/**
 * How long an answer asks to wait, in seconds.
 *
 * @param text its header `Retry-After`: a number of seconds, or a date in a form of HTTP
 * @returns undefined where it asks for nothing that can be understood
 */
export function readRetryAfter(text: unknown): number | undefined {
  if (typeof text !== 'string') return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (readHttpDate(text) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined;
}
