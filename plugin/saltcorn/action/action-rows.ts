import { eval_expression } from '@saltcorn/data/models/expression';
import Table from '@saltcorn/data/models/table';
import { readState, stateFieldsToWhere } from '@saltcorn/data/plugin-helper';
import { TelephonyError } from '../../../src/index.ts';
import type { FormField } from '../settings/form-field.ts';
import type { Row, Where } from '../where/where.ts';
import type { RunArguments } from './action-input.ts';

/** The keys of these fields cannot be those of an action's own: they have an underscore. */
export async function rowsFormFields(): Promise<FormField[]> {
  const tables = await Table.find({}, { cached: true });
  const field = (name: string, label: string, sublabel: string, rest: Partial<FormField>) => ({
    name,
    label,
    sublabel,
    required: false,
    attributes: {},
    ...rest,
  });
  return [
    field('rows_table', 'Rows of', 'The table whose rows it is done for.', {
      input_type: 'select',
      options: tables.map(({ name }) => ({ value: name, label: name })),
      required: true,
    }),
    field(
      'rows_of_page',
      'Only those that the page is filtered by',
      'The filters in the address of the page, such as the ones of its lists, choose the rows.',
      { type: 'Bool', default: true },
    ),
    field('rows_where', 'Only where', 'A formula such as { status: "busy" }. Empty for all rows.', {
      type: 'String',
    }),
    field('rows_limit', 'Rows at most', 'When more rows fit, it is done for none of them.', {
      type: 'Integer',
      default: 100,
      attributes: { min: 1, max: 1000 },
      required: true,
    }),
  ];
}

/** The filters in the address of the page where someone clicked. */
function pageFilter(table: NonNullable<ReturnType<typeof Table.findOne>>, referrer = ''): Where {
  if (!URL.canParse(referrer)) return {};
  const parameters = new URL(referrer).searchParams;
  const state = Object.fromEntries(
    [...new Set(parameters.keys())].map((key) => {
      const values = parameters.getAll(key).filter((value) => value !== '');
      return [key, values.length > 1 ? values : values[0]];
    }),
  );
  return stateFieldsToWhere({
    fields: table.fields,
    state: readState(state, table.fields),
    table,
  });
}

function formulaFilter(formula: unknown, { row, user }: RunArguments): Where {
  if (typeof formula !== 'string' || formula.trim() === '') return {};
  try {
    return eval_expression(formula, row ?? {}, user, 'Only where') as Where;
  } catch (error) {
    throw new TelephonyError('input', `“Only where” is no formula: ${(error as Error).message}`);
  }
}

/**
 * The rows that an action is done for: those that may be read by whoever clicked, and all of them or none.
 *
 * @throws {TelephonyError} when there is no such table, or more rows fit than are allowed
 */
export async function rowsOf(run: RunArguments): Promise<Row[]> {
  const { rows_table, rows_of_page = true, rows_where, rows_limit } = run.configuration ?? {};
  const table = Table.findOne({ name: String(rows_table ?? '') });
  if (!table) throw new TelephonyError('input', `There is no table “${rows_table ?? ''}”.`);
  const limit = Math.min(Number(rows_limit) || 100, 1000);
  const filters = [
    formulaFilter(rows_where, run),
    rows_of_page ? pageFilter(table, run.referrer) : {},
  ].filter((filter) => Object.keys(filter).length > 0);
  const reader = run.req && (run.user ? { forUser: run.user } : { forPublic: true });
  const where = filters.length > 1 ? { and: filters } : (filters[0] ?? {});
  const rows = await table.getRows(where, { limit: limit + 1, ...reader });
  if (rows.length > limit)
    throw new TelephonyError(
      'input',
      `More than ${limit} rows of “${table.name}” fit, so nothing was done. Filter them, or raise “Rows at most”.`,
    );
  return rows;
}
