import { createNative } from '../../app.ts';
import type { Loose } from '../../host.ts';

const byHand = (number: string) => number.replace(/^(\+1)(\d{3})(\d{3})(\d{4})$/, '$1 ($2) $3-$4');

const customers = [
  { name: 'Nobody', phone: null, team: 1 },
  { name: 'ada', phone: byHand('+12025550143'), team: 1 },
  { name: 'grace', phone: '+14155550100', team: 2 },
  { name: 'linus', phone: '+19998887777', team: null },
];

/** Native tables that refer to calls: customers by number, in teams, and notes by SID, about topics. */
export async function createOwnTables(sids: string[]) {
  const text = 'String';
  await createNative('Teams', { label: text }, [{ label: 'north' }, { label: 'south' }]);
  await createNative('Customers', { name: text, phone: text, team: 'Key to Teams' }, customers);
  await createNative('Topics', { label: text }, [{ label: 'complaint' }, { label: 'praise' }]);
  const [first, second, third] = sids;
  const columns = { call: text, text, stars: 'Integer', topic: 'Key to Topics' };
  await createNative('Notes', columns, [
    { call: first, text: 'rude', stars: 1, topic: 1 },
    { call: first, text: 'sorry', stars: 4, topic: 2 },
    { call: second, text: 'rude', stars: null, topic: null },
    { call: third, text: null, stars: 5, topic: 2 },
    { call: null, text: 'sorry', stars: 2, topic: 1 },
  ]);
}

const keyOf = (number: unknown) => {
  const index = customers.findIndex(({ phone }) => phone?.replace(/[ ()-]/g, '') === number);
  return index < 0 ? null : index + 1;
};

/**
 * Creates a database table with the columns and rows of a provided one.
 *
 * @param name the name of the new table
 * @param table the provided table
 * @param furtherColumns additional columns, by name: their type, and their value in a row
 */
export async function createTwin(
  name: string,
  table: Loose,
  furtherColumns: Record<string, [type: string, value: (row: Loose) => unknown]> = {},
) {
  const columns = table.fields
    .filter((field: Loose) => field.name !== 'media')
    .map((field: Loose): [string, string] => [
      field.name,
      field.reftable_name === 'Customers' ? 'Key to Customers' : (field.type.name ?? 'String'),
    ]);
  const further = Object.entries(furtherColumns);
  const names = new Set(columns.map(([column]: string[]) => column));
  const rows: Loose[] = await table.getRows({});
  const own = rows.map((row) => ({
    ...Object.fromEntries(Object.entries(row).filter(([column]) => names.has(column))),
    ...('fromRow' in row && { fromRow: keyOf(row.from) }),
    ...Object.fromEntries(further.map(([column, [, value]]) => [column, value(row)])),
  }));
  const types = further.map(([column, [type]]) => [column, type]);
  return createNative(name, Object.fromEntries([...columns, ...types]), own);
}
