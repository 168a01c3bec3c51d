import { TelephonyError } from '../../../src/builder.ts';
import { isDate } from '../where/comparable.ts';
import { tableNamed } from '../where/sub-select.ts';
import type { Row, Where } from '../where/where.ts';
import { sortRows } from './sort-rows.ts';
import { average, sum } from './sum.ts';

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

const extreme = (values: unknown[], index: 0 | -1) =>
  sortRows(
    values.map((value) => ({ value })),
    'value',
    false,
  ).at(index)?.value ?? null;

/** By Saltcorn's names. Empty values are left out. */
const figures: Record<string, (values: unknown[]) => unknown> = {
  count: (values) => values.length,
  countunique: (values) =>
    new Set(values.map((value) => (isDate(value) ? value.getTime() : value))).size,
  sum: (values) => (values.length === 0 ? null : sum(values)),
  avg: (values) => (values.length === 0 ? null : average(values)),
  min: (values) => extreme(values, 0),
  max: (values) => extreme(values, -1),
  array_agg: (values) => values,
};

const isGiven = (value: unknown) => value !== null && value !== undefined;

type OfRow = (row: Row) => unknown;

const outermost = (isDescending: boolean) => (rows: Row[], ofRow: OfRow, by: string) => {
  const [first] = sortRows(
    rows.filter((row) => isGiven(row[by])),
    by,
    isDescending,
  );
  return first ? (ofRow(first) ?? null) : null;
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
export function figure(rows: Row[], { aggregate, field }: Figure): unknown {
  const [name = '', by = ''] = aggregate.split(' ');
  const ofRow = (row: Row) => (field ? row[field] : row);
  const choose = rowFigures[name.toLowerCase()];
  if (choose) return choose(rows, ofRow, by);
  const compute = figures[name.toLowerCase()];
  if (!compute || field === 'Formula')
    throw new TelephonyError('input', `The plugin can't calculate “${aggregate}” here.`);
  return compute(rows.map(ofRow).filter(isGiven));
}

async function withAggregation(rows: Row[], key: string, column: string, aggregation: Aggregation) {
  const { table, ref, where = {}, through = key } = aggregation;
  const keys = [...new Set(rows.map((row) => row[through]).filter(isGiven))];
  const others = await (await tableNamed(table)).getRows({ ...where, [ref]: { in: keys } });
  const belonging = (row: Row) =>
    others.filter((other) => String(other[ref]) === String(row[through]));
  return rows.map((row) => ({ ...row, [column]: figure(belonging(row), aggregation) }));
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

function grouped(rows: Row[], groupBy: string[]): Row[][] {
  if (groupBy.length === 0) return [rows];
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(groupBy.map((column) => row[column]));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
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
  const found = grouped(rows, groupBy).map((group) => ({
    ...Object.fromEntries(groupBy.map((column) => [column, group[0]?.[column]])),
    ...Object.fromEntries(
      Object.entries(figuresByName).map(([name, one]) => [name, figure(group, one)]),
    ),
  }));
  return groupBy.reduceRight((some, column) => sortRows(some, column, false), found);
}
