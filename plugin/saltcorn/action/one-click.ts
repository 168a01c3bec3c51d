import db from '@saltcorn/data/db';
import { onceWithin } from '../../../src/index.ts';
import type { Answer } from './answer.ts';
import { inOneWorker } from './one-worker.ts';

/** How long after its end a click is still the same one, in milliseconds. */
const window = 2000;

const once = onceWithin<Answer>(window);

/**
 * Does once what is clicked again while it is under way, or right after it: a double click. All clicks get the one answer.
 *
 * @param what who clicked, and what was asked for
 */
export function asOneClick(what: unknown[], work: () => Promise<Answer>): Promise<Answer> {
  const key = JSON.stringify([db.getTenantSchema(), ...what]);
  return once(key, () => inOneWorker(key, window, work));
}
