import {
  type ColumnType,
  columnTypes,
  type DataSource,
  type Field,
  fieldTypes,
  keyColumn,
  type RecordField,
  recordShape,
  tableFields,
} from '../../../src/builder.ts';
import { saltcornTypes } from '../saltcorn-types.ts';
import { audioType, pictureType } from '../view/column-types.ts';
import type { TableColumns } from '../where/where.ts';
import { columnFilter } from './chosen-columns.ts';
import { chosenKeys, keyType, type ProviderSettings, type TableKey } from './keys.ts';

/** A column of a provided table, in Saltcorn's format. */
export interface Column {
  name: string;
  label: string;
  description?: string | undefined;
  type: string;
  reftable_name?: string;
  refname?: string;
  reftype?: string;
  primary_key?: boolean;
  required?: boolean;
  attributes: Record<string, unknown>;
}

/** The column with the URL of a record's audio or picture, if its shape has one. */
export function mediaColumn(source: DataSource): Column[] {
  const media = recordShape(source.result.of).media;
  if (!media) return [];
  const type = media.kind === 'picture' ? pictureType : audioType;
  return [{ name: 'media', label: media.label, type, attributes: {} }];
}

function column(source: DataSource, field: RecordField | Field): Column {
  const { key, label, help, type, options } = field;
  const currency = 'currency' in field ? field.currency : undefined;
  return {
    name: key,
    label,
    description: help,
    type: saltcornTypes[fieldTypes[type].holds],
    attributes: {
      // Otherwise Saltcorn searches for parts of texts, which the service can't do.
      exact_search_only: true,
      ...(options && { options: options.join(',') }),
      ...(currency && { currency }),
    },
    ...(key === keyColumn(source) && { primary_key: true, required: true }),
  };
}

/**
 * Describes the columns of a data source's table for filters.
 *
 * @param source the data source
 * @param keys the keys of the table
 * @param configuration the table's provider settings
 */
export function filterColumns(
  source: DataSource,
  keys: TableKey[],
  configuration: ProviderSettings,
): TableColumns {
  const own = tableFields(source);
  const isColumn = columnFilter(source, configuration);
  // Users don't search for what they can't see.
  const isSearched = (field: RecordField | Field) =>
    isColumn(field.key) &&
    fieldTypes[field.type].holds === 'text' &&
    !('technical' in field && field.technical);
  return {
    types: new Map<string, ColumnType>([
      ...columnTypes(own),
      ...mediaColumn(source).map(({ name }) => [name, 'text'] as const),
      ...keys
        .filter(({ column, own }) => column !== own)
        .map(({ column }) => [column, 'key'] as const),
    ]),
    key: keyColumn(source),
    searched: own
      .filter(isSearched)
      .map(({ key }) => key)
      .sort(),
  };
}

/** Replaces a column by its key's column, or adds that after it. */
async function withKey(columns: Column[], key: TableKey): Promise<Column[]> {
  const type = await keyType(key);
  if (!type) return columns;
  const { summary, ...reference } = type;
  return columns.flatMap((column) => {
    if (column.name !== key.own) return [column];
    const replaces = key.column === key.own;
    const label = replaces ? column.label : `${column.label} (${key.table})`;
    const attributes = { summary_field: summary };
    const keyColumn = { ...column, ...reference, name: key.column, label, attributes };
    return replaces ? [keyColumn] : [column, keyColumn];
  });
}

/**
 * Returns the columns of a data source's table: its record's fields (all or the usual ones), additional filters, media,
 * and keys to other tables.
 *
 * @param source the data source
 * @param configuration the table's provider settings
 */
export async function tableColumns(
  source: DataSource,
  configuration: ProviderSettings,
): Promise<Column[]> {
  const isColumn = columnFilter(source, configuration);
  let columns = [
    ...tableFields(source).map((field) => column(source, field)),
    ...mediaColumn(source),
  ].filter(({ name }) => isColumn(name));
  for (const key of chosenKeys(source, configuration)) columns = await withKey(columns, key);
  return columns;
}
