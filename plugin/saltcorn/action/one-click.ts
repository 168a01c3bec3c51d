import db from '@saltcorn/data/db';
import { clicks } from '../../../src/builder.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';
import type { Answer } from './answer.ts';

const handled = clicks<Answer>(store, { isAlone });

/**
 * Handles a click once that is repeated while it is handled, or right after it: a double click. All clicks get the one answer, in all
 * workers.
 *
 * @param what who clicked, and what
 */
export const asOneClick = (what: unknown[], work: () => Promise<Answer>): Promise<Answer> =>
  handled.once(JSON.stringify([db.getTenantSchema(), ...what]), work);

/** Deletes what is kept of clicks for too long. */
export const expireClicks = (): Promise<void> => handled.expire();
