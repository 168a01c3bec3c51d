import type { EventReply } from '../../../generated/definition-types.ts';
import { eventDefinition } from '../../definition/operation.ts';
import type { CleanPhone } from '../../field-types/clean-phone.ts';
import { checkValues, type Values } from '../../input/check-values.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { numberText } from '../../text/format.ts';
import { twiml } from '../../text/twiml.ts';
import type { GivenReply } from './reply.ts';
import type { TelephonyEvent } from './telephony-event.ts';

/** The context in which a reply is written. */
export interface ReplyContext {
  /** The webhook URL, to which the service reports the result of the reply. */
  url: string;
  cleanPhone: CleanPhone;
}

const refused = (sentence: string) => new TelephonyError('input', sentence);

const wellFormed = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

function fillIn({ id }: TelephonyEvent, reply: GivenReply) {
  const { name, replies = [] } = eventDefinition(id);
  const [first] = replies;
  if (!first) throw refused(`You can't reply to “${name}”.`);
  if (typeof reply === 'string')
    return { form: first, input: { [first.fields[0]?.key ?? '']: reply } };
  const form = replies.find((one) => one.id === reply.form);
  if (form) return { form, input: reply.input };
  const names = replies.map((one) => `“${one.name}”`).join(' or ');
  throw refused(`“${name}” has no such reply. Use ${names}.`);
}

/** Returns the instructions of a form with its values. */
function elementsOf(form: EventReply, values: Values, url: string) {
  const { fields, fixed = {}, reported } = form;
  const attributes: [name: string, value: string][] = [
    ...fields
      .filter(({ in: location, key }) => location === 'attribute' && values[key] !== undefined)
      .map(({ name, key }): [string, string] => [name, String(values[key])]),
    ...Object.entries(fixed),
    ...(reported ? [[reported.to, url] as [string, string]] : []),
  ];
  return form.elements.flatMap((name) => {
    const content = fields.find((field) => field.in === 'element' && field.name === name);
    const text = content && values[content.key];
    if (content && text === undefined) return [];
    const own = attributes.filter(([attribute]) => attribute.startsWith(`${name}.`));
    return {
      name,
      text: text?.toString(),
      attributes: own.map(([attribute, value]): [string, string] => [
        attribute.slice(name.length + 1),
        value,
      ]),
    };
  });
}

/**
 * Returns the form of a reply, and its checked values.
 *
 * @throws {TelephonyError} with code `input` if the event has no such reply, or a value is invalid
 */
export function checkReply(event: TelephonyEvent, reply: GivenReply, cleanPhone: CleanPhone) {
  const { form, input } = fillIn(event, reply);
  const entered = Object.entries(input).map(([key, value]) => [key, wellFormed(value)]);
  return { form, values: checkValues(form, Object.fromEntries(entered), 'input', cleanPhone) };
}

/**
 * Checks a reply and writes it in TwiML.
 *
 * @throws {TelephonyError} with code `input` if it can't be sent
 */
export function writeReply(
  event: TelephonyEvent,
  reply: GivenReply,
  { url, cleanPhone }: ReplyContext,
): string {
  const { form, values } = checkReply(event, reply, cleanPhone);
  const written = twiml(elementsOf(form, values, url));
  const { maxLength = Number.POSITIVE_INFINITY } = form;
  if (written.length > maxLength)
    throw refused(
      `The reply is too long: it takes ${numberText(written.length)} characters of ${numberText(maxLength)}. Shorten its text.`,
    );
  return written;
}
