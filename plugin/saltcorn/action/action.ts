import Crash from '@saltcorn/data/models/crash';
import {
  type Action,
  aboutValues,
  doneSentence,
  sentence,
  TelephonyError,
  type TelephonyRecord,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { hasNotes } from '../bulk/rows-fields.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { isInTransaction } from '../transaction.ts';
import { translated } from '../translated.ts';
import type { Row } from '../where/where.ts';
import { actionFields, type FieldsOf } from './action-fields.ts';
import { valuesOf } from './action-input.ts';
import { type ActionResult, failureOf, reported, success, warning } from './action-result.ts';
import { askFirst } from './ask-first.ts';
import { assertFilledInByBuilder } from './filled-in-by-builder.ts';
import { withJoinedRows } from './joined-rows.ts';
import { asOneClick } from './one-click.ts';
import { asOneStep } from './one-step.ts';
import { isSkipped, rowChoice, rowFields, runForRow, type Skipped } from './row-choice.ts';
import { isStep, mayBeSpread, type RunArguments } from './run-arguments.ts';
import { runLater } from './run-later.ts';
import { forSingleSends } from './single-sends.ts';
import { requestOf, type SaltcornRequest, visitorOf } from './visitor.ts';

/** Runs an action with checked values, and clears the account's cached lists. */
async function send(
  action: Action,
  account: Account,
  values: Row,
  lane?: string,
): Promise<TelephonyRecord> {
  try {
    const telephony = await forSingleSends(account).telephony();
    return (await telephony.run(action.id, values, { lane })) as TelephonyRecord;
  } finally {
    account.changed();
  }
}

/** The action and its recipient, for logs. */
function aboutOf(action: Action, account: Account, run: RunArguments): string {
  try {
    const values = valuesOf(action, account.configuration, run);
    return `${action.name} (${aboutValues(action, values)})`;
  } catch {
    return action.name;
  }
}

// Logs an error. Saltcorn also runs actions while it renders a page, and doesn't show every result.
async function logUnread(about: string, error: unknown) {
  if (error instanceof TelephonyError)
    await Crash.create(reported(about, error), { url: 'page', headers: {} });
}

type Sent = TelephonyRecord | Skipped;

/** The lane of a trigger or a step, by its configuration. Clicks share one. */
const laneOf = (args: RunArguments): string | undefined =>
  isStep(args) || !requestOf(args) ? JSON.stringify(args.configuration ?? {}) : undefined;

/**
 * Runs an action, unless its row decides otherwise.
 *
 * @param once runs the work once, however often the action is repeated
 */
async function runOrSkip(
  action: Action,
  account: Account,
  args: RunArguments,
  once: <Result extends object>(work: () => Promise<Result>) => Promise<Result> = (work) => work(),
): Promise<Sent> {
  const choice = rowChoice(args.configuration);
  const work = () => {
    const values = valuesOf(action, account.configuration, args);
    return once(() => send(action, account, values, laneOf(args)));
  };
  return choice ? runForRow(action, account, args, choice, work) : work();
}

function resultOf(action: Action, sent: Sent, visitor?: string): ActionResult {
  if (!isSkipped(sent)) return success((say) => doneSentence(action, sent, say), visitor);
  const skipped = sentence('{name}: {reason}', {
    ...{ name: { text: action.name }, reason: sent.skipped },
  });
  return warning((say) => say(skipped), visitor);
}

/** What makes two clicks equal: what they send or, if the row decides that, the row. */
const clickOf = (action: Action, account: Account, run: RunArguments) =>
  rowChoice(run.configuration)
    ? [run.configuration, run.row]
    : valuesOf(action, account.configuration, run);

/**
 * Whether someone pressed a button. No one is asked by a trigger, such as that of a row that was saved, nor while Saltcorn renders a
 * page.
 */
const isClick = (run: RunArguments, request: SaltcornRequest | undefined) =>
  request?.method === 'POST' && !mayBeSpread(run);

/**
 * Runs an action for a caller who waits for its result.
 *
 * @param isConfirmed whether the visitor was asked
 */
export async function runAwaited(
  action: Action,
  account: Account,
  run: RunArguments,
  isConfirmed = false,
): Promise<ActionResult> {
  const request = requestOf(run);
  const visitor = visitorOf(request);
  try {
    assertMayRun(action, account.configuration, request);
    // What a visitor has confirmed stays as it was.
    const args = isConfirmed ? run : await withJoinedRows(action, run);
    assertFilledInByBuilder(args);
    const click = clickOf(action, account, args);
    const done = async () => {
      try {
        return resultOf(action, await runOrSkip(action, account, args), visitor);
      } catch (error) {
        if (request?.method === 'GET') await logUnread(aboutOf(action, account, args), error);
        return failureOf(error, visitor);
      }
    };
    if (!visitor) return await done();
    if (!isConfirmed && isClick(args, request)) {
      const values = () => valuesOf(action, account.configuration, args);
      const question = await askFirst(action, visitor, args, values);
      if (question) return question;
    }
    return await asOneClick([visitor, action.id, click], done, { text: action.ifUnknown });
  } catch (error) {
    return failureOf(error, visitor);
  }
}

/** Runs an action that no one waits for. Throws on failure, so that Saltcorn's crash log contains it. */
async function runUnattended(action: Action, account: Account, run: RunArguments): Promise<Sent> {
  let args = run;
  try {
    assertMayRun(action, account.configuration, requestOf(run));
    assertFilledInByBuilder(run);
    args = await withJoinedRows(action, run);
    return await runOrSkip(action, account, args, (work) =>
      isStep(args) ? asOneStep(args, work, { text: action.ifUnknown }) : work(),
    );
  } catch (error) {
    throw reported(aboutOf(action, account, args), error);
  }
}

const placesHelp = "In the fields, {{ name }} inserts the row's value of that name.";

/**
 * Creates the Saltcorn action. On a click it shows a toast, and counts a double click once. As a workflow step it gives
 * the record to later steps, under the name of its shape. Workflow steps and triggers throw on failure, so that the
 * workflow's error handler or Saltcorn's log gets the error.
 *
 * @param action the definition
 * @param account the account to use
 * @param namespace the action's heading in the builder
 */
export function saltcornAction(action: Action, account: Account, namespace: string) {
  return {
    namespace,
    get description() {
      return `${translated(action.description)} ${translated(placesHelp)}`;
    },
    requireRow: false,
    configFields: (of: FieldsOf = {}) => [
      ...actionFields(action, account.configuration, of),
      ...rowFields(action, of),
    ],
    run: async (run: RunArguments): Promise<ActionResult> => {
      const work = () => runUnattended(action, account, run);
      if (isStep(run)) {
        const sent = await work();
        return { [action.result.of]: isSkipped(sent) ? null : sent };
      }
      // The rows of its table can't record outcomes yet.
      if (isInTransaction() && hasNotes(run) && mayBeSpread(run)) return runLater(work);
      if (requestOf(run)) return runAwaited(action, account, run);
      return resultOf(action, await work());
    },
  };
}
