import type { Events } from '../../../generated/operations.ts';
import type { EventId } from '../../definition/event-definition.ts';

/** Something that the service reported: the id says what, and thereby which record it brings. */
export type TelephonyEvent<Id extends EventId = EventId> = {
  [One in Id]: {
    id: One;
    /** What the request said of the record; all else is null. */
    record: Events[One];
  };
}[Id];
