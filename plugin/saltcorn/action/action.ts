import Crash from '@saltcorn/data/models/crash';
import { type Action, aboutValues, doneSentence, TelephonyError } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { translated } from '../translated.ts';
import type { Row } from '../where/where.ts';
import { actionFields } from './action-fields.ts';
import { valuesOf } from './action-input.ts';
import { type Answer, failure, reported, success } from './answer.ts';
import { asOneClick } from './one-click.ts';
import { isStep, type RunArguments } from './run-arguments.ts';
import { requestOf, visitorOf } from './who-waits.ts';

async function send(action: Action, account: Account, values: Row): Promise<object> {
  try {
    const telephony = await account.telephony();
    return await telephony.run(action.id, values);
  } finally {
    account.changed();
  }
}

const aboutOf = (action: Action, values: Row) => `${action.name} (${aboutValues(action, values)})`;

// Saltcorn runs an action as it makes a page, too, and does not show everywhere what it answers.
async function logUnread(action: Action, values: Row, error: unknown) {
  if (error instanceof TelephonyError)
    await Crash.create(reported(aboutOf(action, values), error), { url: 'page', headers: {} });
}

/** Runs an action for someone who waits for its result. */
async function runAwaited(action: Action, account: Account, run: RunArguments): Promise<Answer> {
  const request = requestOf(run);
  const visitor = visitorOf(request);
  const failed = (error: unknown) => {
    if (!(error instanceof TelephonyError)) throw error;
    return failure(error.message, visitor);
  };
  try {
    assertMayRun(action, account.configuration, request);
    const values = valuesOf(action, account.configuration, run);
    const done = async () => {
      try {
        return success(doneSentence(action, await send(action, account, values)));
      } catch (error) {
        if (request?.method === 'GET') await logUnread(action, values, error);
        return failed(error);
      }
    };
    return visitor ? await asOneClick([visitor, action.id, values], done) : await done();
  } catch (error) {
    return failed(error);
  }
}

/** Runs an action that no one waits for. A failure is thrown and ends in Saltcorn's crash log. */
async function runUnattended(action: Action, account: Account, run: RunArguments): Promise<object> {
  let about = action.name;
  try {
    assertMayRun(action, account.configuration, requestOf(run));
    const values = valuesOf(action, account.configuration, run);
    about = aboutOf(action, values);
    return await send(action, account, values);
  } catch (error) {
    throw error instanceof TelephonyError ? reported(about, error) : error;
  }
}

const placesHelp = "In the fields, {{ name }} inserts the row's value of that name.";

/**
 * The Saltcorn action of an action. Where someone waits for it, it answers with a toast, and a double click is one click.
 * As a step of a workflow it gives the record to the steps that follow, under the name of its shape, and fails so that
 * the workflow's error handler sees it. In a trigger it fails so that Saltcorn's log has it.
 *
 * @param action the definition
 * @param account the account that it uses
 * @param namespace the heading that the builder shows it under
 */
export function saltcornAction(action: Action, account: Account, namespace: string) {
  return {
    namespace,
    get description() {
      return `${translated(action.description)} ${translated(placesHelp)}`;
    },
    requireRow: false,
    configFields: () => actionFields(action),
    run: async (run: RunArguments): Promise<Answer> => {
      if (isStep(run)) return { [action.result.of]: await runUnattended(action, account, run) };
      if (requestOf(run)) return runAwaited(action, account, run);
      return success(doneSentence(action, await runUnattended(action, account, run)));
    },
  };
}
