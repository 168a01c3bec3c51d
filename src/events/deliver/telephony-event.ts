import type { EventDefinition } from '../../../generated/definition-types.ts';
import type { Events } from '../../../generated/operations.ts';
import { type EventId, eventDefinition, recordShape } from '../../definition/operation.ts';
import type { TelephonyRecord } from '../../response/read-record.ts';

/** The parameters of a webhook request, with the service's names. */
export type WebhookParameters = Readonly<Partial<Record<string, string>>>;

/** An event. In TypeScript, its `id` narrows the type of its `record`. */
export type TelephonyEvent<Id extends EventId = EventId> = {
  [One in Id]: {
    id: One;
    /** The record. Fields that the request did not contain are null. */
    record: Events[One];
    /** All parameters of the request, also those without a field of the record. Empty if the event was polled. */
    parameters: WebhookParameters;
  };
}[Id];

/** Names an event and its record in a sentence. */
export function namedEvent({ id, record }: TelephonyEvent): string {
  const { name, result } = eventDefinition(id);
  const values = new Map<string, unknown>(Object.entries(record));
  return `“${name}” (${values.get(recordShape(result.of).key)})`;
}

/** Sets the dates of a record that mean the time of receipt, if the service sent none. */
export function received(
  { receivedAt }: EventDefinition,
  record: TelephonyRecord,
  at: Date,
): TelephonyRecord {
  const missing = (receivedAt ?? []).filter((key) => record[key] === null);
  return { ...record, ...Object.fromEntries(missing.map((key) => [key, at])) };
}
