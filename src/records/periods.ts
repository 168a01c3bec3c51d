import { spanOfDay } from '../field-types/days.ts';
import { aggregate, groupedBy } from './aggregate.ts';
import type { Row } from './comparable.ts';
import { sorted } from './sort.ts';

const dayMs = 86_400_000;

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
  const [[from], [, end]] = [spanOfDay(first), spanOfDay(last)];
  const days = Array.from({ length: (end - from) / dayMs }, (_, passed) =>
    new Date(from + passed * dayMs).toISOString().slice(0, 10),
  );
  return [...new Set(days.map((day) => periodOf(period, day)))];
}

/** What a record adds to a series on a day. */
export interface Charted extends Row {
  day: string;
  series: string;
  value: unknown;
}

/** The sums of one part of a chart's bars, by the first day of their period. */
export interface Series extends Row {
  name: string;
  sums: ReadonlyMap<string, number>;
}

/**
 * Adds up what the records of each series and period add. Series are sorted by name.
 *
 * @param isAmount whether they are prices, which the service has as negative numbers for calls and messages, and as positive ones for usage
 * @param last the last day that counts: rows can have dates to come
 */
export function seriesOf(
  charted: Charted[],
  period: Period,
  isAmount: boolean,
  last?: string,
): Series[] {
  const sumOf = (group: Charted[]) => {
    const values = group.map(({ value }) => value);
    const sum = Number(aggregate('sum', values));
    return isAmount ? Math.abs(sum) : sum;
  };
  const sums = (group: Charted[]) =>
    groupedBy(group, ({ day }) => [periodOf(period, day)]).map(
      (own) => [periodOf(period, own[0]?.day ?? ''), sumOf(own)] as const,
    );
  const counted = charted.filter(({ day }) => last === undefined || day <= last);
  const all = groupedBy(counted, ({ series }) => [series]);
  return sorted(
    all.map((group) => ({ name: group[0]?.series ?? '', sums: new Map(sums(group)) })),
    [{ column: 'name' }],
  );
}

const total = (values: number[]) => values.reduce((all, value) => all + value, 0);

/** A number that is easy to halve, not below another. */
function roundedUp(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest || 1));
  return power * ([2, 4, 6, 8].find((step) => step * power >= highest) ?? 10);
}

/** Returns the ends of the axis of stacked bars, of which those of negative sums hang from 0. */
export function axisOf(series: Series[], periods: string[]): [bottom: number, top: number] {
  const highest = (sign: 1 | -1) =>
    Math.max(
      ...periods.map((period) =>
        total(series.map(({ sums }) => Math.max(0, sign * (sums.get(period) ?? 0)))),
      ),
    );
  const [above, below] = [highest(1), highest(-1)];
  const end = roundedUp(Math.max(above, below));
  return [below > 0 ? -end : 0, above > 0 || below === 0 ? end : 0];
}
