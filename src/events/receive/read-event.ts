import type { EventCondition, EventDefinition } from '../../../generated/definition-types.ts';
import { definitions } from '../../../generated/definitions.ts';
import type { Fields } from '../../definition/operation.ts';
import { isDate } from '../../field-types/field-types.ts';
import { withoutSecrets } from '../../response/without-secrets.ts';
import { checkOptions } from '../../settings/check-options.ts';
import type { TelephonySettings } from '../../settings/check-settings.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { type EventIdentity, identityOf } from '../deliver/delivery-log.ts';
import { fileParameters, type Parameters } from '../deliver/event-files.ts';
import type { RefusalReason, WebhookOptions } from '../deliver/event-options.ts';
import { eventRecord, valueIn } from '../deliver/event-record.ts';
import type { TelephonyEvent, WebhookParameters } from '../deliver/telephony-event.ts';
import { isSigned, signatureOf, signingAccount } from './check-signature.ts';
import { publicAddress } from './public-address.ts';
import { eventParameters, readParameters } from './read-parameters.ts';
import {
  type GivenRequest,
  largestBody,
  sizeOf,
  type WebhookRequest,
  withLowerCaseHeaders,
} from './webhook-request.ts';

export interface ReadEvent {
  event: TelephonyEvent;
  identity: EventIdentity;
}

/** A request is an event, another report of the service, or refused because the service did not send it to this account. */
export type EventReading =
  | ({ outcome: 'event' } & ReadEvent & {
        /** The events that the request is as well, such as that the sender of an SMS opted out. */
        also?: ReadEvent[];
      })
  | { outcome: 'other' }
  /** A signed request may be sent again, split into other parameters that make an event. */
  | { outcome: 'refused'; reason: RefusalReason; isSigned?: true };

const refused = (reason: RefusalReason): EventReading => ({ outcome: 'refused', reason });
const refusedThoughSigned = (reason: RefusalReason): EventReading => ({
  ...{ outcome: 'refused', reason, isSigned: true },
});

/**
 * Whether the service can have sent a parameter of this name. Nothing in the signed text separates the URL from the sorted names, so the
 * end of a longer URL would pass for the first name.
 */
const isName = (name: string) => name >= 'A';

const areMet = (conditions: EventCondition[], parameters: Parameters) =>
  conditions.every(({ name, given, oneOf }) =>
    oneOf
      ? oneOf.some((value) => parameters.get(name)?.includes(value))
      : parameters.has(name) === given,
  );

const isFor = ({ when, unless, of }: EventDefinition, parameters: Parameters) =>
  when !== undefined &&
  !of &&
  areMet(when, parameters) &&
  !unless?.some((conditions) => areMet(conditions, parameters));

const part = ({ event, identity }: ReadEvent, of: EventIdentity): ReadEvent => ({
  event,
  identity: { ...identity, of },
});

const webhookOptions = { url: 'pasted', authToken: 'pasted' } as const;

/** Returns a function that reads a request and its signature; empty if it can't be read. Never throws. */
export function requestReader(settings: TelephonySettings, webhook: WebhookOptions) {
  const { url, authToken } = checkOptions<WebhookOptions>(webhook, webhookOptions, ['url']);
  const { accountSid, token } = signingAccount(settings, authToken);
  const address = publicAddress(url);
  const credentials = { username: accountSid, password: token };

  const toParameters = (given: Parameters): WebhookParameters =>
    Object.fromEntries(
      [...given].map(([name, [value]]) => [name, withoutSecrets(credentials, value)]),
    );

  function read(
    definition: EventDefinition,
    given: Parameters,
    signature: string,
    at: Date,
  ): EventReading {
    const { parameters, id, media } = definition;
    const names = [
      ...parameters.map(({ name }) => name),
      ...(media ? fileParameters(media, given).flatMap((pair) => Object.values(pair)) : []),
    ];
    if (names.some((name) => (given.get(name)?.length ?? 0) > 1))
      return refusedThoughSigned('form');
    const account = parameters.find(({ purpose }) => purpose === 'account');
    if (!account || valueIn(account, given) !== accountSid) return refusedThoughSigned('account');
    const record = eventRecord(definition, given, at);
    const identity = identityOf(definition, record, signature);
    // The types per id are generated from the definitions that this code reads. No type checker can see that they agree.
    const event = { id, record, parameters: toParameters(given) } as unknown as TelephonyEvent;
    return identity ? { outcome: 'event', event, identity } : { outcome: 'other' };
  }

  function readRequest(request: WebhookRequest, at: Date): EventReading {
    const { method, body } = request;
    if (method !== 'POST') return refused('method');
    // Anyone can send a large form, and parsing it takes longer than anything else.
    const signature = signatureOf(request);
    if (!signature) return refused('signature');
    if (sizeOf(request) > largestBody) return refused('size');
    const content = readParameters(request, address.search);
    if (typeof content === 'string') return refused(content);
    if (!isSigned(token, address, signature, content, body)) return refused('signature');
    if (!content.bodyHash && ![...content.parameters.keys()].every(isName))
      return refusedThoughSigned('form');
    const parameters = eventParameters(content);
    const definition = definitions.events.find((one) => isFor(one, parameters));
    if (!definition) return { outcome: 'other' };
    const whole = read(definition, parameters, signature, at);
    if (whole.outcome !== 'event') return whole;
    const also = definitions.events
      .filter(({ of, when = [] }) => of === definition.id && areMet(when, parameters))
      .map((one) => read(one, parameters, `${signature} ${one.id}`, at))
      .flatMap((one) => (one.outcome === 'event' ? [part(one, whole.identity)] : []));
    return also.length > 0 ? { ...whole, also } : whole;
  }

  // Anyone can send a request. One that can't be read must not crash the process.
  return (given: GivenRequest, at: Date): { reading: EventReading; signature: string } => {
    try {
      const request = withLowerCaseHeaders(given);
      return { reading: readRequest(request, at), signature: signatureOf(request) ?? '' };
    } catch {
      return { reading: refused('form'), signature: '' };
    }
  };
}

/**
 * Returns a function that converts a request to its event, or to the reason why it is refused. Its second argument is the time of receipt:
 * now, if not given. It remembers nothing: the same request is the same event each time, while `receiveEvents` delivers each once. Makes no
 * requests.
 *
 * @param settings the plugin's settings
 * @param webhook the webhook URL, and the key of the signatures
 * @throws {TelephonyError} with code `settings` and the `field` to change
 */
export function eventReader(settings: Fields<TelephonySettings>, webhook: WebhookOptions) {
  const read = requestReader(settings, webhook);
  return (given: GivenRequest, at = new Date()): EventReading => {
    if (!isDate(at)) throw new TelephonyError('input', 'The time of receipt must be a Date.');
    return read(given, at).reading;
  };
}
