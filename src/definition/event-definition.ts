import type { EventDefinition } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { Events } from '../../generated/operations.ts';
import { finder } from './finder.ts';

/** The id of an event: the name of its file. */
export type EventId = keyof Events;

const find = finder('event', definitions.events);

/**
 * Returns the definition of an event. Makes no request.
 *
 * @param id the event's id: the name of its file
 * @throws {TelephonyError} with code `input` if there is none
 */
export const eventDefinition = (id: string): EventDefinition => find(id);
