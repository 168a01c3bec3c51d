import { eventDefinition } from '../../definition/event-definition.ts';
import { recordShape } from '../../definition/record-shape.ts';
import type { TelephonyEvent } from './telephony-event.ts';

/** Names an event and its record in a sentence. */
export function namedEvent({ id, record }: TelephonyEvent): string {
  const { name, result } = eventDefinition(id);
  const values = new Map<string, unknown>(Object.entries(record));
  return `“${name}” (${values.get(recordShape(result.of).key)})`;
}
