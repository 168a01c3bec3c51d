import type { Comparable } from './comparable.ts';

/** As in SQL, a comparison with an empty value is neither true nor false, but unknown. */
export type Truth = true | false | 'unknown';

/** How a column is compared by size. */
export type Order = '<' | '<=' | '>' | '>=';

/** Matches texts, as a regular expression does. */
export type Pattern = Pick<RegExp, 'test'>;

/** A condition on one column, or on two. */
export type Leaf =
  | { kind: 'empty'; column: string }
  /** The column has one of the values. */
  | { kind: 'list'; column: string; values: (Comparable | null)[] }
  | { kind: 'bound'; column: string; operator: Order; value: Comparable }
  | { kind: 'columns'; column: string; operator: Order | '='; other: string }
  | { kind: 'match'; column: string; pattern: Pattern }
  /** A list of values that the builder has to read first. */
  | { kind: 'sub-select'; column: string; select: object };

/** The condition that records must match, whatever the grammar of the builder's filters. */
export type Condition =
  | Leaf
  | { kind: 'constant'; truth: Truth }
  /** The text in any of these columns, as part of a text, or as a whole SID. */
  | { kind: 'search'; text: string; pattern: Pattern; columns: string[] }
  | { kind: 'not'; of: Condition }
  | { kind: 'and' | 'or'; of: Condition[] };

export const negated = (truth: Truth): Truth => (truth === 'unknown' ? truth : !truth);

export const constant = (truth: Truth): Condition => ({ kind: 'constant', truth });
export const not = (of: Condition): Condition =>
  of.kind === 'constant' ? constant(negated(of.truth)) : { kind: 'not', of };
export const and = (of: Condition[]): Condition => ({ kind: 'and', of });
export const or = (of: Condition[]): Condition => ({ kind: 'or', of });

/** The conditions that must all hold. */
export const conjuncts = (condition: Condition): Condition[] =>
  condition.kind === 'and' ? condition.of.flatMap(conjuncts) : [condition];

/** The conditions on columns in a condition, also those below a `not` if wanted. */
export function leaves(condition: Condition, withNegated: boolean): Leaf[] {
  switch (condition.kind) {
    case 'not':
      return withNegated ? leaves(condition.of, withNegated) : [];
    case 'and':
    case 'or':
      return condition.of.flatMap((one) => leaves(one, withNegated));
    case 'constant':
    case 'search':
      return [];
    default:
      return [condition];
  }
}

/** Whether a condition uses a column. */
export const mentions = (condition: Condition, name: string): boolean =>
  leaves(condition, true).some(
    (leaf) => leaf.column === name || (leaf.kind === 'columns' && leaf.other === name),
  );

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
 * The values that a column of a matching record can have; none if no record can match.
 *
 * @returns undefined if the condition doesn't limit them
 */
export function possibleValues(condition: Condition, column: string): unknown[] | undefined {
  switch (condition.kind) {
    case 'constant':
      return condition.truth === true ? undefined : [];
    case 'empty':
      return condition.column === column ? [null] : undefined;
    case 'list':
      if (condition.column !== column) return condition.values.length === 0 ? [] : undefined;
      return [...new Set(condition.values)].filter((one) => one !== null);
    case 'and':
    case 'or': {
      const lists = condition.of.map((one) => possibleValues(one, column));
      const limits = lists.filter((list) => list !== undefined);
      if (condition.kind === 'and') return limits.length > 0 ? shared(limits) : undefined;
      return limits.length === lists.length ? [...new Set(limits.flat())] : undefined;
    }
    default:
      return undefined;
  }
}

/** The first and the last possible millisecond. */
export type Span = [first: number, last: number];

const always: Span = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
const never: Span = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

const spans: Record<Order, (time: number) => Span> = {
  '<': (time) => [always[0], time - 1],
  '<=': (time) => [always[0], time],
  '>': (time) => [time + 1, always[1]],
  '>=': (time) => [time, always[1]],
};

const intersection = (one: Span, other: Span): Span => [
  Math.max(one[0], other[0]),
  Math.min(one[1], other[1]),
];
const hull = (one: Span, other: Span): Span => [
  Math.min(one[0], other[0]),
  Math.max(one[1], other[1]),
];

/** A time span that contains all values which a date column of a matching record can have. Not every record in it matches. */
export function possibleSpan(condition: Condition, column: string): Span {
  switch (condition.kind) {
    case 'constant':
      return condition.truth === true ? always : never;
    case 'bound':
      return condition.column === column
        ? spans[condition.operator](Number(condition.value))
        : always;
    case 'list': {
      if (condition.column !== column) return always;
      const times = condition.values.filter((value) => value !== null).map(Number);
      return times.map((time): Span => [time, time]).reduce(hull, never);
    }
    case 'and':
      return condition.of.map((one) => possibleSpan(one, column)).reduce(intersection, always);
    case 'or':
      return condition.of.map((one) => possibleSpan(one, column)).reduce(hull, never);
    default:
      return always;
  }
}
