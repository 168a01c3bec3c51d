import { type EventDefinition, type EventReply, waitingReply } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { inputOf } from '../action/action-input.ts';
import { type ActionResult, reported } from '../action/action-result.ts';
import { withJoinedRows } from '../action/joined-rows.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import { requestOf } from '../action/visitor.ts';
import { formField } from '../settings/form-field.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { translated } from '../translated.ts';
import { replyId } from './reply-id.ts';

/**
 * The name of a reply's action. If it is the event's only reply, it names the event, which the list of actions doesn't
 * show.
 */
export const replyName = ({ name, replies }: EventDefinition, reply: EventReply): string =>
  replies?.length === 1 ? `Reply: ${name}` : reply.name;

const replyHelp =
  "Use it in triggers of “{{event}}”; the reply must be ready within ten seconds. {{ name }} inserts the event's value of that name.";

/** Says below the first field if a polled event can't get this reply. */
const pollingHelp = ({ fields, polled }: EventReply, field: EventReply['fields'][number]) =>
  polled || field !== fields[0]
    ? {}
    : {
        sublabel: `${translated(field.help ?? '')} ${translated('Not possible while polling.')}`,
      };

/**
 * Creates the Saltcorn action that replies to an event, for triggers and workflows.
 *
 * @param event the definition of the event
 * @param reply the form of the reply
 * @param account the account that receives the event
 * @param namespace the action's heading in the builder
 */
export function replyAction(
  event: EventDefinition,
  reply: EventReply,
  account: Account,
  namespace: string,
) {
  const action = { name: replyName(event, reply), fields: reply.fields };
  return {
    namespace,
    get description() {
      return `${translated(reply.description)} ${translated(replyHelp, { event: event.name })}`;
    },
    requireRow: false,
    // A button has no event to reply to.
    disableInBuilder: true,
    // The form of a trigger doesn't show the description.
    configFields: () => reply.fields.map((field) => formField(field, pollingHelp(reply, field))),
    run: async (run: RunArguments): Promise<ActionResult> => {
      try {
        assertMayRun(action, account.configuration, requestOf(run));
        const input = inputOf(action, account.configuration, await withJoinedRows(action, run));
        await waitingReply(replyId(event, run.row ?? {})).reply(reply.id, input);
        return {};
      } catch (error) {
        throw reported(action.name, error);
      }
    },
  };
}
