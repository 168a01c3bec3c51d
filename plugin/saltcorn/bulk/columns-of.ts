import type { SaltcornField, SaltcornTable } from '@saltcorn/data/models/table';
import type { ColumnType } from '../../../src/builder.ts';
import type { TableColumns } from '../where/where.ts';

const types: [sql: RegExp, type: ColumnType][] = [
  [/int|serial/i, 'integer'],
  [/double|real|float|decimal|numeric|money/i, 'number'],
  [/timestamp|date/i, 'date'],
];

/** The type of a column. */
export function typeOf({ type }: SaltcornField): ColumnType {
  if (typeof type === 'string') return type.startsWith('Key') ? 'key' : 'text';
  const sql = typeof type.sql_name === 'string' ? type.sql_name : type.name;
  return types.find(([pattern]) => pattern.test(sql))?.[1] ?? 'text';
}

/** Describes the columns of a Saltcorn table for filters. */
export const columnsOf = ({ fields, pk_name }: SaltcornTable): TableColumns => ({
  types: new Map(fields.map((field) => [field.name, typeOf(field)])),
  key: pk_name,
  searched: fields.map(({ name }) => name),
});
