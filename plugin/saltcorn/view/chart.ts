import { getState } from '@saltcorn/data/db/state';
import Table, { type SaltcornField, type SaltcornTable } from '@saltcorn/data/models/table';
import { readState, stateFieldsToWhere } from '@saltcorn/data/plugin-helper';
import {
  dayIn,
  dayOf,
  definitions,
  isDateObject,
  isDay,
  periodOf,
  periodsBetween,
} from '../../../src/builder.ts';
import { aggregated } from '../data-source/aggregate-rows.ts';
import { readerOf } from '../data-source/row-rights.ts';
import type { Row } from '../where/where.ts';
import { type ChartSettings, chartSettings, isDayColumn, usualDays } from './chart-settings.ts';
import { drawChart, type Series } from './draw-chart.ts';
import { inWords } from './field-views.ts';

const dayMs = 86_400_000;

/** A chart of a longer time, which only a filter can select, leaves out the periods without rows. */
const mostDays = 1_000;

interface Request {
  user?: { role_id: number };
  getLocale?(): string;
}

const tableOf = (id: number): SaltcornTable => {
  const table = Table.findOne({ id: Number(id) });
  if (!table) throw new Error(`No table ${id}`);
  return table;
};

const currencyOf = ({ fields }: SaltcornTable, column: string | undefined) =>
  fields.find(({ name }) => name === column)?.attributes?.currency;

/** A row's day, period and series, and what it adds to them. */
const charted =
  (table: SaltcornTable, settings: ChartSettings, timeZone: string) =>
  (row: Row): Row[] => {
    const { date, period, series = '', value } = settings;
    const at = row[date];
    const day = isDateObject(at) ? dayOf(timeZone, at.getTime()) : String(at ?? '');
    if (!isDay(day)) return [];
    const currency = row[currencyOf(table, value) ?? ''];
    const names = [
      ...(series ? [inWords(String(row[series] ?? '–'))] : []),
      ...(currency ? [String(currency).toUpperCase()] : []),
    ];
    return [
      {
        period: periodOf(period, day),
        series: names.join(', '),
        value: value ? row[value] : 1,
      },
    ];
  };

/** The sums of each series, by period. What something costs is positive here, although calls and messages have negative prices. */
function seriesOf(rows: Row[], isAmount: boolean): Series[] {
  const found = new Map<string, Map<string, number>>();
  const sums = aggregated(rows, { sum: { aggregate: 'sum', field: 'value' } }, [
    ...['series', 'period'],
  ]);
  for (const { series, period, sum } of sums) {
    const name = String(series);
    const values = found.get(name) ?? new Map<string, number>();
    values.set(String(period), isAmount ? Math.abs(Number(sum)) : Number(sum));
    found.set(name, values);
  }
  return [...found].map(([name, values]) => ({ name, values }));
}

async function run(
  tableId: number,
  name: string,
  settings: ChartSettings,
  state: Record<string, unknown>,
  { req }: { req: Request },
): Promise<string> {
  const table = tableOf(tableId);
  const { date, period, value, days = usualDays } = settings;
  const { fields } = table;
  const isDays = isDayColumn(table, date);
  const timeZone = isDays ? 'UTC' : getState().getConfig('timezone', 'UTC');
  const today = dayOf(timeZone, Date.now());
  const start = periodOf(
    period,
    new Date(Date.parse(today) - (days - 1) * dayMs).toISOString().slice(0, 10),
  );
  const where = stateFieldsToWhere({ fields, state: readState(state, fields, req), table });
  const isFiltered = Object.hasOwn(where, date);
  if (!isFiltered) {
    const passed = (Date.parse(start) - Date.parse(today)) / dayMs;
    where[date] = { gt: isDays ? start : dayIn(timeZone, passed).from, equal: true };
  }
  const read = await table.getJoinedRows({ where, joinFields: {}, ...readerOf(req) });
  const rows = read.flatMap(charted(table, settings, timeZone));
  const present = [...new Set(rows.map((row) => String(row.period)))].sort();
  const [first = start, last = today] = isFiltered ? [present[0], present.at(-1)] : [start, today];
  const isShort = Date.parse(last) - Date.parse(first) < mostDays * dayMs;
  return drawChart({
    name,
    periods: isShort ? periodsBetween(period, first, last) : present,
    series: seriesOf(rows, currencyOf(table, value) !== undefined),
    isMonthly: period === 'month',
    isAmount: currencyOf(table, value) !== undefined,
    locale: req.getLocale?.() ?? 'en',
  });
}

/** A view of a table's rows as bars per day, week or month. */
export const chart = {
  name: `${definitions.manifest.name} chart`,
  description: 'Bars per day, week or month, and their numbers as a table',
  display_state_form: false,
  get_state_fields: (tableId: number): SaltcornField[] =>
    tableOf(tableId).fields.map((field) => ({ ...field, required: false })),
  configuration_workflow: chartSettings(tableOf),
  run,
};
