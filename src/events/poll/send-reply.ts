import { actionOf } from '../../definition/operation.ts';
import { checkInput } from '../../input/check-input.ts';
import type { ActionOptions, Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { checkReply, type GivenReply } from '../deliver/reply.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';

/**
 * Checks the reply to a polled event, for which the service doesn't wait: it is sent by an action of its own.
 *
 * @returns a function that sends it
 * @throws {TelephonyError} with code `input` if it can't be sent
 */
export function replySender(
  telephony: Telephony,
  event: TelephonyEvent,
  reply: GivenReply,
): (options: ActionOptions) => Promise<unknown> {
  const { form, values } = checkReply(event, reply, telephony.cleanPhone);
  if (!form.polled)
    throw new TelephonyError('input', `“${form.name}” is not possible while polling.`);
  const action = actionOf(form.polled.action);
  const filled = (keys: Record<string, string>, from: object) =>
    Object.entries(keys).map(([key, source]) => [key, Reflect.get(from, source)]);
  const input = Object.fromEntries([
    ...filled(form.polled.record, event.record),
    ...filled(form.polled.fields, values),
  ]);
  checkInput(action, input, telephony.cleanPhone);
  return (options) => telephony.run(action.id, input, options);
}
