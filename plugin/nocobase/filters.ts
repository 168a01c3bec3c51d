import { type DataSource, type Field, filters, rangeEnd } from '../../src/builder.ts';

/** The filters of a data source that match a value, not the end of a range. */
export const exactFilters = (source: DataSource): Field[] =>
  filters(source).filter((field) => rangeEnd(field) === undefined);
