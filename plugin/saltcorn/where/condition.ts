import type { Comparable } from './comparable.ts';
import type { Pattern } from './like.ts';
import type { SubSelect } from './where.ts';

/** As in SQL, a comparison with an empty value is neither true nor false, but unknown. */
export type Truth = true | false | 'unknown';

export type Operator = '=' | '<' | '<=' | '>' | '>=';

/** A condition on one column, or on two. */
export type Leaf =
  | { kind: 'empty'; column: string }
  | { kind: 'comparison'; column: string; operator: Operator; value: Comparable }
  | { kind: 'columns'; column: string; operator: Operator; other: string }
  | { kind: 'list'; column: string; values: (Comparable | null)[] }
  | { kind: 'match'; column: string; pattern: Pattern }
  | { kind: 'sub-select'; column: string; select: SubSelect };

/**
 * The condition that rows must match. All code that selects rows uses it: requests to the service, the plugin's own
 * filter, keys and sub-selects.
 */
export type Condition =
  | Leaf
  | { kind: 'constant'; truth: Truth }
  /** The text in any column, as part of a text or as a whole SID. */
  | { kind: 'search'; text: string; pattern: Pattern }
  | { kind: 'not'; of: Condition }
  | { kind: 'and' | 'or'; of: Condition[] };

const opposite = new Map<Truth, Truth>([
  [true, false],
  [false, true],
  ['unknown', 'unknown'],
]);

export const negated = (truth: Truth): Truth => opposite.get(truth) ?? 'unknown';

export const constant = (truth: Truth): Condition => ({ kind: 'constant', truth });
export const not = (of: Condition): Condition =>
  of.kind === 'constant' ? constant(negated(of.truth)) : { kind: 'not', of };
export const and = (of: Condition[]): Condition => ({ kind: 'and', of });
export const or = (of: Condition[]): Condition => ({ kind: 'or', of });

/** The conditions that must all hold. */
export const conjuncts = (condition: Condition): Condition[] =>
  condition.kind === 'and' ? condition.of.flatMap(conjuncts) : [condition];

/** Whether a condition uses a column. */
export function mentions(condition: Condition, column: string): boolean {
  if (condition.kind === 'not') return mentions(condition.of, column);
  if (condition.kind === 'and' || condition.kind === 'or')
    return condition.of.some((one) => mentions(one, column));
  return (
    ('column' in condition && condition.column === column) ||
    (condition.kind === 'columns' && condition.other === column)
  );
}

type Replace = (leaf: Leaf, isNegated: boolean) => Promise<Condition> | Condition;

/**
 * Replaces the leaves of a condition.
 *
 * @param replace gets each leaf, and whether it is below a `not`, where false and unknown differ
 */
export async function replaceLeaves(
  condition: Condition,
  replace: Replace,
  isNegated = false,
): Promise<Condition> {
  switch (condition.kind) {
    case 'not':
      return not(await replaceLeaves(condition.of, replace, true));
    case 'and':
    case 'or':
      return {
        kind: condition.kind,
        of: await Promise.all(condition.of.map((one) => replaceLeaves(one, replace, isNegated))),
      };
    case 'constant':
    case 'search':
      return condition;
    default:
      return replace(condition, isNegated);
  }
}

const shared = (lists: unknown[][]) =>
  lists.reduce((left, right) => {
    const known = new Set(right);
    return left.filter((value) => known.has(value));
  });

/**
 * The values that a column of a matching row can have; none if no row can match.
 *
 * @returns undefined if the condition doesn't limit them
 */
export function possibleValues(condition: Condition, column: string): unknown[] | undefined {
  switch (condition.kind) {
    case 'constant':
      return condition.truth === true ? undefined : [];
    case 'empty':
      return condition.column === column ? [null] : undefined;
    case 'comparison':
      return condition.column === column && condition.operator === '='
        ? [condition.value]
        : undefined;
    case 'list': {
      if (condition.values.length === 0) return [];
      const isAbout = condition.column === column;
      return isAbout ? [...new Set(condition.values)].filter((one) => one !== null) : undefined;
    }
    case 'and': {
      const lists = condition.of.map((one) => possibleValues(one, column));
      const named = lists.filter((list) => list !== undefined);
      return named.length > 0 ? shared(named) : undefined;
    }
    case 'or': {
      const lists = condition.of.map((one) => possibleValues(one, column));
      const named = lists.filter((list) => list !== undefined);
      return named.length === lists.length ? [...new Set(named.flat())] : undefined;
    }
    default:
      return undefined;
  }
}

/** The first and the last possible millisecond. */
export type Span = [first: number, last: number];

const always: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
const never: Span = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

const spans: Record<Operator, (time: number) => Span> = {
  '=': (time) => [time, time],
  '<': (time) => [always[0], time - 1],
  '<=': (time) => [always[0], time],
  '>': (time) => [time + 1, always[1]],
  '>=': (time) => [time, always[1]],
};

const least = (times: number[]) => times.reduce((one, other) => Math.min(one, other));
const most = (times: number[]) => times.reduce((one, other) => Math.max(one, other));
const starts = (all: Span[]) => all.map(([first]) => first);
const ends = (all: Span[]) => all.map(([, last]) => last);

/** A time span that contains all values which a date column of a matching row can have. Not every row in it matches. */
export function possibleSpan(condition: Condition, column: string): Span {
  switch (condition.kind) {
    case 'constant':
      return condition.truth === true ? always : never;
    case 'comparison':
      return condition.column === column
        ? spans[condition.operator](Number(condition.value))
        : always;
    case 'and': {
      const all = [always, ...condition.of.map((one) => possibleSpan(one, column))];
      return [most(starts(all)), least(ends(all))];
    }
    case 'or': {
      const all = [never, ...condition.of.map((one) => possibleSpan(one, column))];
      return [least(starts(all)), most(ends(all))];
    }
    default:
      return always;
  }
}
