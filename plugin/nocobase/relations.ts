import {
  type DataSource,
  definitions,
  freePageSize,
  isList,
  recordFields,
} from '../../src/builder.ts';

/** Finds a list of a record shape that requires no filter and allows any page size. */
export const listOf = (shape: string): DataSource | undefined =>
  definitions.dataSources.find(
    (source) =>
      isList(source) &&
      source.result.of === shape &&
      freePageSize(source) !== undefined &&
      !source.fields.some(({ required }) => required),
  );

/** A column that shows the record that a row refers to, such as the call of a recording. */
export interface Relation {
  name: string;
  label: string;
  /** The column with the record's key. */
  key: string;
  /** The list of these records. */
  target: DataSource;
}

/** The relations of a data source's rows. */
export const relations = (source: DataSource): Relation[] =>
  recordFields(source).flatMap(({ key, label, refersTo }) => {
    const target = refersTo === undefined ? undefined : listOf(refersTo);
    if (!target) return [];
    return [{ name: key.replace(/Sid$/, ''), label: label.replace(/ SID$/, ''), key, target }];
  });
