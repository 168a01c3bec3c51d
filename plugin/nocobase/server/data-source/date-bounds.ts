import { parseDate } from '@nocobase/utils';
import type { Condition, Order } from '../../../../src/builder.ts';

/** Records have whole seconds. */
const secondMs = 1_000;
const [hourMs, dayMs] = [3_600_000, 86_400_000];

type Bound = [operator: Order, end: 'start' | 'end'];

const within: Bound[] = [
  ['>=', 'start'],
  ['<', 'end'],
];

/** NocoBase's operators of dates: how a time compares with the start and the end, which is exclusive, of what a value covers. */
const operators = new Map<string, Bound[]>([
  ['$dateOn', within],
  ['$dateBetween', within],
  ['$dateBefore', [['<', 'start']]],
  ['$dateNotBefore', [['>=', 'start']]],
  ['$dateAfter', [['>=', 'end']]],
  ['$dateNotAfter', [['<', 'end']]],
  // A calendar asks for what it shows with these.
  ['$gte', [['>=', 'start']]],
  ['$lte', [['<', 'end']]],
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

/** Of the midnight of a day in the user's time zone, the same day's in UTC. Hardly anyone lives further east than +13 or west of -11. */
const utcMidnight = (time: number) => Math.floor((time + 13 * hourMs) / dayMs) * dayMs;

/**
 * Converts an operator of dates to conditions on a column.
 *
 * @param isDay whether the column holds days, which have no time zone
 * @returns undefined if the value is no date
 */
export function dateBounds(
  column: string,
  name: string,
  value: unknown,
  isDay = false,
): Condition[] | undefined {
  const [first, last = first, brackets = first === last ? '[]' : '[)'] = parsed(value);
  const start = Date.parse(String(first)) + (brackets.startsWith('(') ? secondMs : 0);
  const end = Date.parse(String(last)) + (brackets.endsWith(']') ? secondMs : 0);
  if (Number.isNaN(start) || Number.isNaN(end)) return undefined;
  return operators.get(name)?.map(([operator, side]) => {
    const time = side === 'start' ? start : end;
    return { kind: 'bound', column, operator, value: isDay ? utcMidnight(time) : time };
  });
}
