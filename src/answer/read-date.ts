/** `Sat, 21 Nov 2026 05:51:46 +0000`: RFC 2822 as the service writes it, in UTC. */
const usualForm =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?:0[1-9]|[12]\d|3[01]) [A-Z][a-z]{2} [1-9]\d{3} \d\d:\d\d:\d\d \+0000$/;
const usualLength = 31;
const dayLength = 17;

/** Two digits of a text, as long as they stand for less than `limit`; otherwise NaN. */
function number(text: string, at: number, limit: number): number {
  const tens = text.charCodeAt(at) - 48;
  const ones = text.charCodeAt(at + 1) - 48;
  const areDigits = tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9;
  return areDigits && tens * 10 + ones < limit ? tens * 10 + ones : Number.NaN;
}

/** The milliseconds since midnight in the usual form; NaN in any other. */
function timeOfDay(text: string): number {
  if (text.length !== usualLength || !text.endsWith(' +0000')) return Number.NaN;
  if (text[19] !== ':' || text[22] !== ':') return Number.NaN;
  const minutes = number(text, 17, 24) * 60 + number(text, 20, 60);
  return (minutes * 60 + number(text, 23, 60)) * 1000;
}

// The day that was read last: neighbours in a list are mostly of the same one.
let day = 'none';
let midnight = Number.NaN;

function learnDay(text: string) {
  if (!usualForm.test(text)) return;
  day = text.slice(0, dayLength);
  midnight = Date.parse(`${day}00:00:00 +0000`);
}

/** What `Date` takes for a zone: a name, or a sign behind a time. */
const zones = [/(?<![a-z])(?:z|utc?|gmt|[ecmp][sd]t)(?![a-z])/i, /^[^:]*:.*[+-]:?\d/s];
/** The only form without a zone that `Date` takes for UTC by itself. */
const isoDay = /^\d{4}(?:-\d\d){0,2}$/;
/** The innermost comment, or one that is never closed. */
const comment = /\([^()]*(?:\)|$)/;

/** Removes what `Date` doesn't read: comments, which may contain others. */
function withoutComments(text: string): string {
  const shorter = text.replace(comment, ' ');
  return shorter === text ? text : withoutComments(shorter);
}

// `Date` takes it for the time of this machine, which the service does not know.
function inUtc(text: string): string {
  if (isoDay.test(text) || zones.some((zone) => zone.test(text))) return text;
  return `${text}${/\dT\d/.test(text) ? 'Z' : ' UTC'}`;
}

// `Date` takes 0 for the year 2000, and 5 for a month.
const isNumber = (text: string) => !isoDay.test(text) && !Number.isNaN(Number(text));

/** Longer than any date is. To look for a zone takes longer than to read it. */
const longest = 100;

/**
 * Reads a date in any form that `Date` knows, to the same instant, and takes one that says no zone for UTC. The form that
 * the service writes takes a fraction of the time: a page of a list has thousands of dates, most of them of the same day as
 * the one before.
 *
 * @returns null for what is no date, such as a number, or is longer than one
 */
export function readDate(text: string): Date | null {
  if (text.startsWith(day)) {
    const instant = midnight + timeOfDay(text);
    if (!Number.isNaN(instant)) return new Date(instant);
  } else learnDay(text);
  if (text.length > longest || isNumber(text)) return null;
  const date = new Date(inUtc(withoutComments(text).trim()));
  return Number.isNaN(date.getTime()) ? null : date;
}
