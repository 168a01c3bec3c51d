import type { Events } from '../../../generated/operations.ts';
import type { EventId } from '../../definition/event-definition.ts';

/** What a webhook request said, by the service's own names. */
export type WebhookParameters = Readonly<Partial<Record<string, string>>>;

/** An event. In TypeScript, its `id` narrows the type of its `record`. */
export type TelephonyEvent<Id extends EventId = EventId> = {
  [One in Id]: {
    id: One;
    /** What the request contained of the record; other fields are null. */
    record: Events[One];
    /** All that the request contained, also what no record has a field for. Empty if the event was polled. */
    parameters: WebhookParameters;
  };
}[Id];
