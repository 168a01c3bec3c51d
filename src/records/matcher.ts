import { phoneMatcher } from '../field-types/phone.ts';
import { type Columns, type Comparable, comparable, type Row } from './comparable.ts';
import { type Condition, type Leaf, negated, type Order, type Truth } from './condition.ts';

type Evaluate = (row: Row) => Truth;

const compare: Record<Order | '=', (left: Comparable, right: Comparable) => boolean> = {
  '=': (left, right) => left === right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
};

/** Returns the function that evaluates a leaf for a record whose column has a value. */
function ofValue(leaf: Leaf, { types, cleanPhone }: Columns): (value: unknown, row: Row) => Truth {
  const read = (value: unknown, column: string) => comparable(value, types.get(column), cleanPhone);
  const { column } = leaf;
  switch (leaf.kind) {
    case 'empty':
      return () => false;
    case 'list': {
      const wanted = leaf.values.filter((one) => one !== null);
      const otherwise = wanted.length < leaf.values.length ? 'unknown' : false;
      if (types.get(column) === 'phone') {
        const isWanted = phoneMatcher(wanted.map(String), cleanPhone);
        return (value) => isWanted(String(value).trim()) || otherwise;
      }
      const known = new Set<unknown>(wanted);
      return (value) => known.has(read(value, column)) || otherwise;
    }
    case 'bound':
      return (value) => compare[leaf.operator](read(value, column) ?? '', leaf.value);
    case 'columns':
      return (value, row) => {
        const other = read(row[leaf.other], leaf.other);
        return other === null
          ? 'unknown'
          : compare[leaf.operator](read(value, column) ?? '', other);
      };
    case 'match':
      return (value) => leaf.pattern.test(String(value));
    case 'sub-select':
      throw new RangeError(`The sub-select of “${column}” was not made yet.`);
  }
}

function ofLeaf(leaf: Leaf, columns: Columns): Evaluate {
  const evaluate = ofValue(leaf, columns);
  let ifEmpty: Truth = 'unknown';
  if (leaf.kind === 'empty') ifEmpty = true;
  if (leaf.kind === 'list' && leaf.values.length === 0) ifEmpty = false;
  return (row) => {
    const value = row[leaf.column] ?? null;
    return value === null ? ifEmpty : evaluate(value, row);
  };
}

type Search = Extract<Condition, { kind: 'search' }>;

function ofSearch({ text, pattern, columns }: Search, { types }: Columns): Evaluate {
  const isSid = (column: string) => types.get(column) === 'sid';
  const sids = columns.filter(isSid);
  const texts = columns.filter((column) => !isSid(column));
  return (row) =>
    pattern.test(texts.map((column) => row[column] ?? '').join(' ')) ||
    sids.some((column) => row[column] === text.trim());
}

/** In an “and”, false outweighs unknown; in an “or”, true does. */
function ofSeveral(all: Evaluate[], decisive: boolean): Evaluate {
  return (row) => {
    let truth: Truth = !decisive;
    for (const evaluate of all) {
      const found = evaluate(row);
      if (found === decisive) return decisive;
      if (found === 'unknown') truth = found;
    }
    return truth;
  };
}

/**
 * Returns a function that evaluates a condition for a record, in the three-valued logic of SQL. The record matches only if the result is
 * true. Each record costs the same however many values a condition lists.
 *
 * @param condition the condition, with the values of its sub-selects
 * @param columns the columns of the records
 */
export function truthOf(condition: Condition, columns: Columns): (row: Row) => Truth {
  switch (condition.kind) {
    case 'constant':
      return () => condition.truth;
    case 'search':
      return ofSearch(condition, columns);
    case 'not': {
      const evaluate = truthOf(condition.of, columns);
      return (row) => negated(evaluate(row));
    }
    case 'and':
    case 'or': {
      const all = condition.of.map((one) => truthOf(one, columns));
      return ofSeveral(all, condition.kind === 'or');
    }
    default:
      return ofLeaf(condition, columns);
  }
}

/** Returns a function that says whether a record matches a condition. */
export function matcher(condition: Condition, columns: Columns): (row: Row) => boolean {
  const evaluate = truthOf(condition, columns);
  return (row) => evaluate(row) === true;
}
