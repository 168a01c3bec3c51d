import { parseDate } from '@nocobase/utils';

/** A range of times in milliseconds; the end is exclusive. */
export type DateRange = readonly [start: number, end: number];

/** Records have whole seconds. */
const secondMs = 1_000;

const [past, future] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];

/** NocoBase's operators of dates: the times that match, from the start and the end of what a value covers. */
const operators = new Map<string, (start: number, end: number) => DateRange>([
  ['$dateOn', (start, end) => [start, end]],
  ['$dateBetween', (start, end) => [start, end]],
  ['$dateBefore', (start) => [past, start]],
  ['$dateNotBefore', (start) => [start, future]],
  ['$dateAfter', (_, end) => [end, future]],
  ['$dateNotAfter', (_, end) => [past, end]],
  // A calendar asks for what it shows with these.
  ['$gte', (start) => [start, future]],
  ['$lte', (_, end) => [past, end]],
]);

/** Whether a name is an operator of dates. */
export const isDateOperator = (name: string): boolean => operators.has(name);

/** Parses a date as NocoBase does. It throws for some that don't exist. */
function parsed(value: unknown) {
  try {
    return [parseDate(value) ?? []].flat();
  } catch {
    return [];
  }
}

/** Returns the times that an operator of dates matches; undefined if the value is no date. */
export function dateRange(operator: string, value: unknown): DateRange | undefined {
  const [first, last = first, brackets = first === last ? '[]' : '[)'] = parsed(value);
  const [start, end] = [Date.parse(String(first)), Date.parse(String(last))];
  if (Number.isNaN(start) || Number.isNaN(end)) return undefined;
  return operators.get(operator)?.(
    start + (brackets.startsWith('(') ? secondMs : 0),
    end + (brackets.endsWith(']') ? secondMs : 0),
  );
}

/** Returns the times that are in both ranges; undefined if there are none. */
export function commonRange([start, end]: DateRange, other: DateRange): DateRange | undefined {
  const common = [Math.max(start, other[0]), Math.min(end, other[1])] as const;
  return common[0] < common[1] ? common : undefined;
}

const toSecond = (time: number) => Math.ceil(time / secondMs) * secondMs;

/** Returns the first and the last second of a range; undefined for an end that is open. */
export function boundsOf([start, end]: DateRange): [
  first: string | undefined,
  last: string | undefined,
] {
  const text = (time: number) =>
    Number.isFinite(time) ? new Date(time).toISOString().replace(/\.\d+Z$/, 'Z') : undefined;
  return [text(toSecond(start)), text(toSecond(end) - secondMs)];
}
