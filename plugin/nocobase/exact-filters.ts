import { type DataSource, type Field, filters, rangeEnd } from '../../src/builder.ts';

/** The inputs of a data source that choose records by a value that they have, and not by the end of a range. */
export const exactFilters = (source: DataSource): Field[] =>
  filters(source).filter((field) => rangeEnd(field) === undefined);
