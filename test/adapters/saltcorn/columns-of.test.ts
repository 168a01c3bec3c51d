import type { SaltcornField, SaltcornTable } from '@saltcorn/data/models/table';
import { columnsOf } from '../../../plugin/saltcorn/bulk/columns-of.ts';
import type { ColumnType } from '../../../src/builder.ts';

const types: [type: SaltcornField['type'], holds: ColumnType][] = [
  ['Key to People', 'key'],
  ['File', 'text'],
  [{ name: 'String', sql_name: 'text' }, 'text'],
  [{ name: 'Bool', sql_name: 'boolean' }, 'text'],
  [{ name: 'Integer', sql_name: 'int' }, 'integer'],
  [{ name: 'Float', sql_name: 'double precision' }, 'number'],
  [{ name: 'Money', sql_name: 'decimal(10,2)' }, 'number'],
  [{ name: 'Date', sql_name: 'timestamptz' }, 'date'],
  [{ name: 'Day', sql_name: 'date' }, 'date'],
  // Some types come from the attributes of a column.
  [{ name: 'Date', sql_name: () => 'text' }, 'date'],
  [{ name: 'Integer', sql_name: 'text' }, 'text'],
];

test('a filter knows the column types of any Saltcorn table', () => {
  const fields = types.map(([type], index) => ({ name: `c${index}`, label: 'C', type }));
  // The parts of a table that it uses.
  const table = { fields, pk_name: 'c0' } as SaltcornTable;
  const names = fields.map(({ name }) => name);
  expect(columnsOf(table)).toStrictEqual({
    ...{ key: 'c0', searched: names },
    types: new Map(types.map(([, holds], index) => [`c${index}`, holds])),
  });
});
