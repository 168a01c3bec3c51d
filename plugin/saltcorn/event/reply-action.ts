import {
  definitions,
  type EventDefinition,
  type EventReply,
  waitingReply,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { checkTyped, inputOf } from '../action/action-input.ts';
import { type ActionResult, reported } from '../action/action-result.ts';
import { withJoinedRows } from '../action/joined-rows.ts';
import { onSave } from '../action/on-save.ts';
import type { RunArguments } from '../action/run-arguments.ts';
import { requestOf } from '../action/visitor.ts';
import { formField } from '../settings/form-field.ts';
import { assertMayRun } from '../settings/minimum-role.ts';
import { translated } from '../translated.ts';
import type { Row } from '../where/where.ts';
import { replyId } from './reply-id.ts';

const eventsWith = (reply: EventReply): EventDefinition[] =>
  definitions.events.filter(({ replies }) => replies?.includes(reply));

/**
 * The name of a reply's action. If it is the event's only reply, it names the event, which the list of actions doesn't
 * show.
 */
export function replyName(reply: EventReply): string {
  const only = eventsWith(reply).find(({ replies }) => replies?.length === 1);
  return only ? `Reply: ${only.name}` : reply.name;
}

/** The id of the event that a row is of. In a workflow, the row also has values of other records, but the event's come with all of its own. */
export function replyIdIn(events: EventDefinition[], row: Row): string | undefined {
  const [event] = events
    .filter(({ identifiedBy }) => identifiedBy.every((key) => (row[key] ?? '') !== ''))
    .sort((one, other) => other.identifiedBy.length - one.identifiedBy.length);
  return event && replyId(event, row);
}

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
 * Creates the Saltcorn action that replies to events, for triggers and workflows.
 *
 * @param reply the form of the reply
 * @param account the account that receives the event
 * @param namespace the action's heading in the builder
 */
export function replyAction(reply: EventReply, account: Account, namespace: string) {
  const events = eventsWith(reply);
  const action = { name: replyName(reply), fields: reply.fields };
  const event = events.map(({ name }) => name).join(', ');
  return {
    namespace,
    get description() {
      return `${translated(reply.description)} ${translated(replyHelp, { event })}`;
    },
    requireRow: false,
    // A button has no event to reply to.
    disableInBuilder: true,
    // The form of a trigger doesn't show the description.
    configFields: () =>
      reply.fields.map((field) =>
        formField(field, {
          ...pollingHelp(reply, field),
          ...onSave((typed) => checkTyped(reply, field, account.configuration, typed)),
        }),
      ),
    run: async (run: RunArguments): Promise<ActionResult> => {
      try {
        assertMayRun(action, account.configuration, requestOf(run));
        const input = inputOf(action, account.configuration, await withJoinedRows(action, run));
        await waitingReply(replyIdIn(events, run.row ?? {}) ?? '').reply(reply.id, input);
        return {};
      } catch (error) {
        throw reported(action.name, error);
      }
    },
  };
}
