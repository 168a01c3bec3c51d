import Table from '@saltcorn/data/models/table';
import { type Action, successWord, TelephonyError } from '../../../src/builder.ts';
import type { FormField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';
import type { Row } from '../where/where.ts';
import { columnsFor, type NoteColumns, noteFields } from './row-notes.ts';

const usualLimit = 100;
/** The highest possible “Maximum rows”. */
export const mostRows = 1000;

/** The values of the fields below. */
export interface RowsChoice {
  table: string;
  isOfPage: boolean;
  formula: string;
  limit: number;
  /** The columns that record outcomes. */
  notes?: NoteColumns | undefined;
}

const noteHelp = (success: string): Record<keyof NoteColumns, string> => ({
  outcome: translated(
    "Stores each row's outcome ({{success}}, failed, unknown). Rows marked {{success}} are skipped next time. Optional; also needs the two columns below.",
    { success },
  ),
  sid: translated('A text column that stores the SID of the message, call or recording.'),
  time: translated('A date column that stores when the row was started.'),
});

const nameOf = (key: string) => `rows_${key}`;

/**
 * The fields that select the rows. Their keys contain an underscore, so they never equal a key of the action.
 *
 * @param table the table of the button's view or of the trigger
 */
export async function rowsFields(action: Action, table?: { name: string }): Promise<FormField[]> {
  const help = noteHelp(successWord(action));
  const tables = await Table.find({}, { cached: true });
  const field = (name: string, label: string, sublabel: string, rest: Partial<FormField>) => ({
    ...{ name, label: translated(label), sublabel, required: false, attributes: {} },
    ...rest,
  });
  return [
    field('rows_table', 'Rows of', translated('The table whose rows are used.'), {
      input_type: 'select',
      // Saltcorn's builder stores the first option, without regard to the default.
      options: [...new Set([table?.name ?? '', ...tables.map(({ name }) => name)])],
      required: true,
    }),
    field(
      'rows_of_page',
      'Only rows on the page',
      translated(
        "The rows of the page's list of this table, on all pages of the list. Without a list, the rows that match the filters in the page's URL.",
      ),
      { type: 'Bool', default: true },
    ),
    field(
      'rows_where',
      'Only where',
      translated(
        'A formula as in a list, such as status === "busy", or { status: "busy" }. Leave empty for all rows.',
      ),
      { type: 'String' },
    ),
    field('rows_limit', 'Maximum rows', translated('If more rows match, nothing is sent.'), {
      type: 'Integer',
      default: usualLimit,
      attributes: { min: 1, max: mostRows },
      required: true,
    }),
    ...noteFields.map(({ key, label, type }) =>
      field(nameOf(key), label, help[key], {
        type: 'String',
        attributes: {
          calcOptions: [
            'rows_table',
            Object.fromEntries(tables.map((one) => [one.name, ['', ...columnsFor(one, type)]])),
          ],
        },
      }),
    ),
  ];
}

const refused = (sentence: string) => new TelephonyError('input', sentence);

/** An outcome would overwrite the column's value, which the message uses. */
function assertUnused(notes: NoteColumns, configuration: Row) {
  const fields = Object.entries(configuration).filter(([name]) => !name.startsWith(nameOf('')));
  for (const { key, label } of noteFields) {
    const filled = new RegExp(`\\{\\{[^}]*\\b${notes[key]}\\b`);
    if (fields.some(([, value]) => filled.test(String(value))))
      throw refused(
        `“${label}” is “${notes[key]}”, which the message uses. Choose another column.`,
      );
  }
}

/** The columns that record outcomes: all of them or none. */
function noteColumns(configuration: Row): NoteColumns | undefined {
  const chosen = noteFields.map(({ key }) => [key, configuration[nameOf(key)] ?? '']);
  if (chosen.every(([, name]) => name === '')) return undefined;
  const missing = noteFields.find((_, index) => chosen[index]?.[1] === '');
  if (missing) throw refused(`“${missing.label}” is empty. Choose all three columns, or none.`);
  const notes = Object.fromEntries(chosen);
  assertUnused(notes, configuration);
  return notes;
}

/**
 * Reads the fields that select the rows.
 *
 * @throws {TelephonyError} if a value is invalid, which never means all rows
 */
export function rowsChoice(configuration: Row): RowsChoice {
  const { rows_table, rows_of_page = true, rows_where, rows_limit } = configuration;
  const limit = rows_limit === '' ? usualLimit : Number(rows_limit ?? usualLimit);
  if (!Number.isInteger(limit) || limit < 1 || limit > mostRows)
    throw refused(`“Maximum rows” must be a whole number from 1 to ${mostRows}.`);
  const formula = rows_where ?? '';
  if (typeof formula !== 'string') throw refused('“Only where” is not a formula.');
  return {
    table: String(rows_table ?? ''),
    isOfPage: rows_of_page !== false,
    formula: formula.trim(),
    limit,
    notes: noteColumns(configuration),
  };
}

/** Whether any column for outcomes was chosen, valid or not. */
export const hasNotes = ({ configuration = {} }: { configuration?: Row }): boolean =>
  noteFields.some(({ key }) => (configuration[nameOf(key)] ?? '') !== '');
