import type { DataSource, Field, RecordField } from '../../generated/definition-types.ts';
import { pageSizeField } from './operation.ts';
import { recordShape } from './record-shape.ts';

/** Returns the fields of a data source's records. */
export const recordFields = ({ result }: DataSource): RecordField[] =>
  recordShape(result.of).fields;

/** Returns the column that identifies a record of a data source. */
export const keyColumn = ({ result }: DataSource): string => recordShape(result.of).key;

/** Returns the field for the page size, if the builder chooses it. */
export function freePageSize(source: DataSource): Field | undefined {
  const field = pageSizeField(source);
  return field?.default === undefined ? field : undefined;
}

/** Returns the fields of a data source that filter records. */
export const filters = ({ fields }: DataSource): Field[] =>
  fields.filter((field) => field.purpose !== 'page-size');

/** Returns the column of a field, or the one that it filters by. */
export const columnOf = ({ key, column }: Pick<Field, 'key' | 'column'>): string => column ?? key;

/** Returns the columns that must have a filter; without it the table is empty. */
export const requiredColumns = ({ fields }: DataSource): string[] =>
  fields.filter((field) => field.required).map(columnOf);

/** Returns the filters whose column isn't among the fields of the records. */
export function filterOnlyFields(source: DataSource): Field[] {
  const columns = new Set(recordFields(source).map((field) => field.key));
  return filters(source).filter((field) => !columns.has(columnOf(field)));
}

/** Returns the fields of a data source's table: those of its records, then the filters whose column these lack. */
export const tableFields = (source: DataSource): (RecordField | Field)[] => [
  ...recordFields(source),
  ...filterOnlyFields(source),
];
