import type { EventDefinition, EventParameter } from '../../../generated/definition-types.ts';
import { recordShape } from '../../definition/operation.ts';
import { readRecord, type TelephonyRecord } from '../../response/read-record.ts';
import type { Json } from '../../text/json.ts';
import { filesIn, type Parameters } from './event-files.ts';
import { received } from './telephony-event.ts';

/** Returns the value of an event's parameter; undefined if the request lacks it. */
export const valueIn = ({ name }: EventParameter, parameters: Parameters): string | undefined =>
  parameters.get(name)?.[0];

/** Converts a value to a parameter of a request. */
function toText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Returns the parameters that the service would send with an event of these values. */
export function parametersOf(
  { parameters, media }: EventDefinition,
  values: Readonly<Record<string, unknown>>,
  accountSid: string,
): Parameters {
  const textFor = (key: string, purpose: string | undefined) => {
    if (purpose === 'account') return accountSid;
    // A sample has no files.
    return key === media?.listedBy?.if ? '0' : toText(values[key]);
  };
  return new Map(parameters.map(({ name, key, purpose }) => [name, [textFor(key, purpose)]]));
}

/** Converts the parameters of a request to the JSON of a record. */
function toJson(
  { parameters: sources, fixed, result, when }: EventDefinition,
  given: Parameters,
): Json {
  const names = new Map(recordShape(result.of).fields.map(({ key, name }) => [key, name]));
  const required = when?.filter((one) => one.given).map(({ name }) => name);
  const json: Json = {};
  for (const parameter of sources) {
    const name = names.get(parameter.key) ?? '';
    const value = valueIn(parameter, given);
    // A parameter that defines the event can be empty, such as the text of a message that is only a picture.
    json[name] ||= (value || (required?.includes(parameter.name) ? value : undefined)) ?? null;
  }
  for (const [key, value] of Object.entries(fixed ?? {})) json[names.get(key) ?? ''] = value;
  return json;
}

/**
 * Returns the record of an event. An event with files lists them as `media`.
 *
 * @param given the parameters of its request
 * @param at the time of receipt
 */
export function eventRecord(
  definition: EventDefinition,
  given: Parameters,
  at: Date,
): TelephonyRecord {
  const { result, media } = definition;
  const record = received(definition, readRecord(result.of, toJson(definition, given)), at);
  // Only the generated types of events know the list.
  return Object.assign(record, media && { media: filesIn(media, given) });
}
