import { samePhone } from '../../../src/builder.ts';
import { type Columns, type Comparable, comparable } from './comparable.ts';
import { type Condition, type Leaf, negated, type Operator, type Truth } from './condition.ts';
import type { Row } from './where.ts';

const operators: Record<Operator, (left: Comparable, right: Comparable) => boolean> = {
  '=': (left, right) => left === right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

function truthOfLeaf(leaf: Leaf, row: Row, { types, cleanPhone }: Columns): Truth {
  const valueIn = (column: string) => comparable(row[column], types.get(column), cleanPhone);
  const isPhone = types.get(leaf.column) === 'phone';
  const isEqual = (wanted: Comparable | null, found: Comparable) =>
    isPhone && wanted !== null
      ? samePhone(String(wanted), String(found), cleanPhone)
      : wanted === found;
  const value = valueIn(leaf.column);
  if (leaf.kind === 'empty') return value === null;
  if (leaf.kind === 'list' && leaf.values.length === 0) return false;
  if (value === null) return 'unknown';
  switch (leaf.kind) {
    case 'comparison':
      return leaf.operator === '='
        ? isEqual(leaf.value, value)
        : operators[leaf.operator](value, leaf.value);
    case 'columns': {
      const other = valueIn(leaf.other);
      return other === null ? 'unknown' : operators[leaf.operator](value, other);
    }
    case 'list':
      if (leaf.values.some((one) => isEqual(one, value))) return true;
      return leaf.values.includes(null) ? 'unknown' : false;
    case 'match':
      return leaf.pattern.test(String(row[leaf.column]));
    case 'sub-select':
      throw new RangeError(`The sub-select of “${leaf.column}” was not made yet.`);
  }
}

type Search = Extract<Condition, { kind: 'search' }>;

function isFound({ text, pattern }: Search, row: Row, { types, searched }: Columns): boolean {
  const [whole, parts] = [true, false].map((isSid) =>
    searched
      .filter((column) => (types.get(column) === 'sid') === isSid)
      .map((column) => String(row[column] ?? '')),
  ) as [string[], string[]];
  return pattern.test(parts.join(' ')) || whole.includes(text.trim());
}

/** In an “and”, false outweighs unknown; in an “or”, true does. */
function truthOfSeveral(of: Condition[], row: Row, columns: Columns, decisive: boolean): Truth {
  let truth: Truth = !decisive;
  for (const one of of) {
    const found = truthOf(one, row, columns);
    if (found === decisive) return decisive;
    if (found === 'unknown') truth = 'unknown';
  }
  return truth;
}

/**
 * Evaluates a condition for a row, in the three-valued logic of SQL. The row matches only if the result is true.
 *
 * @param condition the condition, with the values of its sub-selects
 * @param row the row
 * @param columns the columns of its table
 */
export function truthOf(condition: Condition, row: Row, columns: Columns): Truth {
  switch (condition.kind) {
    case 'constant':
      return condition.truth;
    case 'search':
      return isFound(condition, row, columns);
    case 'not':
      return negated(truthOf(condition.of, row, columns));
    case 'and':
      return truthOfSeveral(condition.of, row, columns, false);
    case 'or':
      return truthOfSeveral(condition.of, row, columns, true);
    default:
      return truthOfLeaf(condition, row, columns);
  }
}
