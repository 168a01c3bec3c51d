import type { EventMemory } from './event-memory.ts';
import { noteOfSignature } from './note-of.ts';

/**
 * Remembers a signature, so that no request with it becomes an event later: nothing in what is signed separates a parameter's name
 * from its value, so the same signature fits the same text split in another way.
 */
export async function rememberSignature(memory: EventMemory, signature: string): Promise<void> {
  const note = noteOfSignature(signature);
  if ((await memory.note(note)) === 'new') await memory.told(note);
}
