import {
  aggregate,
  type DataSource,
  groupedBy,
  isAggregate,
  recordFields,
  type Sentence,
  type SortBy,
  sentence,
  sorted,
  TelephonyError,
} from '../../../../src/builder.ts';
import type { ChartQuery, Dimension, Measure, Order, Selected } from './chart-query.ts';
import { dateFormatter } from './format-date.ts';

type Row = Readonly<Record<string, unknown>>;

/** A field of a chart with its column in the list and its name in the chart. */
type Named<Of extends Selected> = Of & { column: string; name: string };

const defaultLimit = 2000;

/** The most measures, dimensions and orders of a chart, each. Computing thousands would occupy the server. */
const maxParts = 20;

/** The longest name or date format, in characters. Each row of the chart contains them. */
const maxLength = 100;

/** How grouped dates are written by default: NocoBase offers formats only for fields of its own types. */
const day = 'YYYY-MM-DD';

const refused = ({ name }: DataSource, problem: Sentence) =>
  new TelephonyError(
    'input',
    sentence('A chart of “{name}” {problem}', { name: { text: name }, problem }),
  );

/** The parts of a chart that there can be too many of. */
const tooMany = {
  measures: sentence('can have at most {most} measures. Remove some.', { most: maxParts }),
  dimensions: sentence('can have at most {most} dimensions. Remove some.', { most: maxParts }),
  orders: sentence('can have at most {most} orders. Remove some.', { most: maxParts }),
};

/** Returns a function that finds the column of a field. */
function namer(source: DataSource) {
  const columns = new Set(recordFields(source).map(({ key }) => key));
  return <Of extends Selected>(selected: Of): Named<Of> => {
    const path = [selected.field].flat().join('.');
    if (!columns.has(path))
      throw refused(source, sentence('has no field “{path}”. Choose another field.', { path }));
    return { ...selected, column: path, name: selected.alias || path };
  };
}

type FormatDate = ReturnType<typeof dateFormatter>;

function dimensionValue(row: Row, { column, format }: Named<Dimension>, formatDate: FormatDate) {
  const value = row[column] ?? null;
  return format && value instanceof Date ? formatDate(value, format) : value;
}

function measureValue(rows: Row[], { column, aggregation, distinct = false }: Named<Measure>) {
  const values = rows.map((row) => row[column] ?? null);
  return aggregation ? aggregate(aggregation, values, distinct) : values[0];
}

/** Orders rows as PostgreSQL does: in ascending order, empty values come last. */
function sortBy(column: string, { order, nulls }: Pick<Order, 'order' | 'nulls'>): SortBy {
  const isDescending = String(order).toUpperCase() === 'DESC';
  return {
    column,
    isDescending,
    isEmptyFirst: nulls === 'first' || (nulls !== 'last' && isDescending),
  };
}

/** What a chart shows, checked against its list. */
interface Chart {
  measures: Named<Measure>[];
  dimensions: Named<Dimension>[];
  /** Whether its measures are computed from groups of records. */
  hasGroups: boolean;
}

function assertSize(source: DataSource, query: ChartQuery): void {
  const { measures = [], dimensions = [], orders = [] } = query;
  if (measures.length > maxParts) throw refused(source, tooMany.measures);
  if (dimensions.length > maxParts) throw refused(source, tooMany.dimensions);
  if (orders.length > maxParts) throw refused(source, tooMany.orders);
  const texts = [...measures, ...dimensions].flatMap((one: Dimension) => [one.alias, one.format]);
  if (texts.some((text) => String(text ?? '').length > maxLength))
    throw refused(
      source,
      sentence('can have names and formats of at most {most} characters. Shorten them.', {
        most: maxLength,
      }),
    );
}

function readChart(source: DataSource, query: ChartQuery): Chart {
  assertSize(source, query);
  const named = namer(source);
  const measures = (query.measures ?? []).map(named);
  if (Object.keys(query.having ?? {}).length > 0)
    throw refused(source, sentence("can't filter its groups. Filter the records instead."));
  const unknown = measures.find(({ aggregation }) => aggregation && !isAggregate(aggregation));
  if (unknown)
    throw refused(
      source,
      sentence("can't use “{name}”. Choose another function.", {
        name: String(unknown.aggregation),
      }),
    );
  const hasGroups = measures.some(({ aggregation }) => aggregation);
  const dimensions = (query.dimensions ?? []).map((one) => ({
    ...named(one),
    ...(hasGroups && { format: one.format || day }),
  }));
  return { measures, dimensions, hasGroups };
}

function computeRows(chart: Chart, records: readonly Row[], timezone: string): Row[] {
  const { measures, dimensions, hasGroups } = chart;
  const formatDate = dateFormatter(timezone);
  const groups = hasGroups
    ? groupedBy(records, (row) => dimensions.map((one) => dimensionValue(row, one, formatDate)))
    : records.map((row) => [row]);
  // A figure without groups has a value even if there are no records.
  if (hasGroups && dimensions.length === 0 && groups.length === 0) groups.push([]);
  return groups.map((group) =>
    Object.fromEntries([
      ...measures.map((one) => [one.name, measureValue(group, one)]),
      ...dimensions.map((one) => [one.name, dimensionValue(group[0] ?? {}, one, formatDate)]),
    ]),
  );
}

function inOrder(source: DataSource, chart: Chart, rows: Row[], orders: Order[]): Row[] {
  const shown = [...chart.measures, ...chart.dimensions];
  const wanted = orders.map((order) => {
    const path = [order.field].flat().join('.');
    const by =
      shown.find(({ name }) => name === (order.alias || path)) ??
      shown.find(({ column }) => column === path);
    if (!by)
      throw refused(
        source,
        sentence('can only be sorted by what it shows, not by “{path}”.', { path }),
      );
    return sortBy(by.name, order);
  });
  return sorted(rows, [...wanted, ...chart.dimensions.map(({ name }) => sortBy(name, {}))]);
}

/**
 * Computes the rows of a chart, as a database would. Without an order, they are sorted by the dimensions.
 *
 * @param records all records that match the chart's filter
 * @throws {TelephonyError} if the list lacks a field, or only a database could run the query
 */
export function chartRows(source: DataSource, records: readonly Row[], query: ChartQuery): Row[] {
  const chart = readChart(source, query);
  const rows = computeRows(chart, records, query.timezone ?? 'UTC');
  const all = inOrder(source, chart, rows, query.orders ?? []);
  if (chart.hasGroups && chart.dimensions.length === 0) return all;
  // NocoBase sends an empty number field as null.
  const [limit, offset] = [query.limit || defaultLimit, query.offset || 0];
  return all.slice(offset, offset + limit);
}
