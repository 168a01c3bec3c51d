import {
  type EventDefinition,
  replyField,
  TelephonyError,
  waitingReply,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { inputOf } from '../action/action-input.ts';
import { type Answer, reported } from '../action/answer.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import { requestOf } from '../action/who-waits.ts';
import { formField } from '../settings/form-field.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { replyId } from './reply-id.ts';

/** The name of the action that replies to an event. */
export const replyName = ({ name }: EventDefinition): string => `Reply: ${name}`;

/**
 * The Saltcorn action that replies to an event, for its triggers and workflows.
 *
 * @param event the definition, of an event that can be replied to
 * @param account the account whose events they are
 * @param namespace the heading that the builder shows it under
 */
export function replyAction(event: EventDefinition, account: Account, namespace: string) {
  const action = { name: replyName(event), fields: [replyField] };
  return {
    namespace,
    description: `Replies to the sender of “${event.name}”. Use it in triggers of that event; the reply must be ready within ten seconds. {{ name }} inserts the event's value of that name.`,
    requireRow: false,
    configFields: () => [formField(replyField)],
    run: async (run: RunArguments): Promise<Answer> => {
      try {
        assertMayRun(action, account.configuration, requestOf(run));
        const { [replyField.key]: text } = inputOf(action, account.configuration, run);
        waitingReply(replyId(event, run.row ?? {})).reply(text);
        return {};
      } catch (error) {
        throw error instanceof TelephonyError ? reported(action.name, error) : error;
      }
    },
  };
}
