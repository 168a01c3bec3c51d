import {
  and,
  type ColumnType,
  type Condition,
  comparable,
  conjuncts,
  constant,
  isDateObject,
  isOrdered,
  not,
  type Order,
  or,
  type Said,
  sentence,
  sentences,
  TelephonyError,
  truthOf,
} from '../../../src/builder.ts';
import { like } from './like.ts';
import { type TableColumns as Columns, filledValue, type Where } from './where.ts';

type Operator = Order | '=';

const notUnderstood = (said: Said) => new TelephonyError('input', said);

/** A part of a filter, shortened for a sentence. */
const shown = (value: unknown) => {
  const isJson =
    typeof value === 'object' && !(isDateObject(value) && Number.isNaN(value.getTime()));
  const text = isJson ? JSON.stringify(value) : String(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
};

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

// Not `instanceof`: formulas run in a context with its own classes.
const isRegExp = (value: unknown): value is RegExp =>
  Object.prototype.toString.call(value) === '[object RegExp]';

const isGroup = (value: unknown): value is Where =>
  typeof value === 'object' && value !== null && !isRegExp(value) && !isDateObject(value);

/** The column with this name. In some places, Saltcorn calls every primary key `id`. */
function columnOf({ types, key }: Columns, name: string): string {
  if (types.has(name)) return name;
  if (name === 'id') return key;
  throw notUnderstood(
    sentence('A filter by “{name}”, which is not a column of this table, is not possible here.', {
      name: shown(name),
    }),
  );
}

const compared = (column: string, other: string) =>
  sentence('Comparing “{column}” with “{other}” is not possible here.', { column, other });

function ofColumns(columns: Columns, column: string, operator: Operator, name = ''): Condition {
  const other = columnOf(columns, name);
  const [left, right] = [column, other].map((one) => isOrdered(columns.types.get(one)));
  if (left !== right) throw notUnderstood(compared(column, other));
  return { kind: 'columns', column, operator, other };
}

function notComparable({ types }: Columns, column: string, wanted: unknown) {
  const said = compared(column, shown(wanted));
  if (types.get(column) !== 'date') return notUnderstood(said);
  const examples = { from: `${column} >= today()`, until: `${column} < "2026-12-31"` };
  const advice = sentence('Write for example {from} or {until}.', examples);
  return notUnderstood(sentences(said, advice));
}

function comparison(columns: Columns, column: string, operator: Operator, wanted: unknown) {
  if (typeof wanted === 'symbol') return ofColumns(columns, column, operator, wanted.description);
  const value = comparable(wanted, columns.types.get(column), columns.cleanPhone);
  if (Number.isNaN(value) && operator !== '=') throw notComparable(columns, column, wanted);
  if (value === null || Number.isNaN(value)) return constant('unknown');
  return operator === '='
    ? ({ kind: 'list', column, values: [value] } satisfies Condition)
    : ({ kind: 'bound', column, operator, value } satisfies Condition);
}

type Bounds = Where & { equal?: unknown };
type ReadBound = (columns: Columns, column: string, bound: unknown, all: Bounds) => Condition;

const ordered =
  (operator: '<' | '>'): ReadBound =>
  (columns, column, bound, { equal }) =>
    comparison(columns, column, equal ? `${operator}=` : operator, bound);

// As in SQL, an invalid value is neither equal nor unequal to any row's.
const valueOrNone = ({ types, cleanPhone }: Columns, column: string, wanted: unknown) => {
  const value = comparable(wanted, types.get(column), cleanPhone);
  return Number.isNaN(value) ? null : value;
};

// Saltcorn looks up a column that a joined one is compared with in the other table, where it can be equal to itself in every row.
function subSelect(_columns: Columns, column: string, select: unknown): Condition {
  for (const [name, wanted] of Object.entries(Object(Object(select).where) as Where))
    if (typeof wanted === 'function' || (typeof wanted === 'symbol' && wanted !== filledValue))
      throw notUnderstood(
        compared(name, typeof wanted === 'symbol' ? String(wanted.description) : column),
      );
  return { kind: 'sub-select', column, select: select as object };
}

const bounds: Record<string, ReadBound> = {
  or: (columns, column, bound) => or(asList(bound).map((one) => parseWanted(columns, column, one))),
  not: (columns, column, bound) => not(parseWanted(columns, column, bound)),
  in: (columns, column, bound) => ({
    kind: 'list',
    column,
    values: asList(bound).map((one) => valueOrNone(columns, column, one)),
  }),
  ilike: (_columns, column, bound, { fullMatch }) =>
    bound === null || bound === undefined
      ? constant('unknown')
      : { kind: 'match', column, pattern: like(fullMatch ? String(bound) : `%${bound}%`) },
  gt: ordered('>'),
  lt: ordered('<'),
  inSelect: subSelect,
  inSelectWithLevels: subSelect,
};

/** Modifiers of a bound. Records contain no days without a time. */
const modifiers: Record<string, (value: unknown) => boolean> = {
  equal: () => true,
  fullMatch: () => true,
  day_only: (value) => !value,
};

const isModifier = (name: string, value: unknown) =>
  Object.hasOwn(modifiers, name) && modifiers[name]?.(value);

function parseBounds(columns: Columns, column: string, wanted: Bounds): Condition {
  const all = Object.entries(wanted).filter(([name, bound]) => !isModifier(name, bound));
  if (all.length === 0)
    throw notUnderstood(
      sentence('The filter “{filter}” of “{column}” is not possible here.', {
        filter: shown(wanted),
        column,
      }),
    );
  return and(
    all.map(([name, bound]) => {
      const read = Object.hasOwn(bounds, name) ? bounds[name] : undefined;
      if (!read)
        throw notUnderstood(
          sentence('A filter by “{name}” is not possible here.', { name: shown(name) }),
        );
      return read(columns, column, bound, wanted);
    }),
  );
}

/**
 * Parses a condition on a column: a value, an array of conditions that must all hold, or bounds such as `{ gt: 5 }`.
 */
function parseWanted(columns: Columns, column: string, wanted: unknown): Condition {
  if (wanted === null) return { kind: 'empty', column };
  if (isRegExp(wanted)) {
    const flags = wanted.flags.replace(/[gy]/g, '');
    return { kind: 'match', column, pattern: new RegExp(wanted.source, flags) };
  }
  if (Array.isArray(wanted) && wanted.length > 0)
    return and(wanted.map((one) => parseWanted(columns, column, one)));
  return isGroup(wanted)
    ? parseBounds(columns, column, wanted)
    : comparison(columns, column, '=', wanted);
}

/** A column alone in a formula means, as in Saltcorn, that it is neither null nor an empty text or zero. */
function filled(columns: Columns, name: string): Condition {
  const column = columnOf(columns, name);
  const blank = isOrdered(columns.types.get(column)) ? 0 : '';
  const isBlank = comparison(columns, column, '=', blank);
  return and([not({ kind: 'empty', column }), not(isBlank)]);
}

const impossible = (filter: unknown) =>
  notUnderstood(sentence('The filter “{filter}” is not possible here.', { filter: shown(filter) }));

function parsePart(columns: Columns, part: unknown): Condition {
  if (typeof part === 'boolean') return constant(part);
  if (part === null || part === undefined) return constant('unknown');
  if (typeof part === 'symbol') return filled(columns, part.description ?? '');
  // Saltcorn makes a function of a column of another table, such as `patient.consent`, that compares it with a value.
  if (typeof part === 'function') return parsePart(columns, part(filledValue));
  if (!isGroup(part) || Object.keys(part).length === 0) throw impossible(part);
  return parseGroup(columns, part);
}

type ReadGroup = (columns: Columns, wanted: unknown) => Condition;

function equal(columns: Columns, pair: unknown): Condition {
  if (!Array.isArray(pair) || pair.length !== 2) throw impossible(pair);
  // Two conditions that Saltcorn merged.
  if (pair.every(Array.isArray)) return and(pair.map((one) => equal(columns, one)));
  const [left, right] = pair;
  if (typeof left === 'symbol')
    return parseWanted(columns, columnOf(columns, left.description ?? ''), right);
  return typeof right === 'symbol' ? equal(columns, [right, left]) : constant(left === right);
}

const groups: Record<string, ReadGroup> = {
  and: (columns, wanted) => and(asList(wanted).map((one) => parsePart(columns, one))),
  or: (columns, wanted) => or(asList(wanted).map((one) => parsePart(columns, one))),
  not: (columns, wanted) => not(parsePart(columns, wanted)),
  eq: equal,
  _false: () => constant(false),
  _fts: ({ searched }, wanted) => {
    const { searchTerm } = (wanted ?? {}) as { searchTerm?: unknown };
    return typeof searchTerm === 'string'
      ? { kind: 'search', text: searchTerm, pattern: like(`%${searchTerm}%`), columns: searched }
      : constant('unknown');
  },
};

const constantTypes: [pattern: RegExp, type: ColumnType][] = [
  [/^-?\d+(\.\d+)?$/, 'number'],
  [/^\d{4}-\d{1,2}-\d{1,2}$/, 'date'],
  [/^(true|false)$/, 'text'],
];

const mirrored = (operator: Operator) =>
  operator.replace(/[<>]/, (sign) => (sign === '<' ? '>' : '<')) as Operator;

/**
 * Saltcorn converts `user.role_id < 40` to `{ 80: { lt: 40 } }`, and `10 < duration` to `{ 10: { lt: duration } }`, as
 * if the constant were a column.
 */
function parseConstant(columns: Columns, name: string, type: ColumnType, wanted: unknown) {
  const all = { ...columns, types: new Map(columns.types).set(name, type) };
  const parts = conjuncts(parseWanted(all, name, wanted)).map((part) =>
    part.kind === 'columns'
      ? comparison(columns, part.other, mirrored(part.operator), name)
      : constant(truthOf(part, all)({ [name]: name })),
  );
  return and(parts);
}

function parseEntry(columns: Columns, name: string, wanted: unknown): Condition {
  const read = Object.hasOwn(groups, name) ? groups[name] : undefined;
  if (read) return read(columns, wanted);
  const [, type] = constantTypes.find(([pattern]) => pattern.test(name)) ?? [];
  return type
    ? parseConstant(columns, name, type, wanted)
    : parseWanted(columns, columnOf(columns, name), wanted);
}

const parseGroup = (columns: Columns, where: Where): Condition =>
  and(Object.entries(where).map(([name, wanted]) => parseEntry(columns, name, wanted)));

/**
 * Parses a Saltcorn filter, in all forms that URLs, formulas, relations and rights give it. Every row matches an empty
 * filter.
 *
 * @param where the filter
 * @param columns the columns of its table
 * @throws {TelephonyError} with code `input` if the filter isn't supported: it means neither all rows nor none
 */
export const parseWhere = (where: Where, columns: Columns): Condition => parseGroup(columns, where);
