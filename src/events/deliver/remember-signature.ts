import type { DeliveryLog } from './delivery-log.ts';
import { identityOfSignature } from './identity-of.ts';

/**
 * Remembers a signature, so that no request with it becomes an event later: nothing in what is signed separates a parameter's name
 * from its value, so the same signature fits the same text split in another way.
 */
export async function rememberSignature(memory: DeliveryLog, signature: string): Promise<void> {
  const note = identityOfSignature(signature);
  if ((await memory.begin(note)) === 'new') await memory.delivered(note);
}
