import type {
  EventCondition,
  EventDefinition,
  EventParameter,
} from '../../../generated/definition-types.ts';
import { definitions } from '../../../generated/definitions.ts';
import { recordShape } from '../../definition/record-shape.ts';
import { checkOptions } from '../../input/check-options.ts';
import type { Json } from '../../response/json.ts';
import { readRecord } from '../../response/read-record.ts';
import { withoutSecrets } from '../../response/without-secrets.ts';
import type { TelephonySettings } from '../../settings/check-settings.ts';
import type { EventIdentity } from '../deliver/delivery-log.ts';
import { fileParameters, filesIn } from '../deliver/event-files.ts';
import type { WebhookOptions } from '../deliver/event-options.ts';
import { identityOf } from '../deliver/identity-of.ts';
import { received } from '../deliver/received.ts';
import type { TelephonyEvent, WebhookParameters } from '../deliver/telephony-event.ts';
import { isSigned, signatureOf } from './check-signature.ts';
import { publicAddress } from './public-address.ts';
import { type Parameters, readParameters } from './read-parameters.ts';
import { signingAccount } from './signing-account.ts';
import {
  largestBody,
  type RefusalReason,
  sizeOf,
  type WebhookRequest,
  withLowerCaseHeaders,
} from './webhook-request.ts';

/** What a request is: an event; something else that the service reports; or nothing that the service sent to us. */
export type EventReading =
  | { outcome: 'event'; event: TelephonyEvent; identity: EventIdentity }
  | { outcome: 'other' }
  /** A signed one may be split into an event later. */
  | { outcome: 'refused'; reason: RefusalReason; isSigned?: true };

const refused = (reason: RefusalReason): EventReading => ({ outcome: 'refused', reason });
const refusedThoughSigned = (reason: RefusalReason): EventReading => ({
  ...{ outcome: 'refused', reason, isSigned: true },
});

/**
 * Whether the service can have named a parameter so. Nothing in what it signs separates the address from the names, which are sorted:
 * the end of a longer address would pass for the first name.
 */
const isName = (name: string) => name >= 'A';

const hold = (conditions: EventCondition[], parameters: Parameters) =>
  conditions.every(({ name, given, oneOf }) =>
    oneOf
      ? oneOf.some((value) => parameters.get(name)?.includes(value))
      : parameters.has(name) === given,
  );

const isFor = ({ when, unless }: EventDefinition, parameters: Parameters) =>
  hold(when, parameters) && !unless?.some((conditions) => hold(conditions, parameters));

const valueIn = ({ name }: EventParameter, parameters: Parameters) => parameters.get(name)?.[0];

const placeOptions = { url: 'text', authToken: 'text' } as const;

/** The record as the service would answer it, of what its request says. */
function toJson(
  { parameters: filling, fixed, result, when }: EventDefinition,
  given: Parameters,
): Json {
  const names = new Map(recordShape(result.of).fields.map(({ key, name }) => [key, name]));
  const telling = when.filter((one) => one.given).map(({ name }) => name);
  const json: Json = {};
  for (const parameter of filling) {
    const name = names.get(parameter.key) ?? '';
    const value = valueIn(parameter, given);
    // What makes it this event can be empty, such as the text of a message with a picture only.
    json[name] ||= (value || (telling.includes(parameter.name) ? value : undefined)) ?? null;
  }
  for (const [key, value] of Object.entries(fixed ?? {})) json[names.get(key) ?? ''] = value;
  return json;
}

/**
 * Returns a function that tells which event a request is, or why it is none. It takes the time of receipt: now, if not given. It
 * remembers nothing, so the same request is the same event each time; `receiveEvents` delivers each once. Makes no requests.
 *
 * @param settings the plugin's settings: whose events they are
 * @param place the webhook URL, and how events are signed
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function eventReader(settings: TelephonySettings, place: WebhookOptions) {
  const { url, authToken } = checkOptions<WebhookOptions>(place, placeOptions, ['url']);
  const { accountSid, token } = signingAccount(settings, authToken);
  const called = publicAddress(url);
  const credentials = { username: accountSid, password: token };

  const allOf = (given: Parameters): WebhookParameters =>
    Object.fromEntries(
      [...given].map(([name, [value]]) => [name, withoutSecrets(credentials, value)]),
    );

  function read(
    definition: EventDefinition,
    given: Parameters,
    signature: string,
    at: Date,
  ): EventReading {
    const { parameters, result, id, media } = definition;
    const names = [
      ...parameters.map(({ name }) => name),
      ...(media ? fileParameters(media, given).flatMap((pair) => Object.values(pair)) : []),
    ];
    if (names.some((name) => (given.get(name)?.length ?? 0) > 1))
      return refusedThoughSigned('form');
    const account = parameters.find(({ purpose }) => purpose === 'account');
    if (!account || valueIn(account, given) !== accountSid) return refusedThoughSigned('account');
    const read = received(definition, readRecord(result.of, toJson(definition, given)), at);
    const record = media ? { ...read, media: filesIn(media, given) } : read;
    const identity = identityOf(definition, read, signature);
    // Which record belongs to which id is generated from the definitions, as what is read here is: no type checker sees that.
    const event = { id, record, parameters: allOf(given) } as unknown as TelephonyEvent;
    return identity ? { outcome: 'event', event, identity } : { outcome: 'other' };
  }

  return (given: WebhookRequest, at = new Date()): EventReading => {
    const request = withLowerCaseHeaders(given);
    const { method, body } = request;
    if (method !== 'POST') return refused('method');
    if (sizeOf(request) > largestBody) return refused('size');
    const said = readParameters(request, called.search);
    if (typeof said === 'string') return refused(said);
    const signature = signatureOf(request);
    if (!signature || !isSigned(token, called, signature, said, body)) return refused('signature');
    const { parameters, bodyHash } = said;
    if (!bodyHash && ![...parameters.keys()].every(isName)) return refusedThoughSigned('form');
    const definition = definitions.events.find((one) => isFor(one, parameters));
    return definition ? read(definition, parameters, signature, at) : { outcome: 'other' };
  };
}
