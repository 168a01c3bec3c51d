import { type EventDefinition, sampleRecord } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import { settingsOf } from '../account/stored-account.ts';
import type { ManualOptions, StoredWorkflow, Workflows } from './workflows.ts';

/**
 * The trigger of an event in NocoBase's workflows. It registers nothing: the plugin queries the enabled workflows when
 * an event arrives.
 */
export const eventTrigger = (
  { id }: EventDefinition,
  workflows: Workflows,
  accounts: Accounts,
) => ({
  on() {},
  off() {},
  validateConfig: () => null,
  validateEvent: () => true,
  /**
   * Runs a workflow with a sample of the event. NocoBase calls it if someone executes the workflow manually, after it
   * has checked their rights. The delivery log doesn't contain samples, so they hide no event.
   *
   * @throws {TelephonyError} if the sample is invalid, or the account is unclear
   */
  execute: async (workflow: StoredWorkflow, values: unknown, options: ManualOptions) => {
    const account = await accounts.get(workflow.config.account);
    const record = sampleRecord(id, Object(Object(values).data), settingsOf(account));
    return workflows.trigger(workflow, { data: record }, options);
  },
});
