import { text_attr } from '@saltcorn/markup/tags';
import { sorted, tableFields } from '../../../src/builder.ts';
import type { Where } from '../where/where.ts';
import { readRows, type SourceTable } from './read-rows.ts';
import type { Reader } from './row-rights.ts';

/**
 * Returns the values of a column to choose from: those in the definition, without a request, or else those of the
 * newest rows.
 *
 * @param table the table
 * @param column the name of the column
 * @param where Saltcorn's filter of the rows
 * @param reader who reads them
 */
export async function distinctValues(
  table: SourceTable,
  column: string,
  where: Where,
  reader: Reader,
): Promise<unknown[]> {
  const options = tableFields(table.source).find(({ key }) => key === column)?.options;
  if (options) return [...options];
  const rows = sorted(await readRows(table, where, reader), [{ column }]);
  // Saltcorn writes these values into the page as HTML.
  return [...new Set(rows.map((row) => row[column]))]
    .filter((value) => value !== null && value !== undefined && value !== '')
    .map((value) => (typeof value === 'string' ? text_attr(value) : value));
}
