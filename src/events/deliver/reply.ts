import type { EventDefinition, EventReply, Field } from '../../../generated/definition-types.ts';
import { definitions } from '../../../generated/definitions.ts';
import type { Replies } from '../../../generated/operations.ts';
import { noteSent } from '../../batch/single-sends.ts';
import { actionOf, eventDefinition } from '../../definition/operation.ts';
import type { CleanPhone } from '../../field-types/phone.ts';
import { checkInput } from '../../input/check-input.ts';
import { checkValues, type Values } from '../../input/check-values.ts';
import { replyGuard } from '../../limits/spending-guard.ts';
import { storeProblem } from '../../store/store.ts';
import type { Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { isObject } from '../../text/json.ts';
import { type Said, sentence } from '../../text/sentence.ts';
import { type TwimlElement, twiml } from '../../text/twiml.ts';
import { connectionOf } from '../../wire/connection.ts';
import { withReportQuery } from './report-query.ts';
import type { TelephonyEvent } from './telephony-event.ts';
import { replied, type WebhookResponse } from './webhook-response.ts';

/** A reply: one of the forms that the event lists, filled in. */
export type FilledReply = {
  [Id in keyof Replies]: { form: Id; input: Replies[Id] };
}[keyof Replies];

/** The reply of a handler: a form that is filled in, or a text for the first field of the event's first form. */
export type GivenReply = string | FilledReply;

/** The forms of the replies of all events. Several events can have the same. */
export const replyForms: readonly EventReply[] = [
  ...new Set(definitions.events.flatMap(({ replies = [] }) => replies)),
];

/** The events that arrive at the webhook URL: the plugin doesn't raise them. */
export const webhookEvents: readonly EventDefinition[] = definitions.events.filter(
  ({ raisedBy }) => !raisedBy,
);

/** Those that the service reports by itself: the plugin doesn't ask for them in a reply. */
export const serviceEvents: readonly EventDefinition[] = webhookEvents.filter(({ parameters }) =>
  parameters.every((one) => one.in !== 'query'),
);

/** Whether a handler returned a reply, because an app may return anything. */
export const isReply = (value: unknown): value is GivenReply =>
  typeof value === 'string'
    ? value.trim() !== ''
    : typeof Object(value).form === 'string' && isObject(Object(value).input);

/** Whether a handler returned something that looks like a reply and is none, such as a number or a form without its input. */
export const isFaultyReply = (value: unknown): boolean =>
  !isReply(value) &&
  (typeof value === 'number' ||
    typeof value === 'bigint' ||
    ['form', 'input'].some((key) => Object.hasOwn(Object(value), key)));

/** The context in which a reply is written. */
export interface ReplyContext {
  /** The webhook URL, to which the service reports the result of the reply. */
  url: string;
  cleanPhone: CleanPhone;
}

/** The most events that can follow each other by replies, so that no call goes on for ever. */
const mostInSequence = 99;

const refused = (said: Said) => new TelephonyError('input', said);

const wellFormed = (value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value);

function fillIn({ id }: TelephonyEvent, reply: GivenReply) {
  const { name, replies = [] } = eventDefinition(id);
  const [first] = replies;
  if (!first) throw refused(sentence("You can't reply to “{name}”.", { name: { text: name } }));
  if (typeof reply === 'string')
    return { form: first, input: { [first.fields[0]?.key ?? '']: reply } };
  const form = replies.find((one) => one.id === reply.form);
  if (form) return { form, input: reply.input };
  const names = replies.map((one) => `“${one.name}”`).join(' or ');
  throw refused(`“${name}” has no such reply. Use ${names}.`);
}

type Attribute = [name: string, value: string];

/**
 * Returns the webhook URL for the event that reports a reply. Its query counts the events that follow each other: two of them can be equal
 * otherwise, as when a caller presses the same key twice.
 */
function reportUrl(
  url: string,
  reported: string,
  given: readonly Attribute[],
  { parameters }: TelephonyEvent,
): string {
  const { identifiedBy, parameters: all } = eventDefinition(reported);
  const counted = all.find((one) => one.in === 'query' && identifiedBy.includes(one.key));
  if (!counted) return url;
  const count = Number(parameters[counted.name] ?? 0) + 1;
  if (count > mostInSequence)
    throw refused(
      sentence('The caller was asked {most} times already. End the call with another reply.', {
        most: mostInSequence,
      }),
    );
  return withReportQuery(url.trim(), [
    ...all.flatMap(({ name }) => given.filter(([one]) => one === name)),
    [counted.name, String(count)],
  ]);
}

function valuesIn(
  place: Field['in'],
  { in: location, name, key, also }: Field,
  values: Values,
): Attribute[] {
  if (location !== place || values[key] === undefined) return [];
  const value = String(values[key]);
  return [[name, value], ...(also ? [[also.name, also.as?.[value] ?? value] as Attribute] : [])];
}

/** Returns the instructions of a form with its values. */
function elementsOf(form: EventReply, values: Values, event: TelephonyEvent, url: string) {
  const { elements, fields, fixed = {}, within = {}, reported } = form;
  const attributes: Attribute[] = [
    ...fields.flatMap((field) => valuesIn('attribute', field, values)),
    ...Object.entries(fixed),
  ];
  if (reported) {
    const given = fields.flatMap((field) => valuesIn('query', field, values));
    attributes.push([reported.to, reportUrl(url, reported.event, given, event)]);
  }
  const elementsIn = (outer: string | undefined): TwimlElement[] =>
    elements
      .filter((name) => within[name] === outer)
      .flatMap((name) => {
        const content = fields.find((field) => field.in === 'element' && field.name === name);
        const text = content && values[content.key];
        if (content && text === undefined) return [];
        const own = attributes.filter(([attribute]) => attribute.startsWith(`${name}.`));
        return {
          name,
          text: text?.toString(),
          attributes: own.map(
            ([attribute, value]): Attribute => [attribute.slice(name.length + 1), value],
          ),
          children: elementsIn(name),
        };
      });
  return elementsIn(undefined);
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
 * Returns the action that sends the same as a reply, and its checked values; undefined if none does.
 *
 * @param values the checked values of its form
 * @throws {TelephonyError} with code `input` if it can't be sent
 */
export function actionLike(
  event: TelephonyEvent,
  { polled }: EventReply,
  values: Values,
  cleanPhone: CleanPhone,
) {
  if (!polled) return undefined;
  const action = actionOf(polled.action);
  const filled = (keys: Record<string, string>, from: object) =>
    Object.entries(keys).map(([key, source]) => [key, Reflect.get(from, source)]);
  const input = Object.fromEntries([
    ...filled(polled.record, event.record),
    ...filled(polled.fields, values),
  ]);
  return { action, input, values: checkInput(action, input, cleanPhone) };
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
  const written = twiml(elementsOf(form, values, event, url));
  const { maxLength = Number.POSITIVE_INFINITY } = form;
  if (written.length > maxLength)
    throw refused(
      sentence('The reply is too long: it takes {length} characters of {most}. Shorten its text.', {
        ...{ length: written.length, most: maxLength },
      }),
    );
  return written;
}

/**
 * Counts a reply towards the limits of an account, and notes it for the previews of batches.
 *
 * @returns a function that takes it back because it is not sent
 * @throws {TelephonyError} with code `limit-reached` if a limit refuses it, or `unavailable` if its store can't be used
 */
export async function countReply(
  telephony: Telephony,
  event: TelephonyEvent,
  reply: GivenReply,
  cleanPhone: CleanPhone,
): Promise<() => Promise<void>> {
  const connection = connectionOf(telephony);
  if (!connection) throw refused('The account of a reply must be one that `connect` returned.');
  const { form, values } = checkReply(event, reply, cleanPhone);
  const guard = replyGuard(connection, form, values, event);
  await guard.check().catch(storeProblem);
  await guard.count().catch(storeProblem);
  const likeAction = () => {
    try {
      return actionLike(event, form, values, cleanPhone);
    } catch {
      // A name can be a sender. The service replies to it, but no action sends to one.
      return undefined;
    }
  };
  try {
    const sent = likeAction();
    const forget = sent && (await noteSent(telephony, sent.action, sent.values));
    return async () => {
      await guard.takeBack();
      await forget?.();
    };
  } catch (error) {
    await guard.takeBack();
    throw error;
  }
}

/**
 * Counts and writes a reply where the event wasn't received, such as in another process.
 *
 * @param url the webhook URL
 * @returns the response that the service waits for
 * @throws {TelephonyError} with code `input` if the reply can't be sent, or `limit-reached`
 */
export async function responseWith(
  telephony: Telephony,
  event: TelephonyEvent,
  reply: GivenReply,
  url: string,
): Promise<WebhookResponse> {
  const { cleanPhone } = telephony;
  const written = writeReply(event, reply, { url, cleanPhone });
  await countReply(telephony, event, reply, cleanPhone);
  return replied(written);
}
