import { type Clicks, type EventDefinition, sampleRecord } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import { settingsOf } from '../account/stored-account.ts';
import type { Execution, ManualOptions, StoredWorkflow, Workflows } from './workflows.ts';

/** What NocoBase needs to know of a workflow that was executed manually. */
export interface Started {
  execution: Execution;
}

/**
 * The trigger of an event in NocoBase's workflows. It registers nothing: the plugin queries the enabled workflows when
 * an event arrives.
 */
export const eventTrigger = (
  { id }: EventDefinition,
  workflows: Workflows,
  accounts: Accounts,
  clicks: Clicks<Started | null>,
) => ({
  on() {},
  off() {},
  validateConfig: () => null,
  validateEvent: () => true,
  /**
   * Runs a workflow with a sample of the event. NocoBase calls it if someone executes the workflow manually, after it
   * has checked their rights. The delivery log doesn't contain samples, so they hide no event. A double click on NocoBase's button runs
   * the workflow once.
   *
   * @throws {TelephonyError} if the sample is invalid, or the account is unclear
   */
  execute: async (workflow: StoredWorkflow, values: unknown, options: ManualOptions) => {
    const account = await accounts.get(await accounts.keyOf(workflow.config));
    const record = sampleRecord(id, Object(Object(values).data), settingsOf(account));
    return clicks.once(JSON.stringify(['execute', workflow.key, values]), async () => {
      const processor = await workflows.trigger(workflow, { data: record }, options);
      if (!processor) return null;
      const { id: execution, status } = processor.execution;
      return { execution: { id: execution, status } };
    });
  },
});
