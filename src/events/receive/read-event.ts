import type { EventDefinition, EventParameter } from '../../../generated/definition-types.ts';
import { definitions } from '../../../generated/definitions.ts';
import { recordShape } from '../../definition/record-shape.ts';
import { checkOptions } from '../../input/check-options.ts';
import type { Json } from '../../response/json.ts';
import { readRecord } from '../../response/read-record.ts';
import type { TelephonySettings } from '../../settings/check-settings.ts';
import type { EventIdentity } from '../deliver/delivery-log.ts';
import { fileParameters, filesIn } from '../deliver/event-files.ts';
import type { WebhookOptions } from '../deliver/event-options.ts';
import { identityOf } from '../deliver/identity-of.ts';
import { received } from '../deliver/received.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';
import { isSigned, signatureOf } from './check-signature.ts';
import { publicAddress } from './public-address.ts';
import { type Parameters, readParameters } from './read-parameters.ts';
import { signingAccount } from './signing-account.ts';
import { largestBody, type RefusalReason, sizeOf, type WebhookRequest } from './webhook-request.ts';

/** What a request is: an event; something else that the service reports; or nothing that the service sent to us. */
export type EventReading =
  | { outcome: 'event'; event: TelephonyEvent; note: EventIdentity }
  | { outcome: 'other' }
  /** A signed one may be split into an event later. */
  | { outcome: 'refused'; reason: RefusalReason; isSigned?: true };

const refused = (reason: RefusalReason): EventReading => ({ outcome: 'refused', reason });
const refusedThoughSigned = (reason: RefusalReason): EventReading => ({
  ...{ outcome: 'refused', reason, isSigned: true },
});

const isFor = ({ when }: EventDefinition, parameters: Parameters) =>
  when.every(({ name, given, oneOf }) =>
    oneOf
      ? oneOf.some((value) => parameters.get(name)?.includes(value))
      : parameters.has(name) === given,
  );

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
    const note = identityOf(definition, read, signature);
    // Which record belongs to which id is generated from the definitions, as what is read here is: no type checker sees that.
    return note
      ? { outcome: 'event', event: { id, record } as unknown as TelephonyEvent, note }
      : { outcome: 'other' };
  }

  return (request: WebhookRequest, at = new Date()): EventReading => {
    const { method, body } = request;
    if (method !== 'POST') return refused('method');
    if (sizeOf(request) > largestBody) return refused('size');
    const said = readParameters(request, called.search);
    if (typeof said === 'string') return refused(said);
    const signature = signatureOf(request);
    if (!signature || !isSigned(token, called, signature, said, body)) return refused('signature');
    const definition = definitions.events.find((one) => isFor(one, said.parameters));
    return definition ? read(definition, said.parameters, signature, at) : { outcome: 'other' };
  };
}
