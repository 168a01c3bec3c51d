import Table from '@saltcorn/data/models/table';
import { TelephonyError } from '../../../src/index.ts';
import type { FormField } from '../settings/form-field.ts';
import type { Row } from '../where/where.ts';

const usualLimit = 100;
const mostRows = 1000;

/** What was chosen of the fields below. */
export interface RowsChoice {
  table: string;
  isOfPage: boolean;
  formula: string;
  limit: number;
}

/** The keys of these fields cannot be those of an action's own: they have an underscore. */
export async function rowsFields(): Promise<FormField[]> {
  const tables = await Table.find({}, { cached: true });
  const field = (name: string, label: string, sublabel: string, rest: Partial<FormField>) => ({
    ...{ name, label, sublabel, required: false, attributes: {} },
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
      'Only those that the page shows',
      'The rows of its list of this table, on all pages of the list; without a list, those that the address of the page is filtered by.',
      { type: 'Bool', default: true },
    ),
    field(
      'rows_where',
      'Only where',
      'A formula as in a list, such as status === "busy", or { status: "busy" }. Empty for all rows.',
      { type: 'String' },
    ),
    field('rows_limit', 'Rows at most', 'When more rows fit, it is done for none of them.', {
      type: 'Integer',
      default: usualLimit,
      attributes: { min: 1, max: mostRows },
      required: true,
    }),
  ];
}

const refused = (sentence: string) => new TelephonyError('input', sentence);

/**
 * What was chosen in the builder.
 *
 * @throws {TelephonyError} for what is no choice, which never means all rows
 */
export function rowsChoice(configuration: Row): RowsChoice {
  const { rows_table, rows_of_page = true, rows_where, rows_limit } = configuration;
  const limit = rows_limit === '' ? usualLimit : Number(rows_limit ?? usualLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostRows)
    throw refused(`“Rows at most” must be a whole number from 1 to ${mostRows}.`);
  const formula = rows_where ?? '';
  if (typeof formula !== 'string') throw refused('“Only where” is no formula.');
  return {
    table: String(rows_table ?? ''),
    isOfPage: rows_of_page !== false,
    formula: formula.trim(),
    limit,
  };
}
