import { escapeHtml } from '@saltcorn/data/utils';
import { type Action, doneSentence, TelephonyError } from '../../../src/index.ts';
import type { Account } from '../account/account.ts';
import { formField } from '../settings/form-field.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import type { Row } from '../where/where.ts';
import { inputOf, type RunArguments } from './action-input.ts';

async function runAction(action: Action, account: Account, run: RunArguments): Promise<Row> {
  assertMayRun(action, account.configuration, run.req);
  try {
    const input = inputOf(action, run);
    const telephony = await account.telephony();
    return await telephony.run(action.id, input);
  } finally {
    account.changed();
  }
}

/**
 * The Saltcorn action of an action. Where someone waits for it, it answers with a toast. As a step of a workflow it
 * gives the record to the steps that follow, under the name of its shape, and fails so that the workflow's error
 * handler sees it.
 *
 * @param action the definition
 * @param account the account it is done on
 * @param namespace the heading that the builder shows it under
 */
export function saltcornAction(action: Action, account: Account, namespace: string) {
  return {
    namespace,
    description: `${action.description} In the fields, {{ name }} stands for the row's value of that name.`,
    requireRow: false,
    configFields: () => action.fields.map((field) => formField(field)),
    // Toasts are HTML in Saltcorn.
    run: async (run: RunArguments) => {
      if (run.mode === 'workflow')
        return { [action.result.of]: await runAction(action, account, run) };
      try {
        const record = await runAction(action, account, run);
        return { notify_success: escapeHtml(doneSentence(action, record)) };
      } catch (error) {
        if (!(error instanceof TelephonyError)) throw error;
        return { error: escapeHtml(error.message) };
      }
    },
  };
}
