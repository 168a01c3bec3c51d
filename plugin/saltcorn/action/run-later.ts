import Crash from '@saltcorn/data/models/crash';
import { afterTransaction } from '../transaction.ts';
import type { ActionResult } from './action-result.ts';

/**
 * Runs work after the trigger's transaction, and logs why it failed. Before that, no other connection can read its rows or record
 * outcomes in them, and after a rollback nothing must be sent.
 */
export function runLater(work: () => Promise<unknown>): ActionResult {
  const log = (error: Error) => Crash.create(error, { url: 'trigger', headers: {} });
  void afterTransaction(() => work().catch(log)).catch(() => {});
  return {};
}
