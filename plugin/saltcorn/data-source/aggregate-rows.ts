import {
  aggregate,
  groupedBy,
  isAggregate,
  isGiven,
  sentence,
  sorted,
  TelephonyError,
} from '../../../src/builder.ts';
import { tableNamed } from '../where/sub-select.ts';
import type { Row, Where } from '../where/where.ts';

/** An aggregate of rows, in Saltcorn's format. */
export interface Figure {
  field?: string;
  aggregate: string;
}

/** An aggregate of another table's rows that belong to a row, in Saltcorn's format. */
export interface Aggregation extends Figure {
  table: string;
  /** The column of the other table that holds the row's key. */
  ref: string;
  where?: Where;
  /** The column of the row that holds the key, if it isn't the row's own key. */
  through?: string;
}

/** Saltcorn's names of aggregates that need only the values. */
const figures: Record<string, (values: unknown[]) => unknown> = {
  countunique: (values) => aggregate('count', values, true),
  array_agg: (values) => values.filter(isGiven),
};

type OfRow = (row: Row) => unknown;

const outermost = (isDescending: boolean) => (rows: Row[], ofRow: OfRow, by: string) => {
  const [first] = sorted(rows, [{ column: by, isDescending }]);
  return first && isGiven(first[by]) ? (ofRow(first) ?? null) : null;
};

/** Aggregates with a parameter after their name: the column of a date, or the value to count. */
const rowFigures: Record<string, (rows: Row[], ofRow: OfRow, by: string) => unknown> = {
  latest: outermost(true),
  earliest: outermost(false),
  percent: (rows, ofRow, by) =>
    rows.length === 0
      ? null
      : (100 * rows.filter((row) => String(ofRow(row)) === by).length) / rows.length,
};

/**
 * Computes an aggregate, like SQL: null if there are no values.
 *
 * @throws {TelephonyError} if the plugin doesn't support the aggregate
 */
export function figure(rows: Row[], { aggregate: written, field }: Figure): unknown {
  const [given = '', by = ''] = written.split(' ');
  const name = given.toLowerCase();
  const ofRow = (row: Row) => (field ? row[field] : row);
  const choose = rowFigures[name];
  if (choose) return choose(rows, ofRow, by);
  const values = rows.map(ofRow);
  const compute = figures[name] ?? (isAggregate(name) && ((all) => aggregate(name, all)));
  if (!compute || field === 'Formula')
    throw new TelephonyError(
      'input',
      sentence("The plugin can't calculate “{name}” here.", { name: written }),
    );
  return compute(values);
}

async function withAggregation(rows: Row[], key: string, column: string, aggregation: Aggregation) {
  const { table, ref, where = {}, through = key } = aggregation;
  const keys = [...new Set(rows.map((row) => row[through]).filter(isGiven))];
  const others = await (await tableNamed(table)).getRows({ ...where, [ref]: { in: keys } });
  const belonging = new Map(
    groupedBy(others, (other) => [String(other[ref])]).map((group) => [
      String(group[0]?.[ref]),
      group,
    ]),
  );
  return rows.map((row) => ({
    ...row,
    [column]: figure(belonging.get(String(row[through])) ?? [], aggregation),
  }));
}

/**
 * Adds aggregates of other tables' rows to the rows that they belong to.
 *
 * @param rows the rows
 * @param key the column of their own key
 * @param aggregations the aggregates, by the name of their column
 */
export async function withAggregations(
  rows: Row[],
  key: string,
  aggregations: Record<string, Aggregation>,
): Promise<Row[]> {
  let filled = rows;
  for (const [column, aggregation] of Object.entries(aggregations))
    filled = await withAggregation(filled, key, column, aggregation);
  return filled;
}

/**
 * Computes aggregates of all rows, or of each group of rows with the same values, in the order of these.
 *
 * @param rows the rows
 * @param figuresByName the aggregates, by name
 * @param groupBy the columns to group by
 */
export function aggregated(
  rows: Row[],
  figuresByName: Record<string, Figure>,
  groupBy: string[],
): Row[] {
  const groups =
    groupBy.length > 0 ? groupedBy(rows, (row) => groupBy.map((column) => row[column])) : [rows];
  const found = groups.map((group) => ({
    ...Object.fromEntries(groupBy.map((column) => [column, group[0]?.[column]])),
    ...Object.fromEntries(
      Object.entries(figuresByName).map(([name, one]) => [name, figure(group, one)]),
    ),
  }));
  return sorted(
    found,
    groupBy.map((column) => ({ column })),
  );
}
