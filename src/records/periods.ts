import { dayAfter } from '../field-types/days.ts';

/** How long a period of a chart is. */
export type Period = 'day' | 'week' | 'month';

/** Returns the first day of the period that contains a day. Weeks start on Monday. */
export function periodOf(period: Period, day: string): string {
  if (period === 'month') return `${day.slice(0, 7)}-01`;
  const date = new Date(day);
  const passed = period === 'week' ? (date.getUTCDay() + 6) % 7 : 0;
  date.setUTCDate(date.getUTCDate() - passed);
  return date.toISOString().slice(0, 10);
}

/** Returns the first days of all periods from a day to a later one, also of those without records. */
export function periodsBetween(period: Period, first: string, last: string): string[] {
  const found = new Set<string>();
  for (let day = first; day <= last; day = dayAfter(day)) found.add(periodOf(period, day));
  return [...found];
}
