import db from '@saltcorn/data/db';
import { clicks } from '../../../src/builder.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';
import type { Answer } from './answer.ts';

const handled = clicks<Answer>(store, { isAlone });

/**
 * Handles a click once that is repeated while it is handled, or right after it: a double click. All clicks get the one answer, in all
 * workers, but only the first one the toast of a success.
 *
 * @param what who clicked, and what
 */
export async function asOneClick(what: unknown[], work: () => Promise<Answer>): Promise<Answer> {
  let isFirst = false;
  const answer = await handled.once(JSON.stringify([db.getTenantSchema(), ...what]), () => {
    isFirst = true;
    return work();
  });
  if (isFirst) return answer;
  const { notify_success: _, ...rest } = answer;
  return rest;
}

/** Deletes what is kept of clicks for too long. */
export const expireClicks = (): Promise<void> => handled.expire();
