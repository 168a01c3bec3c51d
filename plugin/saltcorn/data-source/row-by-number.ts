import Table from '@saltcorn/data/models/table';
import type { CleanPhone } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';
import { withKeys } from './key-values.ts';
import { numberKey, textColumns } from './keys.ts';

/**
 * Finds the row of a table that has a phone number, however the number is written there. Of several rows, the first one counts.
 *
 * @param column the table and its column of phone numbers, such as `Customers.phone`
 * @param number the phone number
 * @param clean normalises phone numbers
 * @returns null if there is no such row, column or table
 */
export async function rowByNumber(
  column: string,
  number: unknown,
  clean: CleanPhone,
): Promise<Row | null> {
  const key = numberKey('number', column);
  const table = Table.findOne({ name: key.table });
  if (!table || !textColumns(table).includes(column)) return null;
  const wanted = clean(String(number ?? '').trim()) || null;
  const [found] = await withKeys([key], [{ number: wanted }], clean);
  const value = found?.[key.column] ?? null;
  return value === null ? null : table.getRow({ [table.pk_name]: value });
}
