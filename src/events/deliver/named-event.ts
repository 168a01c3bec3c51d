import { eventDefinition } from '../../definition/event-definition.ts';
import { recordShape } from '../../definition/record-shape.ts';
import type { TelephonyEvent } from './telephony-event.ts';

/** An event in words: what it is, and of which record. */
export function namedEvent({ id, record }: TelephonyEvent): string {
  const { name, result } = eventDefinition(id);
  const values = new Map<string, unknown>(Object.entries(record));
  return `“${name}” (${values.get(recordShape(result.of).key)})`;
}
