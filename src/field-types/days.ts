import { oncePer } from '../async/once.ts';
import { TelephonyError } from '../telephony-error.ts';
import { numberText, oneLine } from '../text/format.ts';
import { isDate } from './field-types.ts';

const dayFormat = /^\d{4}-\d\d-\d\d$/;
const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** After it, a year has more digits than the service reads. */
const lastDay = '9999-12-31';

/** Whether the value of a date field is a day, not a time. */
export const isDay = (value: unknown): value is string =>
  typeof value === 'string' && dayFormat.test(value);

/** Returns the first and the last moment of a day in UTC, in milliseconds; the end is exclusive. */
export const spanOfDay = (day: string): [start: number, end: number] => [
  Date.parse(day),
  Date.parse(day) + dayMs,
];

/** Returns the day after a day. */
export const dayAfter = (day: string): string =>
  day === lastDay ? day : new Date(spanOfDay(day)[1]).toISOString().slice(0, 10);

/** Years far from now have more or fewer digits than the service reads. */
const maxDays = 100_000;
/** No time zone is further from UTC. */
const furthestMs = 16 * hourMs;

const calendarOf = oncePer(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
    }),
);

function isTimeZone(name: unknown): name is string {
  try {
    return typeof name === 'string' && calendarOf(name) !== undefined;
  } catch {
    return false;
  }
}

/** Returns the day of a time in a time zone: `2026-11-30`. */
export const dayOf = (timeZone: string, time: number): string =>
  calendarOf(timeZone).format(time).split('/').reverse().join('-');

/** Returns the first second of a day in a time zone. Where clocks are changed at midnight, a day begins at another time. */
function startOf(timeZone: string, day: string): number {
  const [midnight] = spanOfDay(day);
  let [before, start] = [midnight - furthestMs, midnight + furthestMs];
  while (start - before > 1_000) {
    const middle = Math.floor((before + start) / 2_000) * 1_000;
    if (dayOf(timeZone, middle) < day) before = middle;
    else start = middle;
  }
  return start;
}

/**
 * Returns the first and the last second of a day in a time zone, for the filters of lists. Makes no request.
 *
 * @param timeZone its name, such as `Europe/Berlin`
 * @param days how many days after today; -1 is yesterday
 * @param now the time that is today
 * @throws {TelephonyError} with code `input` if there is no such time zone, or the days are no whole number
 */
export function dayIn(timeZone: string, days = 0, now = new Date()): { from: Date; until: Date } {
  const refuse = (message: string) => new TelephonyError('input', message);
  if (!isTimeZone(timeZone)) {
    // A JavaScript program may pass any value, even one that can't be converted to text.
    const given: unknown = timeZone;
    const name = typeof given === 'string' ? oneLine(given.slice(0, 40)) : typeof given;
    throw refuse(`There is no time zone "${name}". Use a name such as Europe/Berlin.`);
  }
  if (!Number.isSafeInteger(days) || Math.abs(days) > maxDays)
    throw refuse(`The number of days must be a whole number up to ${numberText(maxDays)}.`);
  if (!isDate(now)) throw refuse('The time must be a valid Date.');
  const today = dayOf(timeZone, now.getTime());
  const [midnight] = spanOfDay(today);
  const [day = '', next = ''] = [days, days + 1].map((after) =>
    new Date(midnight + after * dayMs).toISOString().slice(0, 10),
  );
  return {
    from: new Date(startOf(timeZone, day)),
    until: new Date(startOf(timeZone, next) - 1_000),
  };
}
