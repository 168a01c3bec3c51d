import db from '@saltcorn/data/db';
import Table, { type SaltcornTable } from '@saltcorn/data/models/table';
import {
  type DataSource,
  type Field,
  filterOnlyFields,
  keyColumn,
  type RecordField,
  recordFields,
  recordShape,
} from '../../../src/builder.ts';
import type { FormField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';
import { dataSourceOf } from './provider-name.ts';

/** A column whose values are rows of another table. */
export interface TableKey {
  /** The column. */
  column: string;
  /** The column with the value by which the row is found. */
  own: string;
  table: string;
  /** The column of the other table that holds the same value. */
  other: string;
}

/** What is chosen in the provider settings of a table. */
export type ProviderSettings = Record<string, unknown>;
type OwnField = RecordField | Field;

// No key of a field has an underscore.
const settingOf = ({ key }: OwnField) => `key_${key}`;

const ownFields = (source: DataSource): OwnField[] => [
  ...recordFields(source),
  ...filterOnlyFields(source),
];

/** Sids that identify a record of another table, and numbers that may be in one. */
const keyFields = (source: DataSource) =>
  ownFields(source).filter((field) => field.type === 'phone' || referenceOf(field));

const referenceOf = (field: OwnField) => ('refersTo' in field ? field.refersTo : undefined);

const isShown = (shape: string, { provider_name }: SaltcornTable) =>
  dataSourceOf(provider_name)?.result.of === shape;

const textColumns = ({ name, provider_name, external, fields }: SaltcornTable) =>
  provider_name || external
    ? []
    : fields
        .filter(
          ({ type, calculated }) =>
            typeof type === 'object' && type.name === 'String' && !calculated,
        )
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

/** What a table's provider settings ask about its keys. */
export async function keyFormFields(source: DataSource): Promise<FormField[]> {
  const tables = await Table.find({}, { cached: true });
  return keyFields(source).map((field) => keyFormField(field, tables));
}

function keyOf(field: OwnField, chosen: string): TableKey {
  const dot = chosen.lastIndexOf('.');
  const shape = referenceOf(field);
  return shape
    ? { column: field.key, own: field.key, table: chosen, other: recordShape(shape).key }
    : {
        column: `${field.key}Row`,
        own: field.key,
        table: chosen.slice(0, dot),
        other: chosen.slice(dot + 1),
      };
}

/**
 * The keys that are chosen in a table's provider settings.
 *
 * @param source the data source of the table
 * @param chosenSettings the table's provider settings
 */
export const chosenKeys = (source: DataSource, chosenSettings: ProviderSettings): TableKey[] =>
  keyFields(source).flatMap((field) => {
    const chosen = chosenSettings[settingOf(field)];
    return typeof chosen === 'string' && chosen !== '' ? [keyOf(field, chosen)] : [];
  });

/** How Saltcorn describes a key's column besides its name and label. */
export interface KeyType {
  type: 'Key';
  reftable_name: string;
  refname: string;
  reftype: string;
  summary: string;
}

const columnsOf = async (table: { id: number }) =>
  (await db.select('_sc_fields', { table_id: table.id }, { orderBy: 'id' })) as {
    name: string;
    type: string;
    primary_key: boolean | number;
  }[];

/**
 * The type of a key's column; undefined when there is no such table any more, or no such column in it. Asks the
 * database, since Saltcorn's own list of tables is still being made when it asks for the columns of one.
 */
export async function keyType({ table, other }: TableKey): Promise<KeyType | undefined> {
  const found = await db.selectMaybeOne('_sc_tables', { name: table });
  if (!found) return undefined;
  const source = dataSourceOf(found.provider_name as string);
  if (source) {
    const key = keyColumn(source);
    return { type: 'Key', reftable_name: table, refname: key, reftype: 'String', summary: key };
  }
  const columns = await columnsOf(found as { id: number });
  if (!columns.some(({ name }) => name === other)) return undefined;
  const primary = columns.find(({ primary_key }) => primary_key);
  const text = columns.find(({ name, type }) => type === 'String' && name !== other);
  return {
    type: 'Key',
    reftable_name: table,
    refname: primary?.name ?? 'id',
    reftype: primary?.type ?? 'Integer',
    summary: text?.name ?? other,
  };
}
