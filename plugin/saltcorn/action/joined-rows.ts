import { freeVariables } from '@saltcorn/data/models/expression';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import { type Field, isGiven, oncePer } from '../../../src/builder.ts';
import { type Reader, readerOf } from '../data-source/row-rights.ts';
import type { Row } from '../where/where.ts';
import { tableOfStep } from './one-step.ts';
import {
  isStep,
  isTable,
  type JoinedRow,
  type JoinedRows,
  mayBeSpread,
  type RunArguments,
} from './run-arguments.ts';
import { requestOf } from './visitor.ts';

/** The formulas in a field of an action. */
export const placeholders = /\{\{[!=]?([\s\S]+?)\}\}/g;

/** A column that refers to a row, and what of that row is used. */
type Path = [column: string, name: string, ...further: string[]];

/** The names with dots in a formula, such as `patient.phone`. */
const pathsIn = oncePer((formula: string): Path[] => {
  try {
    const names = [...freeVariables(formula)].map((name) => name.split('.'));
    return names.filter((path): path is Path => path.length > 1);
  } catch {
    return []; // Filling in the field says what is wrong.
  }
});

const pathsOf = (templates: unknown[]): Path[] =>
  templates.flatMap((template) =>
    [...String(template ?? '').matchAll(placeholders)].flatMap(([, code = '']) => pathsIn(code)),
  );

const hasColumn = ({ fields }: SaltcornTable, column: string) =>
  fields.some(({ name }) => name === column);

/** The table that a column refers to. */
function tableBehind({ fields }: SaltcornTable, column: string): SaltcornTable | undefined {
  const name = fields.find((field) => field.name === column)?.reftable_name;
  return (name && Table.findOne({ name })) || undefined;
}

/** How many rows one query reads. */
const rowsPerQuery = 1_000;

async function rowsWith(table: SaltcornTable, keys: unknown[], reader: Reader): Promise<Row[]> {
  const found: Row[] = [];
  for (let start = 0; start < keys.length; start += rowsPerQuery) {
    const some = keys.slice(start, start + rowsPerQuery);
    found.push(...(await table.getRows({ [table.pk_name]: { in: some } }, reader)));
  }
  return found;
}

/** Whether a value refers to a row. In a workflow, an earlier step can have put a whole row there. */
const isKey = (value: unknown) => typeof value === 'string' || typeof value === 'number';

async function joined(
  table: SaltcornTable,
  rows: Row[],
  paths: Path[],
  reader: Reader,
): Promise<JoinedRows[]> {
  const all = rows.map((): JoinedRows => ({}));
  for (const column of new Set(paths.map(([name]) => name))) {
    const other = tableBehind(table, column);
    if (!other) continue;
    const below = paths.flatMap(([name, ...rest]) => (name === column ? [rest] : []));
    const names = [...new Set(below.map(([name = '']) => name))];
    const columns = names.filter((name) => hasColumn(other, name));
    const keys = [...new Set(rows.map((row) => row[column]).filter(isKey))];
    const others = await rowsWith(other, keys, reader);
    const further = below.filter((path): path is Path => path.length > 1);
    const rowsBelow = await joined(other, others, further, reader);
    const byKey = new Map(
      others.map((row, index): [string, JoinedRow] => {
        const used = Object.fromEntries(columns.map((name) => [name, row[name]]));
        const key = row[other.pk_name];
        return [String(key), { key, columns: used, rows: rowsBelow[index] ?? {} }];
      }),
    );
    for (const [index, row] of rows.entries()) {
      if (!isKey(row[column])) continue;
      const found = byKey.get(String(row[column])) ?? null;
      Object.assign(all[index] ?? {}, { [column]: found });
    }
  }
  return all;
}

const pathsInFields = (fields: readonly Field[], { configuration = {} }: RunArguments): Path[] =>
  pathsOf(fields.map(({ key }) => configuration[key]));

/**
 * Reads the rows of other tables that the fields of an action use, such as `{{ patient.phone }}`, for each of some rows. A user's button
 * reads those that its user may read; a trigger or a workflow reads all.
 */
export const joinedRows = (
  fields: readonly Field[],
  table: SaltcornTable,
  rows: Row[],
  run: RunArguments,
): Promise<JoinedRows[]> =>
  joined(
    table,
    rows,
    pathsInFields(fields, run),
    mayBeSpread(run) || isStep(run) ? {} : readerOf(requestOf(run)),
  );

/** Adds the rows of other tables that the fields of an action use. A column of the row can't replace them. */
export async function withJoinedRows(
  { fields }: { fields: readonly Field[] },
  run: RunArguments,
): Promise<RunArguments> {
  const { row } = run;
  if (!row || pathsInFields(fields, run).length === 0) return { ...run, joined: undefined };
  // Saltcorn doesn't pass the table to a workflow's step.
  const table = isStep(run) && !isTable(run.table) ? await tableOfStep(run) : run.table;
  if (!isTable(table)) return { ...run, joined: undefined };
  const [rows] = await joinedRows(fields, table, [row], run);
  return { ...run, table, joined: rows };
}

/** A row of another table as formulas see it: an object with its columns; as a text, its key. */
const asValue = (joinedRow: JoinedRow | null, prepare: (row: Row) => Row): object | null => {
  if (!joinedRow) return null;
  const { key, columns, rows } = joinedRow;
  return Object.assign(
    Object.create({ toString: () => String(key) }),
    prepare(columns),
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, asValue(row, prepare)])),
  );
};

/**
 * Returns the values that a field of an action can insert. A key is an object only in fields that use columns behind it.
 *
 * @param prepare changes the values of a row
 */
export function insertable(
  template: string,
  { row = {}, joined: rows = {} }: RunArguments,
  prepare: (row: Row) => Row,
): Row {
  const used = new Set(pathsOf([template]).map(([column]) => column));
  const others = Object.entries(rows).filter(([column]) => used.has(column));
  return {
    ...prepare(row),
    ...Object.fromEntries(others.map(([column, one]) => [column, asValue(one, prepare)])),
  };
}

/** A column that a formula uses of another table. */
interface ColumnBehind {
  /** The column that refers to the row, such as `patient.doctor`. */
  key: string;
  table: string;
  column: string;
  /** What the formula uses behind the key: the column, and what is behind that. */
  rest: string;
  isKnown: boolean;
  /** Whether the key is empty. */
  isEmpty: boolean;
  /** Whether there is no such row, or it may not be read. */
  isGone: boolean;
}

/** Returns the columns that a formula uses of the tables that a row refers to. */
export function columnsBehind(run: RunArguments, formula: string): ColumnBehind[] {
  return pathsIn(formula).flatMap((path) => {
    const found: ColumnBehind[] = [];
    let [table, row, rows] = [isTable(run.table) ? run.table : undefined, run.row, run.joined];
    for (const [index, name] of path.entries()) {
      const other = table && tableBehind(table, name);
      const column = path[index + 1];
      const value = row?.[name];
      if (!other || column === undefined || (isGiven(value) && !isKey(value))) break;
      found.push({
        ...{ key: path.slice(0, index + 1).join('.'), table: other.name, column },
        rest: path.slice(index + 1).join('.'),
        isKnown: hasColumn(other, column),
        isEmpty: row !== undefined && !isGiven(value),
        isGone: rows?.[name] === null,
      });
      [table, row, rows] = [other, rows?.[name]?.columns, rows?.[name]?.rows];
    }
    return found;
  });
}
