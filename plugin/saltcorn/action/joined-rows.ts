import { freeVariables } from '@saltcorn/data/models/expression';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import { isGiven, oncePer } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';
import { isTable, type JoinedRow, type JoinedRows, type RunArguments } from './run-arguments.ts';

/** The formulas in a field of an action. */
export const placeholders = /\{\{[!=]?([\s\S]+?)\}\}/g;

/** A column that refers to a row, and what of that row is used. */
type Path = [column: string, name: string, ...further: string[]];

/** The names with dots in a formula, such as `patient.phone`. */
const pathsIn = oncePer((formula: string): Path[] => {
  try {
    const names = [...freeVariables(formula)].map((name) => name.replace(/^row\./, '').split('.'));
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

async function rowsWith(table: SaltcornTable, keys: unknown[]): Promise<Row[]> {
  const found: Row[] = [];
  for (let start = 0; start < keys.length; start += rowsPerQuery) {
    const some = keys.slice(start, start + rowsPerQuery);
    // As in Saltcorn's tables, a joined value needs no right to its row.
    found.push(...(await table.getRows({ [table.pk_name]: { in: some } })));
  }
  return found;
}

async function joined(table: SaltcornTable, rows: Row[], paths: Path[]): Promise<JoinedRows[]> {
  const all = rows.map((): JoinedRows => ({}));
  for (const column of new Set(paths.map(([name]) => name))) {
    const other = tableBehind(table, column);
    if (!other) continue;
    const below = paths.flatMap(([name, ...rest]) => (name === column ? [rest] : []));
    const columns = [...new Set(below.map(([name = '']) => name))];
    const keys = [...new Set(rows.map((row) => row[column]).filter(isGiven))];
    const others = await rowsWith(other, keys);
    const further = below.filter((path): path is Path => path.length > 1);
    const rowsBelow = await joined(other, others, further);
    const byKey = new Map(
      others.map((row, index): [string, JoinedRow] => {
        const used = Object.fromEntries(columns.map((name) => [name, row[name]]));
        const key = row[other.pk_name];
        return [String(key), { key, columns: used, rows: rowsBelow[index] ?? {} }];
      }),
    );
    for (const [index, row] of rows.entries()) {
      const found = byKey.get(String(row[column]));
      if (found) Object.assign(all[index] ?? {}, { [column]: found });
    }
  }
  return all;
}

/** Reads the rows of other tables that the fields of an action use, such as `{{ patient.phone }}`, for each of some rows. */
export const joinedRows = (
  table: SaltcornTable,
  rows: Row[],
  configuration: Row = {},
): Promise<JoinedRows[]> => joined(table, rows, pathsOf(Object.values(configuration)));

/** Adds the rows of other tables that the fields of an action use. A column of the row can't replace them. */
export async function withJoinedRows(run: RunArguments): Promise<RunArguments> {
  const { table, row, configuration } = run;
  const [rows] = isTable(table) && row ? await joinedRows(table, [row], configuration) : [];
  return { ...run, joined: rows };
}

/** A row of another table as formulas see it: an object with its columns; as a text, its key. */
const asValue = ({ key, columns, rows }: JoinedRow, prepare: (row: Row) => Row): object =>
  Object.assign(
    Object.create({ toString: () => String(key) }),
    prepare(columns),
    Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, asValue(row, prepare)])),
  );

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
  isKnown: boolean;
  /** Whether it refers to no row. */
  isEmpty: boolean;
}

/** Returns the columns that a formula uses of the tables that a row refers to. */
export function columnsBehind(run: RunArguments, formula: string): ColumnBehind[] {
  return pathsIn(formula).flatMap((path) => {
    const found: ColumnBehind[] = [];
    let [table, row, rows] = [isTable(run.table) ? run.table : undefined, run.row, run.joined];
    for (const [index, key] of path.entries()) {
      const other = table && tableBehind(table, key);
      const column = path[index + 1];
      if (!other || column === undefined) break;
      const isKnown = hasColumn(other, column);
      const isEmpty = !isGiven(row?.[key]);
      const at = path.slice(0, index + 1).join('.');
      found.push({ key: at, table: other.name, column, isKnown, isEmpty });
      [table, row, rows] = [other, rows?.[key]?.columns, rows?.[key]?.rows];
    }
    return found;
  });
}
