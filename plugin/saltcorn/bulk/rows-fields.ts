import type { SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Action,
  maxBatchRows,
  numberText,
  readMaxRows,
  type Sentence,
  sentence,
  successWord,
  TelephonyError,
} from '../../../src/builder.ts';
import type { FormField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';
import type { Row } from '../where/where.ts';
import { formulaOnSave } from './formula.ts';
import { columnsFor, type NoteColumns, noteFields } from './row-notes.ts';

const usualLimit = 100;

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
    "Stores each row's outcome ({{success}}, failed, unknown). Rows marked {{success}} are skipped next time. Optional: for this and the two columns below, first add two String fields and a Date field to the table, neither required nor unique.",
    { success },
  ),
  sid: translated('Stores the SID of the message, call or recording.'),
  time: translated('Stores when the row was started.'),
});

const nameOf = (key: string) => `rows_${key}`;

export const rowsField = (
  name: string,
  label: string,
  sublabel: string,
  rest: Partial<FormField>,
) => ({
  ...{ name, label: translated(label), sublabel, required: false, attributes: {} },
  ...rest,
});

/** What Saltcorn shows below the chosen table. */
function explainersOf(tables: SaltcornTable[]): { explainers?: Record<string, string> } {
  // With them, the form of a trigger writes the name of the chosen table as HTML.
  if (tables.some(({ name }) => /<|&(lt|#)/i.test(name))) return {};
  const explainers = tables.map(({ name, fields }) => {
    const values = fields
      .filter((field) => /^\p{ID_Continue}+$/u.test(field.name))
      .map((field) => `{{ ${field.name} }}`)
      .join(', ');
    return [name, translated('In the fields below, you can insert {{values}}.', { values })];
  });
  return { explainers: Object.fromEntries(explainers) };
}

/**
 * The field that chooses the table. As in all fields below, its key contains an underscore, so it never equals a key of the
 * action.
 *
 * @param first the table of the button's view or of the trigger
 */
export const tableField = (tables: SaltcornTable[], first?: { name: string }): FormField =>
  rowsField('rows_table', 'Rows of', translated('The table whose rows are used.'), {
    input_type: 'select',
    // Saltcorn's builder stores the first option, without regard to the default.
    options: [...new Set([first?.name ?? '', ...tables.map(({ name }) => name)])],
    required: true,
    attributes: explainersOf(tables),
  });

/**
 * What Saltcorn puts into `[data-fieldname=…]` to find the chosen table. The form of a workflow has a field of that name for each
 * action, and only the fields of the chosen action are enabled.
 */
export const shownTable = 'rows_table]:enabled[name';

/**
 * The fields that choose the columns that record outcomes.
 *
 * @param choice the field's columns, by their type
 */
export function outcomeFields(
  action: Action,
  choice: (type: string) => Partial<FormField>,
): FormField[] {
  const help = noteHelp(successWord(action));
  return noteFields.map(({ key, label, type }) =>
    rowsField(nameOf(key), label, help[key], choice(type)),
  );
}

/** The fields that select rows of that table, and its columns that record their outcomes. */
export function rowsFields(action: Action, tables: SaltcornTable[]): FormField[] {
  return [
    rowsField(
      'rows_of_page',
      'Only rows on the page',
      translated(
        "The rows of the page's list of this table, on all pages of the list. Without a list, the rows that match the filters in the page's URL. Without either, nothing is sent.",
      ),
      { type: 'Bool', default: true },
    ),
    rowsField(
      'rows_where',
      'Only where',
      translated(
        'A formula as in a list, such as status === "busy", or { status: "busy" }. Leave empty for all rows.',
      ),
      { type: 'String', ...formulaOnSave('Only where') },
    ),
    rowsField(
      'rows_limit',
      'Maximum rows',
      translated('If more rows match, nothing is sent. Up to {{most}}.', {
        most: numberText(maxBatchRows),
      }),
      {
        type: 'Integer',
        default: usualLimit,
        attributes: { min: 1, max: maxBatchRows },
        required: true,
      },
    ),
    ...outcomeFields(action, (type) => ({
      type: 'String',
      attributes: {
        calcOptions: [
          shownTable,
          Object.fromEntries(tables.map((one) => [one.name, ['', ...columnsFor(one, type)]])),
        ],
      },
    })),
  ];
}

const refused = (said: Sentence) => new TelephonyError('input', said);

/** An outcome would overwrite the column's value, which the message uses. */
function assertUnused(notes: NoteColumns, configuration: Row) {
  const fields = Object.entries(configuration).filter(([name]) => !name.startsWith(nameOf('')));
  for (const { key, label } of noteFields) {
    const filled = new RegExp(`\\{\\{[^}]*\\b${notes[key]}\\b`);
    if (fields.some(([, value]) => filled.test(String(value))))
      throw refused(
        sentence('“{label}” is “{column}”, which the message uses. Choose another column.', {
          ...{ label: { text: label }, column: notes[key] },
        }),
      );
  }
}

/**
 * The columns that record outcomes: all of them or none.
 *
 * @throws {TelephonyError} if some are missing, or the message uses one
 */
export function noteColumns(configuration: Row): NoteColumns | undefined {
  const chosen = noteFields.map(({ key }) => [key, configuration[nameOf(key)] ?? '']);
  if (chosen.every(([, name]) => name === '')) return undefined;
  const missing = noteFields.find((_, index) => chosen[index]?.[1] === '');
  if (missing)
    throw refused(
      sentence('“{label}” is empty. Choose all three columns, or none.', {
        label: { text: missing.label },
      }),
    );
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
  const formula = rows_where ?? '';
  if (typeof formula !== 'string')
    throw refused(sentence('“{label}” is not a formula.', { label: { text: 'Only where' } }));
  return {
    table: String(rows_table ?? ''),
    isOfPage: rows_of_page !== false,
    formula: formula.trim(),
    limit: readMaxRows(rows_limit, usualLimit),
    notes: noteColumns(configuration),
  };
}

/** Whether any column for outcomes was chosen, valid or not. */
export const hasNotes = ({ configuration = {} }: { configuration?: Row }): boolean =>
  noteFields.some(({ key }) => (configuration[nameOf(key)] ?? '') !== '');
