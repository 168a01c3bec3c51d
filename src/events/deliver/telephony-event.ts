import type { Events } from '../../../generated/operations.ts';
import type { EventId } from '../../definition/event-definition.ts';

/** An event. In TypeScript, its `id` narrows the type of its `record`. */
export type TelephonyEvent<Id extends EventId = EventId> = {
  [One in Id]: {
    id: One;
    /** What the request contained of the record; other fields are null. */
    record: Events[One];
  };
}[Id];
