const dayFormat = /^\d{4}-\d\d-\d\d$/;
const dayMs = 86_400_000;
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
