import { plain, type Row } from './comparable.ts';
import { compare } from './sort.ts';

/** The number of decimal places. */
function decimals(value: unknown): number {
  const [, digits = '', exponent = '0'] =
    /(?:\.(\d+))?(?:e(.+))?$/.exec(String(Number(value))) ?? [];
  return Math.max(0, digits.length - Number(exponent));
}

/** Rounds to some more decimal places than the most precise value has: in binary, -0.1 and -0.2 give -0.30000000000000004. */
function rounded(result: number, values: unknown[], moreDigits: number): number {
  const most = values.reduce((max: number, value) => Math.max(max, decimals(value)), 0);
  return Number(result.toFixed(Math.min(100, most + moreDigits)));
}

const total = (values: unknown[]) => values.reduce((all: number, value) => all + Number(value), 0);

const extreme = (sign: 1 | -1) => (values: unknown[]) =>
  values.reduce((found, value) => (sign * compare(value, found) > 0 ? value : found));

const functions: Record<string, (values: unknown[]) => unknown> = {
  count: (values) => values.length,
  sum: (values) => rounded(total(values), values, 0),
  avg: (values) => rounded(total(values) / values.length, values, 10),
  min: extreme(-1),
  max: extreme(1),
};

/** Whether `aggregate` knows a function. */
export const isAggregate = (name: string): boolean => Object.hasOwn(functions, name);

/** Whether a value isn't empty. */
export const isGiven = (value: unknown): boolean => value !== null && value !== undefined;

/**
 * Computes one value from many, as a database does: without values, the count is 0 and everything else null.
 *
 * @param name `count`, `sum`, `avg`, `min` or `max`
 * @param isDistinct whether equal values count once
 */
export function aggregate(name: string, all: unknown[], isDistinct = false): unknown {
  const given = all.filter(isGiven);
  const values = isDistinct
    ? [...new Map(given.map((value) => [plain(value), value])).values()]
    : given;
  return values.length === 0 && name !== 'count' ? null : functions[name]?.(values);
}

/** Groups records for which a function returns equal values. */
export function groupedBy<Of extends Row>(
  rows: readonly Of[],
  valuesOf: (row: Of) => unknown[],
): Of[][] {
  const groups = new Map<string, Of[]>();
  for (const row of rows) {
    const key = JSON.stringify(valuesOf(row).map(plain));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}
