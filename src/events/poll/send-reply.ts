import type { ActionOptions, Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { sentence } from '../../text/sentence.ts';
import { actionLike, checkReply, type GivenReply } from '../deliver/reply.ts';
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
  const sent = actionLike(event, form, values, telephony.cleanPhone);
  if (!sent)
    throw new TelephonyError(
      'input',
      sentence('“{name}” is not possible while polling.', { name: { text: form.name } }),
    );
  return (options) => telephony.run(sent.action.id, sent.input, options);
}
