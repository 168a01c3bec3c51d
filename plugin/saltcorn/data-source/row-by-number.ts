import db from '@saltcorn/data/db';
import Crash from '@saltcorn/data/models/crash';
import Table from '@saltcorn/data/models/table';
import { type CleanPhone, oncePer, sentence, TelephonyError } from '../../../src/builder.ts';
import type { Row } from '../where/where.ts';
import { rowsWithNumber } from './key-values.ts';
import { numberKey, textColumns } from './keys.ts';

/** The names of the functions in formulas. */
export type NumberFunction = 'rowByNumber' | 'rowsByNumber';

/**
 * Finds the rows of a table that have a phone number, however the number is written there.
 *
 * @param name the function in the formula
 * @param column the table and its column of phone numbers, such as `Customers.phone`
 * @param number the phone number
 * @param clean normalises phone numbers
 * @throws {TelephonyError} if there is no such column or table
 */
export async function rowsByNumber(
  name: NumberFunction,
  column: string,
  number: unknown,
  clean: CleanPhone,
): Promise<Row[]> {
  const key = numberKey('number', column);
  const table = Table.findOne({ name: key.table });
  if (!table || !textColumns(table).includes(column))
    throw new TelephonyError(
      'input',
      sentence('{name}: there is no String column “{column}”. Write it like {example}.', {
        ...{ name, column, example: '"Customers.phone"' },
      }),
    );
  const wanted = clean(String(number ?? '').trim());
  return wanted ? rowsWithNumber(key, wanted, clean) : [];
}

// A list may evaluate the same formula again and again.
const logOnce = oncePer((_inTenant: string, text: string) => {
  void Crash.create(new Error(text), { url: 'formula', headers: {} }).catch(() => {});
  return true;
});

/**
 * Finds the row of a table that has a phone number. Of several rows, it is the first one, and Saltcorn's crash log says so.
 *
 * @throws {TelephonyError} if there is no such column or table
 */
export async function rowByNumber(
  column: string,
  number: unknown,
  clean: CleanPhone,
): Promise<Row | null> {
  const [first, ...others] = await rowsByNumber('rowByNumber', column, number, clean);
  if (others.length > 0) {
    const { table } = numberKey('number', column);
    const text = `${others.length + 1} rows of “${table}” have the number ${number}, and rowByNumber gave the first. For all of them, use rowsByNumber.`;
    logOnce(`${db.getTenantSchema()} ${text}`, text);
  }
  return first ?? null;
}
