import { oncePer } from '../async/once.ts';

/** A part of the day in which nothing is sent. */
export interface QuietHours {
  /** The minutes of the day, from 0 to 1,439. */
  from: number;
  to: number;
  timeZone: string;
}

const minutesADay = 1_440;
const minuteMs = 60_000;
const format = /^(\d{1,2}):(\d\d)\s*[-–]\s*(\d{1,2}):(\d\d)(?:\s+(\S+))?$/;

/** Why a text isn't quiet hours. */
export type QuietHoursFault = 'no-times' | 'same-times' | 'no-time-zone' | 'no-such-time-zone';

// Creating one takes longer than sending.
const clockOf = oncePer(
  (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit' },
    }),
);

function isTimeZone(name: string): boolean {
  try {
    clockOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Parses quiet hours, such as `22:00-08:00 Europe/Berlin`. */
export function parseQuietHours(text: string): QuietHours | QuietHoursFault {
  const [, ...parts] = format.exec(text.trim()) ?? [];
  const [fromHour, fromMinute, toHour, toMinute] = parts.map(Number);
  const from = Number(fromHour) * 60 + Number(fromMinute);
  const to = Number(toHour) * 60 + Number(toMinute);
  const timeZone = parts[4];
  const isTime = [from, to].every((one) => one < minutesADay);
  const isMinute = [fromMinute, toMinute].every((one) => Number(one) < 60);
  if (!isTime || !isMinute) return 'no-times';
  if (from === to) return 'same-times';
  if (!timeZone) return 'no-time-zone';
  return isTimeZone(timeZone) ? { from, to, timeZone } : 'no-such-time-zone';
}

/** Returns the minute of the day in a time zone. */
function minuteOf(timeZone: string, time: number): number {
  const [hour, minute] = clockOf(timeZone).format(time).split(':').map(Number);
  return Number(hour) * 60 + Number(minute);
}

const minutesUntil = (from: number, to: number) => (to - from + minutesADay) % minutesADay;

/**
 * Returns when the quiet hours end that a time is in, in milliseconds since 1970; undefined if it is in none.
 */
export function quietUntil({ from, to, timeZone }: QuietHours, time: number): number | undefined {
  const isIn = (at: number) => minutesUntil(from, minuteOf(timeZone, at)) < minutesUntil(from, to);
  if (!isIn(time)) return undefined;
  const now = minuteOf(timeZone, time);
  const end = (Math.floor(time / minuteMs) + minutesUntil(now, to)) * minuteMs;
  // Daylight saving can begin or end in the quiet hours, and shift the end to another day.
  const later = minutesUntil(to, minuteOf(timeZone, end));
  const shift = later < minutesADay / 2 ? later : later - minutesADay;
  const shifted = end - shift * minuteMs;
  // The minute at which they end may not exist on that day. Of nearly whole days, the rest may not exist either.
  if (shifted > time && !isIn(shifted)) return shifted;
  return quietUntil({ from, to, timeZone }, end) ?? end;
}

/** Writes a time by the clock of quiet hours: `2026-12-01 08:00 (Europe/Berlin)`. */
export function zonedText({ timeZone }: QuietHours, time: number): string {
  const options = { timeZone, dateStyle: 'short', timeStyle: 'short' } as const;
  return `${new Intl.DateTimeFormat('sv-SE', options).format(time)} (${timeZone})`;
}

/** Writes a minute of the day: `08:00`. */
export const minuteText = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
