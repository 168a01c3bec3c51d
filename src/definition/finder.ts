import { TelephonyError } from '../telephony-error.ts';

/**
 * Returns a function that finds a definition by its id.
 *
 * @param kind what they are, for the error
 * @param all the definitions
 */
export function finder<Of extends { id: string }>(kind: string, all: readonly Of[]) {
  const byId = new Map<unknown, Of>(all.map((one) => [one.id, one]));

  /** @throws {TelephonyError} with code `input` if there is none */
  return (id: unknown): Of => {
    const found = byId.get(id);
    if (found) return found;
    // A JavaScript program may pass any value, even one that can't be converted to text.
    const given = typeof id === 'string' ? id : id === null ? 'null' : typeof id;
    const ids = all.map((one) => one.id).join(', ');
    throw new TelephonyError('input', `Unknown ${kind} "${given}". Choose one of: ${ids}.`);
  };
}
