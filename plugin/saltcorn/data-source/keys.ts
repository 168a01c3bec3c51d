import db from '@saltcorn/data/db';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import {
  type DataSource,
  type Field,
  keyColumn,
  type RecordField,
  recordShape,
  tableFields,
} from '../../../src/builder.ts';
import type { FormField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';
import { dataSourceOf } from './provider-name.ts';

/** A column that refers to rows of another table. */
export interface TableKey {
  /** The name of the column. */
  column: string;
  /** The column with the value that finds the row. */
  own: string;
  table: string;
  /** The column of the other table that holds this value. */
  other: string;
}

/** The provider settings of a table. */
export type ProviderSettings = Record<string, unknown>;
type OwnField = RecordField | Field;

// Field keys contain no underscore.
const settingOf = ({ key }: OwnField) => `key_${key}`;

/** SIDs that identify a record of another table, and phone numbers that another table may contain. */
const keyFields = (source: DataSource) =>
  tableFields(source).filter((field) => field.type === 'phone' || referenceOf(field));

const referenceOf = (field: OwnField) => ('refersTo' in field ? field.refersTo : undefined);

const isShown = (shape: string, { provider_name }: SaltcornTable) =>
  dataSourceOf(provider_name)?.result.of === shape;

/** A table's columns that can hold phone numbers, such as `Customers.phone`. */
export const textColumns = ({ name, provider_name, external, fields }: SaltcornTable) =>
  provider_name || external
    ? []
    : fields
        .filter(({ type }) => typeof type === 'object' && type.name === 'String')
        .map((field) => `${name}.${field.name}`);

function choices(field: OwnField, tables: SaltcornTable[]): string[] {
  const shape = referenceOf(field);
  return shape
    ? tables.filter((table) => isShown(shape, table)).map(({ name }) => name)
    : tables.flatMap(textColumns);
}

function keyFormField(field: OwnField, tables: SaltcornTable[]): FormField {
  const names = choices(field, tables);
  const isReference = referenceOf(field) !== undefined;
  const label = translated(field.label);
  return {
    name: settingOf(field),
    label: translated('Match {{label}} with', { label }),
    sublabel: isReference
      ? translated('The table of these records. Views can then join its columns.')
      : translated(
          'A column of phone numbers in one of your tables. Views can then join the row with the same number, such as a customer.',
        ),
    input_type: 'select',
    options: ['', ...names].map((value) => ({ value, label: value })),
    required: false,
    attributes: {},
    tab: translated('Link tables'),
  };
}

/** The fields for keys in a table's provider settings. */
export async function keyFormFields(source: DataSource): Promise<FormField[]> {
  const tables = await Table.find({}, { cached: true });
  return keyFields(source).map((field) => keyFormField(field, tables));
}

/**
 * A key to the row of another table that has the same phone number.
 *
 * @param own the column with the number
 * @param chosen the table and the column there, such as `Customers.phone`
 */
export function numberKey(own: string, chosen: string): TableKey {
  const dot = chosen.lastIndexOf('.');
  const [table, other] = [chosen.slice(0, dot), chosen.slice(dot + 1)];
  return { column: `${own}Row`, own, table, other };
}

function keyOf(field: OwnField, chosen: string): TableKey {
  const shape = referenceOf(field);
  return shape
    ? { column: field.key, own: field.key, table: chosen, other: recordShape(shape).key }
    : numberKey(field.key, chosen);
}

/**
 * The keys configured in a table's provider settings.
 *
 * @param source the data source of the table
 * @param chosenSettings the table's provider settings
 */
export const chosenKeys = (source: DataSource, chosenSettings: ProviderSettings): TableKey[] =>
  keyFields(source).flatMap((field) => {
    const chosen = chosenSettings[settingOf(field)];
    return typeof chosen === 'string' && chosen !== '' ? [keyOf(field, chosen)] : [];
  });

/** How Saltcorn describes a key column, besides its name and label. */
export interface KeyType {
  type: 'Key';
  reftable_name: string;
  refname: string;
  reftype: string;
  /** The column that a new view shows of the other row. */
  summary: string;
}

const columnsOf = async (table: { id: number }) =>
  (await db.select('_sc_fields', { table_id: table.id }, { orderBy: 'id' })) as {
    name: string;
    type: string;
    primary_key: boolean | number;
  }[];

/**
 * The type of a key column; undefined if its table no longer exists. If only the column there was deleted, views still join it. Queries the
 * database, because Saltcorn's own list of tables is still incomplete when it requests a table's columns.
 */
export async function keyType({ table, other }: TableKey): Promise<KeyType | undefined> {
  const found = await db.selectMaybeOne('_sc_tables', { name: table });
  if (!found) return undefined;
  const source = dataSourceOf(found.provider_name as string);
  if (source) {
    const key = keyColumn(source);
    const number = recordShape(source.result.of).fields.find(({ type }) => type === 'phone');
    return {
      ...{ type: 'Key', reftable_name: table, refname: key, reftype: 'String' },
      // People know a call by its caller, not by its SID.
      summary: number?.key ?? key,
    };
  }
  const columns = await columnsOf(found as { id: number });
  const primary = columns.find(({ primary_key }) => primary_key);
  const text = columns.find(({ name, type }) => type === 'String' && name !== other);
  return {
    type: 'Key',
    reftable_name: table,
    refname: primary?.name ?? 'id',
    reftype: primary?.type ?? 'Integer',
    summary:
      text?.name ?? (columns.some(({ name }) => name === other) ? other : (primary?.name ?? 'id')),
  };
}
