import type { ActiveTrigger } from 'n8n-workflow';
import { definitions, sampleRecord, type TelephonyEvent } from '../../../src/builder.ts';
import { accountOf, settingsOf } from '../account/account.ts';
import { listenToLimits } from './limit-listeners.ts';
import { eventItem, triggerDescription } from './trigger.ts';

const { manifest, events, actions } = definitions;

const raised = events.filter(({ raisedBy }) => raisedBy !== undefined);

/** An event to build a workflow with. */
async function example(trigger: ActiveTrigger) {
  const { settings } = await settingsOf(trigger);
  const id = String(trigger.getNodeParameter('event'));
  const until = new Date(Date.now() + 3_600_000);
  const values = { sid: `LR${'0'.repeat(32)}`, limit: 'perHour', most: 1_000, until };
  const more = { action: actions[0]?.name, message: 'The limit "Messages per hour" is reached.' };
  const record = sampleRecord(id, { ...values, ...more }, settings);
  return eventItem({ id, record, parameters: {} } as unknown as TelephonyEvent);
}

/** The trigger for limits that the account of a credential reaches. */
export class TelephonyLimitTrigger {
  description = {
    ...triggerDescription(raised),
    displayName: 'Telephony Limit Trigger',
    name: `${manifest.id}LimitTrigger`,
    description: 'Starts the workflow when a limit of the credential refuses a message or a call',
    defaults: { name: 'Telephony Limit Trigger' },
  };

  async trigger(this: ActiveTrigger) {
    const { account } = await accountOf(this);
    const end = listenToLimits(account, (item) => this.emit([[item]]));
    return {
      closeFunction: async () => end(),
      manualTriggerFunction: async () => this.emit([[await example(this)]]),
    };
  }
}
