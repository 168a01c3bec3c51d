import { type DataSource, definitions, type Field, type RecordField } from '../../src/index.ts';

/** A column of a provided table, as Saltcorn takes it. */
export interface Column {
  name: string;
  label: string;
  description?: string | undefined;
  type: string;
  primary_key?: boolean;
  required?: boolean;
  attributes: Record<string, unknown>;
}

const types: Record<(RecordField | Field)['type'], string> = {
  sid: 'String',
  phone: 'String',
  text: 'String',
  choice: 'String',
  integer: 'Integer',
  number: 'Float',
  date: 'Date',
};

const recordShape = ({ result }: DataSource) =>
  definitions.records.find((record) => record.id === result.of);

/** The fields of the records that a data source lists. */
export const recordFields = (source: DataSource): RecordField[] =>
  recordShape(source)?.fields ?? [];

/** The column with the address of a record's sound, where its shape has one. */
export function mediaColumn(source: DataSource): Column[] {
  const media = recordShape(source)?.media;
  return media ? [{ name: 'media', label: media.label, type: 'String', attributes: {} }] : [];
}

/** The column that an input of a data source filters by. */
export const columnOf = (field: Field) => field.column ?? field.key;

/** The columns that have to be filtered by, or the table shows no row. */
export const requiredColumns = ({ fields }: DataSource): string[] =>
  fields.filter((field) => field.required).map(columnOf);

/** The inputs of a data source that no field of its records shows, but by which a table can be filtered. */
export function filterOnlyFields(source: DataSource): Field[] {
  const columns = new Set(recordFields(source).map((field) => field.key));
  return source.fields.filter((field) => field.type !== 'integer' && !columns.has(columnOf(field)));
}

function column(field: RecordField | Field): Column {
  const { key, label, help, type, options } = field;
  return {
    name: key,
    label,
    description: help,
    type: types[type],
    // Without it Saltcorn searches texts by a part of them, which the service cannot.
    attributes: { exact_search_only: true, ...(options && { options: options.join(',') }) },
    ...(key === 'sid' && { primary_key: true, required: true }),
  };
}

/**
 * The columns of the table of a data source: its record's fields, the inputs by which it can be filtered besides, and
 * where its sound can be heard.
 */
export const tableColumns = (source: DataSource): Column[] => [
  ...[...recordFields(source), ...filterOnlyFields(source)].map(column),
  ...mediaColumn(source),
];
