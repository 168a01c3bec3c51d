import {
  eval_expression,
  expressionValidator,
  freeVariables,
  jsexprToWhere,
} from '@saltcorn/data/models/expression';
import type { SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Condition,
  isDateObject,
  type Said,
  sentence,
  TelephonyError,
} from '../../../src/builder.ts';
import { columnsBehind } from '../action/joined-rows.ts';
import { onSave } from '../action/on-save.ts';
import { parseWhere } from '../where/parse-where.ts';
import type { Row, TableColumns, Where } from '../where/where.ts';

/** What a formula can use besides columns: the row that contains the button, and the user who clicked it. */
export interface Scope {
  row?: Row | undefined;
  user?: { id?: number } | undefined;
}

const refused = (reason: Said) => new TelephonyError('input', reason);

const noValue = (name: string) => refused(sentence('“{name}” has no value.', { name }));

const noColumn = (table: string, column: string) =>
  refused(sentence('“{table}” has no column “{column}”.', { table, column }));

const noPlainValue = (name: string) =>
  refused(sentence('“{name}” is not a text, a number, a date or a list of these.', { name }));

/** The reason in Saltcorn's error, without the lines before it. */
const reasonOf = (error: unknown): Said =>
  error instanceof TelephonyError && !error.message.includes('\n')
    ? error.said
    : `${(error as Error).message.split('\n').at(-1)?.replace(/\.$/, '')}.`;

const missing = '\0';
const foreign = '\0object';

// Saltcorn returns the value of a formula as JSON, which drops values that are undefined. This marks them.
const marked = (formula: string) => `JSON.stringify((${formula}
), (key, value) =>
  value === undefined || typeof value === 'function' || typeof value === 'symbol' || Object.is(value, NaN)
    ? ${JSON.stringify(missing)}
    : value)`;

const isObject = (value: unknown): value is object =>
  Object.prototype.toString.call(value) === '[object Object]';

/** Marks the objects in a row's value, such as a request's body: a filter would read them as operators. */
function withMarks(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMarks);
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, withMarks(one)]);
  const copy = Object.assign(
    Object.create(Object.getPrototypeOf(value)),
    Object.fromEntries(entries),
  );
  return Object.defineProperty(copy, 'toJSON', { value: () => foreign, enumerable: false });
}

/** Operators that every row matches if their operand is empty: a text to contain, and conditions that must all hold. */
const matchedByAll = new Set(['ilike', 'searchTerm', 'and']);

/** Evaluates a formula that is a filter, such as `{ status: "busy" }`. */
function writtenWhere(formula: string, { row = {}, user }: Scope): unknown {
  const [ownRow, ownUser] = [row, user].map(withMarks) as [Row, Scope['user']];
  const json = eval_expression(marked(formula), ownRow, ownUser, 'Only where');
  const isNullMeant = /\bnull\b/.test(formula);
  return JSON.parse(String(json), (key, value) => {
    if (value === foreign) throw noPlainValue(key);
    if (value === missing || (value === null && !isNullMeant)) throw noValue(key);
    if (matchedByAll.has(key) && String(value).trim() === '') throw noValue(key);
    return value;
  });
}

/** The names that are built into the formulas of lists. */
const known = new Set(['today', 'year', 'month', 'day', 'Date']);

const valueAt = (scope: unknown, path: string[]) =>
  path.reduce((value: unknown, name) => (value as Row | null | undefined)?.[name], scope);

/** Whether a row's value can be compared. A filter would read an object as an operator, such as `{ ilike: "%" }`. */
const isPlain = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.every((one) => !Array.isArray(one) && isPlain(one))
    : typeof value !== 'object' || value === null || isDateObject(value);

/** Checks that a name has a value. Saltcorn reads a name that is unknown or has no value as a column, or ignores it. */
function assertValue(name: string, { name: table, fields }: SaltcornTable, scope: Row) {
  const path = name.split('.');
  const [root = ''] = path;
  if (fields.some((field) => field.name === root)) return;
  if (root.startsWith('$')) {
    if (!scope[root.slice(1)]) throw noValue(name);
    if (!isPlain(valueAt(scope, [root.slice(1), ...path.slice(1)]))) throw noPlainValue(name);
  } else if (Object.hasOwn(scope, root)) {
    if ((valueAt(scope, path) ?? null) === null) throw noValue(name);
    if (!isPlain(valueAt(scope, path))) throw noPlainValue(name);
  } else if (!known.has(root)) throw noColumn(table, root);
}

const texts = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;
const now = /\bnew\s+Date\b(?:\s*\(\s*\))?(?!\s*[([.])/g;

// Rejects `new Date("2020-01-01")`, which Saltcorn reads as the current time, whatever its argument.
function assertNow(formula: string) {
  if (/\bnew\b/.test(formula.replaceAll(texts, '""').replaceAll(now, '')))
    throw refused(sentence('“new Date()” is the current time. Write a day as "2026-12-31".'));
}

/**
 * Converts a formula as in a list, such as `status === "busy"`, to a filter. `$name` is a value of the button's row.
 */
function comparedWhere(formula: string, table: SaltcornTable, { row, user }: Scope): unknown {
  assertNow(formula);
  const scope = { ...row, user, user_id: user?.id };
  for (const name of freeVariables(formula)) assertValue(name, table, scope);
  for (const { isKnown, table: other, column } of columnsBehind({ table }, formula))
    if (!isKnown) throw noColumn(other, column);
  return jsexprToWhere(formula, scope, table.fields);
}

// Checks that the formula is one whole expression. Saltcorn reads an expression from its start and ignores the rest.
// Only one whole expression is valid in both kinds of brackets.
function assertWhole(formula: string) {
  for (const bracketed of [`${formula}\n`, `[${formula}\n]`]) {
    const valid = expressionValidator(bracketed);
    const reason = `${valid}.`;
    if (valid !== true) throw refused(reason);
  }
}

function whereOf(formula: string, table: SaltcornTable, scope: Scope): unknown {
  assertWhole(formula);
  return formula.startsWith('{')
    ? writtenWhere(formula, scope)
    : comparedWhere(formula, table, scope);
}

const isFilter = (value: unknown): value is Where =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0;

/** Adds to an error which field it is about, and how a formula is written. */
function about<Value>(label: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw refused(
      sentence(
        '“{label}” is invalid, so nothing was done: {reason} Write it as in a list, such as {formula}, or as {filter}.',
        {
          ...{ label: { text: label }, reason: reasonOf(error) },
          ...{ formula: 'status === "busy"', filter: '{ status: "busy" }' },
        },
      ),
    );
  }
}

/** The check of a field with a formula when its form is saved. */
export const formulaOnSave = (label: string) =>
  onSave((typed) => about(label, () => assertWhole(String(typed).trim())));

/**
 * Converts a formula to a filter.
 *
 * @param formula as in a list of Saltcorn, or a filter such as `{ status: "busy" }`
 * @param label of the formula's field, for errors
 * @throws {TelephonyError} if it is invalid or uses something that has no value: that means neither all rows nor none
 */
export function readFormula(
  formula: string,
  table: SaltcornTable,
  columns: TableColumns,
  scope: Scope,
  label = 'Only where',
): { where: Where; condition: Condition } {
  return about(label, () => {
    const found = whereOf(formula, table, scope);
    const where = typeof found === 'function' ? { and: [found] } : found;
    if (!isFilter(where)) throw refused(sentence('It does not use a column.'));
    return { where, condition: parseWhere(where, columns) };
  });
}
