import Table from '@saltcorn/data/models/table';
import type { Row, Where } from '../where/where.ts';
import { sortRows } from './sort-rows.ts';

/** A figure about the rows of another table that belong to a row, in Saltcorn's own form of it. */
export interface Aggregation {
  table: string;
  /** The column of the other table that holds the row's key. */
  ref: string;
  field?: string;
  aggregate: string;
  where?: Where;
  /** The column of the row that holds the key, when it is not its own. */
  through?: string;
}

const sum = (values: unknown[]) => values.reduce((all: number, value) => all + Number(value), 0);

const extreme = (values: unknown[], index: 0 | -1) =>
  sortRows(
    values.map((value) => ({ value })),
    'value',
    false,
  ).at(index)?.value ?? null;

/** By Saltcorn's names. Values are those that are not empty. */
const figures: Record<string, (values: unknown[]) => unknown> = {
  count: (values) => values.length,
  countunique: (values) => new Set(values.map(String)).size,
  sum: (values) => (values.length === 0 ? null : sum(values)),
  avg: (values) => (values.length === 0 ? null : sum(values) / values.length),
  min: (values) => extreme(values, 0),
  max: (values) => extreme(values, -1),
  array_agg: (values) => values,
};

const isGiven = (value: unknown) => value !== null && value !== undefined;

function figure(rows: Row[], { aggregate, field }: Aggregation): unknown {
  const [name = '', by = ''] = aggregate.split(' ');
  const ofRow = (row: Row) => (field ? row[field] : row);
  const [first] = /^(latest|earliest)$/i.test(name)
    ? sortRows(rows, by, name.toLowerCase() === 'latest')
    : [];
  if (first) return ofRow(first);
  return figures[name.toLowerCase()]?.(rows.map(ofRow).filter(isGiven)) ?? null;
}

async function withAggregation(rows: Row[], column: string, aggregation: Aggregation) {
  const { table, ref, where = {}, through = 'sid' } = aggregation;
  const keys = [...new Set(rows.map((row) => row[through]).filter(isGiven))];
  const others =
    (await Table.findOne({ name: table })?.getRows({ ...where, [ref]: { in: keys } })) ?? [];
  const belonging = (row: Row) =>
    others.filter((other) => String(other[ref]) === String(row[through]));
  return rows.map((row) => ({ ...row, [column]: figure(belonging(row), aggregation) }));
}

/**
 * Rows with figures about the rows of other tables that belong to them.
 *
 * @param aggregations the figures, by the name of their column
 */
export async function withAggregations(
  rows: Row[],
  aggregations: Record<string, Aggregation>,
): Promise<Row[]> {
  let filled = rows;
  for (const [column, aggregation] of Object.entries(aggregations))
    filled = await withAggregation(filled, column, aggregation);
  return filled;
}
