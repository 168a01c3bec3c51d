import { TelephonyError } from '../../../src/index.ts';
import type { Row, Where } from './where.ts';

const asList = (value: unknown) => (Array.isArray(value) ? value : [value]);

const comparable = (value: unknown) =>
  value instanceof Date || /^\d{4}-\d\d-\d\d/.test(String(value))
    ? new Date(value as string | Date).getTime()
    : Number(value);

function isAfter(value: unknown, bound: unknown, orEqual: unknown) {
  const [left, right] = [comparable(value), comparable(bound)];
  return value !== null && (left > right || (orEqual === true && left === right));
}

const contains = (value: unknown, part: unknown) =>
  String(value ?? '')
    .toLowerCase()
    .includes(String(part).toLowerCase());

function equals(value: unknown, wanted: unknown) {
  if (value instanceof Date || wanted instanceof Date)
    return comparable(value) === comparable(wanted);
  return (value ?? null) === null || (wanted ?? null) === null
    ? (value ?? null) === (wanted ?? null)
    : String(value) === String(wanted);
}

// Saltcorn writes ranges with the value under `gt` or `lt`, and `equal: true` beside it.
const conditions: Record<string, (value: unknown, wanted: unknown, all: Where) => boolean> = {
  or: (value, wanted) => asList(wanted).some((one) => satisfies(value, one)),
  and: (value, wanted) => asList(wanted).every((one) => satisfies(value, one)),
  not: (value, wanted) => !satisfies(value, wanted),
  in: (value, wanted) => asList(wanted).some((one) => equals(value, one)),
  ilike: contains,
  eq: (value, wanted) => equals(value, Array.isArray(wanted) ? wanted[0] : wanted),
  gt: (value, wanted, { equal }) => isAfter(value, wanted, equal),
  lt: (value, wanted, { equal }) => isAfter(wanted, value, equal),
};

const modifiers = new Set(['equal', 'day_only']);

function satisfies(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.every((one) => satisfies(value, one));
  if (typeof wanted !== 'object' || wanted === null || wanted instanceof Date)
    return equals(value, wanted);
  const all = wanted as Where;
  return Object.entries(all).every(([name, bound]) => {
    const isMet = modifiers.has(name) ? () => true : conditions[name];
    if (!isMet) throw new TelephonyError('input', `A filter by “${name}” is not possible here.`);
    return isMet(value, bound, all);
  });
}

const combined: Record<string, (row: Row, wanted: unknown) => boolean> = {
  or: (row, wanted) => asList(wanted).some((one) => matchesRow(row, one as Where)),
  and: (row, wanted) => asList(wanted).every((one) => matchesRow(row, one as Where)),
  not: (row, wanted) => !matchesRow(row, wanted as Where),
  _fts: (row, wanted) =>
    Object.values(row).some((value) => contains(value, (wanted as Row).searchTerm ?? '')),
};

/** Whether the key of a filter takes whole filters. */
export const isCombined = (key: string) => ['or', 'and', 'not'].includes(key);

/**
 * Whether a row fits a filter of Saltcorn.
 *
 * @param row the row
 * @param where column names to values or conditions; `or`, `and`, `not` and `_fts` (search) take whole filters
 */
export const matchesRow = (row: Row, where: Where): boolean =>
  Object.entries(where).every(
    ([key, wanted]) => combined[key]?.(row, wanted) ?? satisfies(row[key], wanted),
  );
