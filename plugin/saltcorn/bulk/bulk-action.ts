import Crash from '@saltcorn/data/models/crash';
import Table from '@saltcorn/data/models/table';
import {
  type Action,
  batchError,
  countsOf,
  inEnglish,
  isToSend,
  isWithoutProblems,
  problemsOf,
  problemText,
  type RowItem,
  recipientField,
  resultSentence,
  type Say,
  type TelephonyError,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { actionFields, type FieldsOf } from '../action/action-fields.ts';
import {
  type ActionResult,
  failure,
  failureOf,
  reported,
  success,
} from '../action/action-result.ts';
import { assertFilledInByBuilder } from '../action/filled-in-by-builder.ts';
import { asOneStep } from '../action/one-step.ts';
import { isStep, type RunArguments } from '../action/run-arguments.ts';
import { runLater } from '../action/run-later.ts';
import { forSingleSends } from '../action/single-sends.ts';
import { requestOf, visitorOf } from '../action/visitor.ts';
import type { FormField } from '../settings/form-field.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { isInTransaction } from '../transaction.ts';
import { translated } from '../translated.ts';
import { press } from './bulk-run.ts';
import { chosenRows } from './chosen-rows.ts';
import { plan } from './plan.ts';
import { notesIn } from './row-notes.ts';
import { hasNotes, rowsChoice, rowsFields, tableField } from './rows-fields.ts';
import { runOnAccount } from './run-on-account.ts';

const eachHelp =
  "Runs for each row of a table. In the fields, {{ name }} inserts the row's value of that name.";

/** Each row has its own recipient, so a number would be a wrong example. */
const withRowPlaceholder = (action: Action) => (field: FormField) =>
  field.name === recipientField(action)?.key
    ? { ...field, attributes: { ...field.attributes, placeholder: '{{ phone }}' } }
    : field;

const isNeverStopped = async () => false;

interface Result {
  items: RowItem[];
  records: object[];
}

/** Runs immediately, for rows that no page selects. */
async function runAtOnce(action: Action, account: Account, run: RunArguments): Promise<Result> {
  const request = requestOf(run);
  assertMayRun(action, account.configuration, request);
  assertFilledInByBuilder(run);
  const { row, user, configuration = {} } = run;
  const choice = rowsChoice(configuration);
  const { table, rows } = await chosenRows(choice, { row, user, request });
  const items = await plan(action, account.configuration, table, rows, run, choice.notes);
  const notesOf = choice.notes && notesIn(table, choice.notes);
  const work = async () => ({
    items,
    records: await runOnAccount(action, forSingleSends(account), items, isNeverStopped, notesOf),
  });
  // Rows that record their outcomes can be resumed.
  const isOnce = isStep(run) && !notesOf && items.some(isToSend);
  return isOnce ? asOneStep(run, work, { text: action.ifUnknown }) : work();
}

const resultText = (action: Action, items: RowItem[]) => (say: Say) =>
  [resultSentence(action, countsOf(items)), ...problemsOf(items).map(problemText)]
    .map(say)
    .join('\n');

/** The builder's name for the action that runs for each row. */
export const bulkName = ({ name }: Action) => `${name} for each row`;

/** Returns an error for the failed rows; undefined if there are none. */
function errorOf(action: Action, items: RowItem[]): TelephonyError | undefined {
  const error = batchError(action, items);
  return error && reported(bulkName(action), error);
}

async function runUnattended(action: Action, account: Account, run: RunArguments): Promise<Result> {
  try {
    return await runAtOnce(action, account, run);
  } catch (error) {
    throw reported(bulkName(action), error);
  }
}

/** Runs as a workflow step. Returns the values that later steps can use, and also logs an error. */
async function runStep(action: Action, account: Account, run: RunArguments): Promise<ActionResult> {
  const { items, records } = await runUnattended(action, account, run);
  const error = errorOf(action, items);
  if (error) await Crash.create(error, { url: 'workflow', headers: {} });
  const { done, failed, unknown, duplicate, ...others } = countsOf(items);
  const [alreadyDone, notRun] = [others['already-done'], others['not-run']];
  return {
    ...{ done, alreadyDone, duplicate, failed, optedOut: others['opted-out'], unknown, notRun },
    problems: problemsOf(items).map(problemText).map(inEnglish),
    [`${action.result.of}s`]: records,
  };
}

/** Runs when no one waits. Throws if rows failed. */
async function runToEnd(action: Action, account: Account, run: RunArguments): Promise<RowItem[]> {
  const { items } = await runUnattended(action, account, run);
  const error = errorOf(action, items);
  if (error) throw error;
  return items;
}

async function runAwaited(
  action: Action,
  account: Account,
  run: RunArguments,
): Promise<ActionResult> {
  const request = requestOf(run);
  const visitor = visitorOf(request);
  try {
    assertMayRun(action, account.configuration, request);
    if (request && visitor) return await press(action, visitor, run, request);
    const { items } = await runAtOnce(action, account, run);
    const write = resultText(action, items);
    return isWithoutProblems(items) ? success(write) : failure(write, visitor);
  } catch (error) {
    return failureOf(error, visitor);
  }
}

/**
 * Creates the Saltcorn action that runs an action for each row of a table. Its button shows a preview first, then the
 * progress with a stop button, then the result. Triggers and workflows start at once.
 *
 * @param action the definition
 * @param account the account to use
 * @param namespace the action's heading in the builder
 */
export function bulkAction(action: Action, account: Account, namespace: string) {
  return {
    namespace,
    get description() {
      return `${translated(action.description)} ${translated(eachHelp)}`;
    },
    requireRow: false,
    // Its rows are, unless the user chooses others, those of the table.
    configFields: async ({ table }: FieldsOf & { table?: { name: string } | null } = {}) => {
      const tables = await Table.find({}, { cached: true });
      return [
        tableField(tables, table ?? undefined),
        ...actionFields(action, account.configuration, { table }).map(withRowPlaceholder(action)),
        ...rowsFields(action, tables),
      ];
    },
    run: async (run: RunArguments): Promise<ActionResult> => {
      if (isStep(run)) return runStep(action, account, run);
      if (requestOf(run)) return runAwaited(action, account, run);
      const work = () => runToEnd(action, account, run);
      if (isInTransaction() && hasNotes(run)) return runLater(work);
      return success(resultText(action, await work()));
    },
  };
}
