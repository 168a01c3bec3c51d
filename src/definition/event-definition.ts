import type { EventDefinition } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { Events } from '../../generated/operations.ts';
import { finder } from './finder.ts';

/** The id of an event, such as the name of its file. */
export type EventId = keyof Events;

const find = finder('event', definitions.events);

/**
 * What identifies an event, which record it contains, and whether it can be answered.
 *
 * @param id such as the name of its file
 * @throws {TelephonyError} with code `input` when there is none
 */
export const eventDefinition = (id: string): EventDefinition => find(id);
