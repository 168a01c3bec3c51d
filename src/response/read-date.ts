/** RFC 2822 as the service writes it, in UTC: `Sat, 21 Nov 2026 05:51:46 +0000`. */
const usualFormat =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?:0[1-9]|[12]\d|3[01]) [A-Z][a-z]{2} [1-9]\d{3} \d\d:\d\d:\d\d \+0000$/;
const usualLength = 31;
const dayLength = 17;

/** Parses two digits of a text; returns NaN if they aren't digits, or not below `limit`. */
function parseTwoDigits(text: string, at: number, limit: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  const areDigits = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  return areDigits && tens * 10 + ones < limit ? tens * 10 + ones : Number.NaN;
}

/** Returns the milliseconds since midnight in the usual format; NaN in any other. */
function parseTimeOfDay(text: string): number {
  if (text.length !== usualLength || !text.endsWith(' +0000')) return Number.NaN;
  if (text[19] !== ':' || text[22] !== ':') return Number.NaN;
  const minutes = parseTwoDigits(text, 17, 24) * 60 + parseTwoDigits(text, 20, 60);
  return (minutes * 60 + parseTwoDigits(text, 23, 60)) * 1000;
}

// Caches the last day that was parsed, because neighbours in a list mostly have the same one.
let day = 'none';
let midnight = Number.NaN;

function cacheDay(text: string) {
  if (!usualFormat.test(text)) return;
  day = text.slice(0, dayLength);
  midnight = Date.parse(`${day}00:00:00 +0000`);
}

/** What `Date` reads as a time zone: a name, or a signed offset after a time. */
const zones = [/(?<![a-z])(?:z|utc?|gmt|[ecmp][sd]t)(?![a-z])/i, /^[^:]*:.*[+-]:?\d/s];
/** The only format without a time zone that `Date` reads as UTC. */
const isoDay = /^\d{4}(?:-\d\d){0,2}$/;
/** The innermost comment, or one that is never closed. */
const comment = /\([^()]*(?:\)|$)/;

/** Removes comments, which may be nested and which `Date` can't read. */
function withoutComments(text: string): string {
  const shorter = text.replace(comment, ' ');
  return shorter === text ? text : withoutComments(shorter);
}

// Without a time zone, `Date` would use this machine's, which the service doesn't know.
function withZone(text: string): string {
  if (isoDay.test(text) || zones.some((zone) => zone.test(text))) return text;
  return `${text}${/\dT\d/.test(text) ? 'Z' : ' UTC'}`;
}

// `Date` reads 0 as the year 2000, and 5 as a month.
const isNumber = (text: string) => !isoDay.test(text) && !Number.isNaN(Number(text));

/** Longer than any date. In a very long text, the search for a time zone would be slow. */
const maxLength = 100;

/**
 * Parses a date in any format that `Date` understands, with the same result. A date without a time zone is UTC. The service's usual format
 * is parsed much faster, because a page of a list has thousands of dates, most of the same day.
 *
 * @returns null if the text isn't a date: for example, a number, or too long
 */
export function readDate(text: string): Date | null {
  if (text.startsWith(day)) {
    const instant = midnight + parseTimeOfDay(text);
    if (!Number.isNaN(instant)) return new Date(instant);
  } else cacheDay(text);
  if (text.length > maxLength || isNumber(text)) return null;
  const date = new Date(withZone(withoutComments(text).trim()));
  return Number.isNaN(date.getTime()) ? null : date;
}
