import type { EventDefinition } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { Events } from '../../generated/operations.ts';
import { TelephonyError } from '../telephony-error.ts';

/** The id of an event: the name of its file. */
export type EventId = keyof Events;

const byId = new Map(definitions.events.map((event) => [event.id, event]));

/**
 * Returns the definition of an event. Makes no request.
 *
 * @param id the event's id: the name of its file
 * @throws {TelephonyError} with code `input` if there is none
 */
export function eventDefinition(id: string): EventDefinition {
  const found = byId.get(id);
  if (found) return found;
  const ids = [...byId.keys()].join(', ');
  throw new TelephonyError('input', `Unknown event "${id}". Choose one of: ${ids}.`);
}
