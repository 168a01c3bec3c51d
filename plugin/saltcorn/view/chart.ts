import { getState } from '@saltcorn/data/db/state';
import Table, { type SaltcornField, type SaltcornTable } from '@saltcorn/data/models/table';
import { readState, stateFieldsToWhere } from '@saltcorn/data/plugin-helper';
import {
  type Charted,
  dayIn,
  dayOf,
  definitions,
  isDateObject,
  isDay,
  periodOf,
  periodsBetween,
  sentence,
  seriesOf,
  TelephonyError,
} from '../../../src/builder.ts';
import { readerOf } from '../data-source/row-rights.ts';
import type { Row } from '../where/where.ts';
import { type ChartSettings, chartSettings, isDayColumn, usualDays } from './chart-settings.ts';
import { drawChart } from './draw-chart.ts';
import { inWords } from './field-views.ts';

const dayMs = 86_400_000;

/** A chart of a longer time, which only a filter can select, leaves out the periods without rows. */
const mostDays = 1_000;

interface Request {
  user?: { role_id: number };
  getLocale?(): string;
}

function tableOf(id: number): SaltcornTable {
  const table = Table.findOne({ id: Number(id) });
  if (!table)
    throw new TelephonyError(
      'input',
      sentence('The table “{name}” no longer exists.', { name: String(id) }),
    );
  return table;
}

const currencyOf = ({ fields }: SaltcornTable, column: string | undefined) =>
  fields.find(({ name }) => name === column)?.attributes?.currency;

/** The day of a row, its series, and what it adds to that; nothing for a row without a date. */
function entryOf(
  table: SaltcornTable,
  settings: ChartSettings,
  timeZone: string,
  row: Row,
): Charted[] {
  const { date, series = '', value } = settings;
  const at = row[date];
  const day = isDateObject(at) ? dayOf(timeZone, at.getTime()) : String(at ?? '');
  if (!isDay(day)) return [];
  const currency = row[currencyOf(table, value) ?? ''];
  const names = [
    ...(series ? [inWords(String(row[series] ?? '–'))] : []),
    ...(currency ? [String(currency).toUpperCase()] : []),
  ];
  return [{ day, series: names.join(', '), value: value ? row[value] : 1 }];
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
  const now = Date.now();
  const today = dayOf(timeZone, now);
  const start = periodOf(
    period,
    new Date(Date.parse(today) - (days - 1) * dayMs).toISOString().slice(0, 10),
  );
  const where = stateFieldsToWhere({ fields, state: readState(state, fields, req), table });
  const isFiltered = Object.hasOwn(where, date);
  if (!isFiltered) {
    const passed = (Date.parse(start) - Date.parse(today)) / dayMs;
    where[date] = { gt: isDays ? start : dayIn(timeZone, passed, new Date(now)).from, equal: true };
  }
  const read = await table.getJoinedRows({ where, joinFields: {}, ...readerOf(req) });
  // On SQLite, Saltcorn's own tables have numbers instead of dates here.
  const entries = read.flatMap((row) =>
    entryOf(table, settings, timeZone, table.readFromDB?.(row) ?? row),
  );
  const isAmount = currencyOf(table, value) !== undefined;
  const series = seriesOf(entries, period, isAmount, isFiltered ? undefined : today);
  const present = [...new Set(series.flatMap(({ sums }) => [...sums.keys()]))].sort();
  const [first = start, last = today] = isFiltered ? [present[0], present.at(-1)] : [start, today];
  const isShort = Date.parse(last) - Date.parse(first) < mostDays * dayMs;
  return drawChart({
    ...{ name, series, isAmount, isMonthly: period === 'month' },
    periods: isShort ? periodsBetween(period, first, last) : present,
    locale: req.getLocale?.() ?? 'en',
  });
}

/** A view of a table's rows as bars per day, week or month. */
export const chart = {
  name: `${definitions.manifest.name} chart`,
  description: 'Bars per day, week or month, and their numbers as a table',
  display_state_form: false,
  // Saltcorn's own test has no table with dates.
  noAutoTest: true,
  get_state_fields: (tableId: number): SaltcornField[] =>
    tableOf(tableId).fields.map((field) => ({ ...field, required: false })),
  configuration_workflow: chartSettings(tableOf),
  run,
};
