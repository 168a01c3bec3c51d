import type { Execute, Item, Values } from 'n8n-workflow';
import {
  definitions,
  type EventReply,
  eventDefinition,
  type FilledReply,
  noLongerWaiting,
  responseWith,
  type Telephony,
  TelephonyError,
  type TelephonyEvent,
} from '../../../src/builder.ts';

/** Where and until when an event waits for a reply. Its item has it, because a worker may reply. */
export interface ReplyTo {
  url: string;
  until: Date;
}

/** The key of what n8n keeps for the execution. */
const repliedKey = 'telephony:replied';

const triggerType = new RegExp(`\\.${definitions.manifest.id}Trigger$`);

/** Returns the event that waits: in the item or, if other nodes have changed that, in the one of the trigger. */
function waitingItem(context: Execute, item: number): Values | undefined {
  const { $ } = context.getWorkflowDataProxy(item);
  const started = context
    .getParentNodes(context.getNode().name)
    .filter(({ name, type }) => triggerType.test(type) && $(name).isExecuted)
    .map(({ name }) => $(name).first().json);
  const all = [context.getInputData()[item]?.json, ...started];
  return all.find((json) => json?.replyTo && json.event);
}

/** The event of an item, as its trigger got it. */
function eventOf({ event, replyTo, ...record }: Values): TelephonyEvent {
  const { id, parameters } = eventDefinition(String(event));
  const given = parameters.map(({ name, key }) => [name, record[key]]);
  return { id, record, parameters: Object.fromEntries(given) } as unknown as TelephonyEvent;
}

/**
 * Replies to the event that started the workflow. n8n passes the response on to the process that received the event.
 *
 * @throws {TelephonyError} with code `input` if no event waits for this reply, or `limit-reached`
 */
export async function reply(
  context: Execute,
  telephony: Telephony,
  { id: form }: EventReply,
  input: object,
  item: number,
): Promise<Item[]> {
  const waiting = waitingItem(context, item);
  if (!waiting)
    throw new TelephonyError(
      'input',
      'No reply was sent, because no event waits for one. Turn on “Reply” in the Telephony Trigger of this workflow.',
    );
  const { url, until } = waiting.replyTo as ReplyTo;
  const execution = context.getContext('flow');
  const isReplied = execution[repliedKey] === true;
  const isInTime = Date.now() <= new Date(until).getTime();
  if (isReplied || !isInTime) throw noLongerWaiting(isReplied);
  // Before it is counted: another item may reply in the meantime.
  execution[repliedKey] = true;
  try {
    const filled = { form, input } as FilledReply;
    const { status, ...response } = await responseWith(telephony, eventOf(waiting), filled, url);
    await context.sendResponse({ statusCode: status, ...response });
  } catch (error) {
    execution[repliedKey] = false;
    throw error;
  }
  const { json = {}, binary } = context.getInputData()[item] ?? {};
  return [{ json, ...(binary && { binary }) }];
}
