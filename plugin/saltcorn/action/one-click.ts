import db from '@saltcorn/data/db';
import { clicks, type Said } from '../../../src/builder.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';
import type { ActionResult } from './action-result.ts';

const handled = clicks<ActionResult>(store, { isAlone });

/**
 * Handles a double click once, including clicks that repeat during the work or right after it. All clicks in all
 * workers get the same result, but only the first gets the success toast.
 *
 * @param what the visitor and what they clicked
 * @param ifUnknown what the visitor should do if the outcome is unknown
 */
export async function asOneClick(
  what: unknown[],
  work: () => Promise<ActionResult>,
  ifUnknown?: Said,
): Promise<ActionResult> {
  let isFirst = false;
  const doFirst = () => {
    isFirst = true;
    return work();
  };
  const key = JSON.stringify([db.getTenantSchema(), ...what]);
  const result = await handled.once(key, doFirst, ifUnknown);
  if (isFirst) return result;
  const { notify_success: _, ...rest } = result;
  return rest;
}

/** Deletes expired clicks. */
export const expireClicks = (): Promise<void> => handled.expire();
