/** A value as it is compared: dates by their time. */
export const comparable = (value: unknown): unknown =>
  value instanceof Date ? value.getTime() : value;

/** Compares numbers and dates by value, and anything else as text. */
export function compare(one: unknown, other: unknown): number {
  const [left, right] = [comparable(one), comparable(other)];
  return typeof left === 'number' && typeof right === 'number'
    ? left - right
    : String(left).localeCompare(String(right), 'en');
}

/** Rounds what adding decimals in binary leaves behind: 0.1 + 0.2 is 0.3. */
const rounded = (value: number) => Number(value.toPrecision(12));

const sum = (values: unknown[]) =>
  rounded(values.reduce((total: number, value) => total + Number(value), 0));

const extreme = (sign: 1 | -1) => (values: unknown[]) =>
  values.reduce((found, value) => (sign * compare(value, found) > 0 ? value : found));

const functions: Record<string, (values: unknown[]) => unknown> = {
  count: (values) => values.length,
  sum,
  avg: (values) => rounded(sum(values) / values.length),
  min: extreme(-1),
  max: extreme(1),
};

/** Whether `aggregate` knows a function. */
export const isAggregation = (name: string): boolean => Object.hasOwn(functions, name);

/**
 * Computes one value from many, as a database does: without values, the count is 0 and everything else null.
 *
 * @param name `count`, `sum`, `avg`, `min` or `max`
 * @param isDistinct whether equal values count once
 */
export function aggregate(name: string, isDistinct: boolean, all: unknown[]): unknown {
  const present = all.filter((value) => value !== null && value !== undefined);
  const values = isDistinct
    ? [...new Map(present.map((value) => [comparable(value), value])).values()]
    : present;
  return values.length === 0 && name !== 'count' ? null : functions[name]?.(values);
}
