import { columnOf, type DataSource, type Field, filters, rangeEnd } from '../../src/builder.ts';

/** The filters of a data source that match a value, not the end of a range. */
export const exactFilters = (source: DataSource): Field[] =>
  filters(source).filter((field) => rangeEnd(field) === undefined);

/** The filters for both ends of a range of dates. */
export interface RangeFilter {
  start: Field;
  end: Field;
}

/** The ranges of dates or days that filter a data source, by column. */
export function rangeFilters(source: DataSource): Map<string, RangeFilter> {
  const dates = filters(source).filter(({ type }) => type === 'date' || type === 'day');
  const ends = dates.filter((field) => rangeEnd(field) === 'end');
  return new Map(
    dates
      .filter((field) => rangeEnd(field) === 'start')
      .flatMap((start) => {
        const end = ends.find((field) => columnOf(field) === columnOf(start));
        return end ? [[columnOf(start), { start, end }]] : [];
      }),
  );
}
