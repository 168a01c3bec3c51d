import type { Events } from '../../../generated/operations.ts';
import type { EventId } from '../../definition/event-definition.ts';

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
