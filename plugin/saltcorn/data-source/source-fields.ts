import { type DataSource, definitions, type Field, type RecordField } from '../../../src/index.ts';

/** The shape of the records of a data source. */
export const recordShape = ({ result }: DataSource) =>
  definitions.records.find((record) => record.id === result.of);

/** The fields of the records that a data source lists. */
export const recordFields = (source: DataSource): RecordField[] =>
  recordShape(source)?.fields ?? [];

/** The column that an input of a data source filters by. */
export const columnOf = (field: Field) => field.column ?? field.key;

/** The columns that have to be filtered by, or the table shows no row. */
export const requiredColumns = ({ fields }: DataSource): string[] =>
  fields.filter((field) => field.required).map(columnOf);

/** The inputs of a data source that no field of its records shows, but by which a table can be filtered. */
export function filterOnlyFields(source: DataSource): Field[] {
  const columns = new Set(recordFields(source).map((field) => field.key));
  return source.fields.filter(
    (field) => field.purpose !== 'page-size' && !columns.has(columnOf(field)),
  );
}
