import type { DataSource, Field, RecordField } from '../../generated/definition-types.ts';
import { pageSizeField } from './operation.ts';
import { recordShape } from './record-shape.ts';

/** The fields of the records that a data source lists. */
export const recordFields = ({ result }: DataSource): RecordField[] =>
  recordShape(result.of).fields;

/** The column that tells one record of a data source from all others. */
export const keyColumn = ({ result }: DataSource): string => recordShape(result.of).key;

/** The field that says how many records come at a time, where it is for a builder to choose. */
export function freePageSize(source: DataSource): Field | undefined {
  const field = pageSizeField(source);
  return field?.default === undefined ? field : undefined;
}

/** The inputs of a data source that choose records. */
export const filters = ({ fields }: DataSource): Field[] =>
  fields.filter((field) => field.purpose !== 'page-size');

/** The column that an input of a data source filters by. */
export const columnOf = (field: Field) => field.column ?? field.key;

/** The columns that have to be filtered by, or the table shows no row. */
export const requiredColumns = ({ fields }: DataSource): string[] =>
  fields.filter((field) => field.required).map(columnOf);

/** The inputs of a data source that no field of its records shows, but by which a table can be filtered. */
export function filterOnlyFields(source: DataSource): Field[] {
  const columns = new Set(recordFields(source).map((field) => field.key));
  return filters(source).filter((field) => !columns.has(columnOf(field)));
}
