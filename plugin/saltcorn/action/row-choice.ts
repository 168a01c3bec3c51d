import type { SaltcornTable } from '@saltcorn/data/models/table';
import {
  type Action,
  batchError,
  matcher,
  type Said,
  type Sentence,
  sentence,
  sentences,
  TelephonyError,
  type TelephonyRecord,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { columnsOf } from '../bulk/columns-of.ts';
import { readFormula } from '../bulk/formula.ts';
import { plan } from '../bulk/plan.ts';
import { assertNoteColumns, columnsFor, type NoteColumns, notesIn } from '../bulk/row-notes.ts';
import { noteColumns, outcomeFields, rowsField } from '../bulk/rows-fields.ts';
import { runOnAccount } from '../bulk/run-on-account.ts';
import { readerOf } from '../data-source/row-rights.ts';
import type { FormField } from '../settings/form-field.ts';
import { translated } from '../translated.ts';
import { withoutSubSelects } from '../where/sub-select.ts';
import type { Row } from '../where/where.ts';
import type { FieldsOf } from './action-fields.ts';
import { isTable, mayBeSpread, type RunArguments } from './run-arguments.ts';
import { forSingleSends } from './single-sends.ts';
import { requestOf } from './visitor.ts';

const onlyIf = 'Only if';

/**
 * The fields of an action that runs for one row: when it may, and where its outcome is recorded.
 *
 * @param table the row's table
 * @param mode where the action is used
 */
export function rowFields(action: Action, { table, mode }: FieldsOf): FormField[] {
  // The values of a workflow are no row.
  if (!isTable(table) || mode === 'workflow') return [];
  const help =
    'A formula such as status === "open". If it isn\'t true for the row, nothing is sent.';
  const formula = rowsField('rows_if', onlyIf, translated(help), { type: 'String' });
  const columns = outcomeFields(action, (type) => ({
    ...{ input_type: 'select', default: '' },
    options: ['', ...columnsFor(table, type)],
  }));
  // Triggers have a condition of their own.
  const isView = mode !== undefined && mode !== 'trigger';
  return [...(isView ? [formula] : []), ...(table.provider_name ? [] : columns)];
}

/** When an action may run for a row, and the columns that record its outcome. */
export interface RowChoice {
  formula: string;
  notes: NoteColumns | undefined;
}

const refused = (said: Sentence) =>
  new TelephonyError('input', sentences(said, sentence('Nothing was sent.')));

const notFormula = (label: string) =>
  sentence('“{label}” is not a formula.', { label: { text: label } });

/**
 * Reads the values of these fields.
 *
 * @returns undefined if there are none
 * @throws {TelephonyError} if they are invalid
 */
export function rowChoice(configuration: Row = {}): RowChoice | undefined {
  const formula = configuration.rows_if ?? '';
  if (typeof formula !== 'string') throw refused(notFormula(onlyIf));
  const notes = noteColumns(configuration);
  return formula.trim() || notes ? { formula: formula.trim(), notes } : undefined;
}

/** Why nothing was sent, although nothing failed. */
export interface Skipped {
  skipped: Said;
}

export const isSkipped = (result: object): result is Skipped => 'skipped' in result;

async function isTrue(formula: string, table: SaltcornTable, { row = {}, user }: RunArguments) {
  const columns = columnsOf(table);
  const { condition } = readFormula(formula, table, columns, { row, user }, onlyIf);
  return matcher(await withoutSubSelects(condition, columns), columns)(row);
}

/** Reads the row with the user's rights: one that a visitor typed could be another's. */
async function storedRow(table: SaltcornTable, run: RunArguments): Promise<Row> {
  const key = run.row?.[table.pk_name] ?? '';
  const where = { [table.pk_name]: key };
  // A trigger may read all rows of its table.
  const reader = mayBeSpread(run) ? {} : readerOf(requestOf(run));
  const rows = key === '' ? [] : await table.getRows(where, reader);
  const [row] = rows;
  if (!row)
    throw refused(
      sentence("The outcome can't be recorded, because the row isn't saved or is gone."),
    );
  return row;
}

/** Runs an action for a stored row, and records its outcome there, as a batch does. */
async function runRecorded(
  action: Action,
  account: Account,
  table: SaltcornTable,
  run: RunArguments & { row: Row },
  notes: NoteColumns,
): Promise<Skipped | TelephonyRecord> {
  const items = await plan(action, account.configuration, table, [run.row], run, notes);
  const isStopped = async () => false;
  const notesOf = notesIn(table, notes);
  const [record] = await runOnAccount(action, forSingleSends(account), items, isStopped, notesOf);
  if (record) return record as TelephonyRecord;
  const error = batchError(action, items);
  if (error) throw new TelephonyError(error.code, items[0]?.message || error.said);
  const said = sentence("The row's “{column}” says that this is done. Nothing was sent.", {
    column: notes.outcome,
  });
  return { skipped: said };
}

/**
 * Runs an action for its row, unless the row doesn't match or says that it is done.
 *
 * @param send runs it for a row without columns for its outcome
 * @throws {TelephonyError} if it failed, or there is no row
 */
export async function runForRow(
  action: Action,
  account: Account,
  run: RunArguments,
  { formula, notes }: RowChoice,
  send: () => Promise<TelephonyRecord>,
): Promise<Skipped | TelephonyRecord> {
  const { table } = run;
  if (!isTable(table) || !run.row)
    throw refused(
      sentence('“{label}” and “{column}” need a row. Use the action in a view of rows.', {
        ...{ label: { text: onlyIf }, column: { text: 'Outcome column' } },
      }),
    );
  if (notes) assertNoteColumns(table, notes);
  const own = notes ? { ...run, row: await storedRow(table, run) } : { ...run, row: run.row };
  if (formula && !(await isTrue(formula, table, own)))
    return {
      skipped: sentence("“{label}” isn't true for this row. Nothing was sent.", {
        label: { text: onlyIf },
      }),
    };
  return notes ? runRecorded(action, account, table, own, notes) : send();
}
