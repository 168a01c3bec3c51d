import Crash from '@saltcorn/data/models/crash';
import { type Action, aboutValues, doneSentence, TelephonyError } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { translated } from '../translated.ts';
import type { Row } from '../where/where.ts';
import { actionFields, type FieldsOf } from './action-fields.ts';
import { valuesOf } from './action-input.ts';
import { type ActionResult, failureOf, reported, success } from './action-result.ts';
import { asOneClick } from './one-click.ts';
import { asOneStep } from './one-step.ts';
import { isStep, type RunArguments } from './run-arguments.ts';
import { requestOf, visitorOf } from './visitor.ts';

/** Runs an action with checked values, and clears the account's cached lists. */
export async function send(action: Action, account: Account, values: Row): Promise<object> {
  try {
    const telephony = await account.telephony();
    return await telephony.run(action.id, values);
  } finally {
    account.changed();
  }
}

const aboutOf = (action: Action, values: Row) => `${action.name} (${aboutValues(action, values)})`;

// Logs an error. Saltcorn also runs actions while it renders a page, and doesn't show every result.
async function logUnread(action: Action, values: Row, error: unknown) {
  if (error instanceof TelephonyError)
    await Crash.create(reported(aboutOf(action, values), error), { url: 'page', headers: {} });
}

/** Runs an action for a caller who waits for its result. */
async function runAwaited(
  action: Action,
  account: Account,
  run: RunArguments,
): Promise<ActionResult> {
  const request = requestOf(run);
  const visitor = visitorOf(request);
  try {
    assertMayRun(action, account.configuration, request);
    const values = valuesOf(action, account.configuration, run);
    const done = async () => {
      try {
        return success(doneSentence(action, await send(action, account, values)));
      } catch (error) {
        if (request?.method === 'GET') await logUnread(action, values, error);
        return failureOf(error, visitor);
      }
    };
    if (!visitor) return await done();
    return await asOneClick([visitor, action.id, values], done, action.ifUnknown);
  } catch (error) {
    return failureOf(error, visitor);
  }
}

/** Runs an action that no one waits for. Throws on failure, so that Saltcorn's crash log contains it. */
async function runUnattended(action: Action, account: Account, run: RunArguments): Promise<object> {
  let about = action.name;
  try {
    assertMayRun(action, account.configuration, requestOf(run));
    const values = valuesOf(action, account.configuration, run);
    about = aboutOf(action, values);
    const work = () => send(action, account, values);
    return await (isStep(run) ? asOneStep(run, work, action.ifUnknown) : work());
  } catch (error) {
    throw reported(about, error);
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
    configFields: (of?: FieldsOf) => actionFields(action, account.configuration, of),
    run: async (run: RunArguments): Promise<ActionResult> => {
      if (isStep(run)) return { [action.result.of]: await runUnattended(action, account, run) };
      if (requestOf(run)) return runAwaited(action, account, run);
      return success(doneSentence(action, await runUnattended(action, account, run)));
    },
  };
}
