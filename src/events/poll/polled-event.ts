import type { EventDefinition } from '../../../generated/definition-types.ts';
import type { TelephonyRecord } from '../../answer/read-record.ts';
import type { EventIdentity } from '../deliver/delivery-log.ts';
import { identityOf } from '../deliver/identity-of.ts';
import { received } from '../deliver/received.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';

/** An event that shows in a list. */
export interface PolledEvent {
  event: TelephonyEvent;
  note: EventIdentity;
  /** When the service made the record, in milliseconds since 1970. */
  made: number;
  /** When something of the record was done last, as far as it says so. */
  changed: number;
}

/** No identifier of the service is that long, and each is kept. */
const longestKey = 500;

/**
 * When the service made a record of a list.
 *
 * @returns milliseconds since 1970; NaN where it does not say so
 */
export function madeAt({ polled }: EventDefinition, record: TelephonyRecord): number {
  const date = polled && record[polled.since];
  return date instanceof Date ? date.getTime() : Number.NaN;
}

/** When something of a record was done last, as far as it says so, in milliseconds since 1970; -Infinity where it does not. */
export const changedAt = (record: TelephonyRecord): number =>
  Math.max(...Object.values(record).map((value) => (value instanceof Date ? +value : -Infinity)));

/**
 * The event that a record of a list is, as it stands there: it is known by the same key as when the service reports it.
 *
 * @returns undefined where it is none, or does not say which, or since when
 */
export function polledEvent(
  definition: EventDefinition,
  record: TelephonyRecord,
): PolledEvent | undefined {
  const { id, polled: { only = {} } = {} } = definition;
  const made = madeAt(definition, record);
  const isIt = Object.entries(only).every(([key, values]) => values.includes(String(record[key])));
  const note = isIt ? identityOf(definition, record) : undefined;
  if (!note || note.key.length > longestKey || Number.isNaN(made)) return undefined;
  const changed = changedAt(record);
  // Which files there are is read when the event is delivered.
  const complete = {
    ...received(definition, record, new Date(made)),
    ...(definition.media && { media: [] }),
  };
  // Which record belongs to which id is generated from the definitions, as what is read here is: no type checker sees that.
  const event = { id, record: complete, parameters: {} } as unknown as TelephonyEvent;
  return { event, note, made, changed };
}
