import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import {
  matcher,
  maxBatchRows,
  sentence,
  sentences,
  TelephonyError,
} from '../../../src/builder.ts';
import type { SaltcornRequest } from '../action/visitor.ts';
import { readerOf } from '../data-source/row-rights.ts';
import { withoutSubSelects } from '../where/sub-select.ts';
import type { Row, Where } from '../where/where.ts';
import { columnsOf } from './columns-of.ts';
import { readFormula, type Scope } from './formula.ts';
import { assertNoteColumns } from './row-notes.ts';
import type { RowsChoice } from './rows-fields.ts';
import { type Page, shownRows } from './shown-rows.ts';

/** More rows than any table that people look at has. */
const all = 1_000_000;

/** What selects the rows: a user, possibly among the rows of a page, or a trigger without a user. */
export interface Chooser extends Scope {
  request?: SaltcornRequest | undefined;
  page?: Page | undefined;
}

const isEmpty = (where: Where) => Object.keys(where).length === 0;

/**
 * Returns the table of this name.
 *
 * @throws {TelephonyError} if there is none
 */
export function tableOf(name: string): SaltcornTable {
  if (!name)
    throw new TelephonyError(
      'input',
      sentence('“{label}” is empty. Choose a table.', { label: { text: 'Rows of' } }),
    );
  const table = Table.findOne({ name });
  if (!table) throw new TelephonyError('input', sentence('There is no table “{name}”.', { name }));
  return table;
}

const readRows = (table: SaltcornTable, wheres: Where[], options: object) => {
  const [where = {}, ...others] = wheres.filter((one) => !isEmpty(one));
  return table.getRows(others.length > 0 ? { and: [where, ...others] } : where, options);
};

/** How many rows one query reads. More at a time would hold up other requests. */
const rowsPerQuery = 1_000;

/** Reads the rows of one of Saltcorn's own tables that fit, at most one more than `most`. */
async function ownRows(
  table: SaltcornTable,
  where: Where,
  reader: object,
  fits: (row: Row) => boolean,
  most: number,
): Promise<Row[]> {
  // Counts rows of other owners, too, which a page then lacks: a short page isn't the last one.
  const count = await table.countRows(where);
  const found: Row[] = [];
  for (let offset = 0; offset < count && found.length <= most; offset += rowsPerQuery) {
    const page = { orderBy: table.pk_name, limit: rowsPerQuery, offset };
    found.push(...(await readRows(table, [where], { ...reader, ...page })).filter(fits));
  }
  return found.slice(0, most + 1);
}

async function fittingRows(
  { formula, limit }: RowsChoice,
  table: SaltcornTable,
  { request, page, ...scope }: Chooser,
): Promise<Row[]> {
  const columns = columnsOf(table);
  const read = formula ? readFormula(formula, table, columns, scope) : undefined;
  const seen = page ? await shownRows(table, page, read ? all : limit + 1) : { where: {} };
  const reader = readerOf(request);
  // A table of the service applies the filter itself, and requests no more than needed.
  if (table.provider_name && 'where' in seen)
    return readRows(table, [seen.where, read?.where ?? {}], { limit: limit + 1, ...reader });
  const condition = read && (await withoutSubSelects(read.condition, columns));
  const fits = condition ? matcher(condition, columns) : () => true;
  if ('rows' in seen) return seen.rows.filter(fits);
  return ownRows(table, seen.where, reader, fits, read ? all : limit);
}

/** Without a formula, one row more than allowed is read, so the number of rows isn't known. */
const tooMany = (count: number, limit: number, table: string) => {
  const values = { count, limit, table, label: { text: 'Maximum rows' } };
  return count > limit + 1
    ? sentence(
        '{count} rows of “{table}” match, but “{label}” is {limit}, so nothing was sent.',
        values,
      )
    : sentence(
        'More than {limit} rows of “{table}” match, but “{label}” is {limit}, so nothing was sent.',
        values,
      );
};

/**
 * Reads the rows for a batch that the user may read: all of them or none. Only a filter that the plugin fully
 * understands selects rows.
 *
 * @throws {TelephonyError} if the rows can't be determined, or more match than allowed
 */
export async function chosenRows(
  choice: RowsChoice,
  chooser: Chooser,
): Promise<{ table: SaltcornTable; rows: Row[] }> {
  const table = tableOf(choice.table);
  if (choice.notes) assertNoteColumns(table, choice.notes);
  const rows = await fittingRows(choice, table, chooser);
  if (rows.length > choice.limit) {
    const advice =
      choice.limit < maxBatchRows
        ? sentence("Filter them, or raise it in the action's settings, up to {most}.", {
            most: maxBatchRows,
          })
        : sentence('Filter them.');
    const said = sentences(tooMany(rows.length, choice.limit, table.name), advice);
    throw new TelephonyError('input', said);
  }
  return { table, rows };
}
