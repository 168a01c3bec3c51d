import type { EventDefinition } from '../../../generated/definition-types.ts';
import type { TelephonyRecord } from '../../response/read-record.ts';
import { type EventIdentity, identityOf } from '../deliver/delivery-log.ts';
import { received, type TelephonyEvent } from '../deliver/telephony-event.ts';

/** An event that a list shows. Times are in milliseconds since 1970, by the service's clock. */
export interface PolledEvent {
  event: TelephonyEvent;
  identity: EventIdentity;
  /** When the record was created. */
  createdAt: number;
  /** The latest date of the record. */
  changedAt: number;
}

/** Longer than any identifier of the service. The cursor stores each key. */
const maxKeyLength = 500;

/**
 * Returns when the service created a record of a list.
 *
 * @returns milliseconds since 1970; NaN if the record doesn't say
 */
export function creationTime({ polled }: EventDefinition, record: TelephonyRecord): number {
  const date = polled && record[polled.since];
  return date instanceof Date ? date.getTime() : Number.NaN;
}

/** Returns the latest date of a record, in milliseconds since 1970; -Infinity if it has none. */
export const lastChange = (record: TelephonyRecord): number =>
  Math.max(...Object.values(record).map((value) => (value instanceof Date ? +value : -Infinity)));

/**
 * Returns the event that a record of a list shows, with the same key as when the service reports it by webhook.
 *
 * @returns undefined if the record isn't such an event, or lacks its key or creation time
 */
export function polledEvent(
  definition: EventDefinition,
  record: TelephonyRecord,
): PolledEvent | undefined {
  const { id, polled: { only = {} } = {} } = definition;
  const createdAt = creationTime(definition, record);
  const isMatching = Object.entries(only).every(([key, values]) =>
    values.includes(String(record[key])),
  );
  const identity = isMatching ? identityOf(definition, record) : undefined;
  if (!identity || identity.key.length > maxKeyLength || Number.isNaN(createdAt)) return undefined;
  const changedAt = lastChange(record);
  // The list of files is read when the event is delivered.
  const complete = {
    ...received(definition, record, new Date(createdAt)),
    ...(definition.media && { media: [] }),
  };
  // The types per id are generated from the definitions that this code reads. No type checker can see that they agree.
  const event = { id, record: complete, parameters: {} } as unknown as TelephonyEvent;
  return { event, identity, createdAt, changedAt };
}
