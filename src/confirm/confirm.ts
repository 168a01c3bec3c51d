import type { Action } from '../../generated/definition-types.ts';
import type { Values } from '../input/check-values.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import type { Context } from '../send/perform.ts';
import { findInLog } from './find-in-log.ts';
import { type Claimant, ledgerOf } from './ledger.ts';
import { logQueryOf } from './log-query.ts';
import { unconfirmedReason } from './unconfirmed-reason.ts';

/** The outcome of an action: its record, or the reason why it is unknown. */
export type Confirmation<Found = TelephonyRecord> =
  | { record: Found; problem?: undefined }
  | { record?: undefined; problem: string };

/**
 * Checks the log for an action that was started before. Sends nothing.
 *
 * @param action the definition
 * @param values the checked values of its fields
 * @param since when it began, by the service's clock
 */
export async function confirm(
  context: Context,
  action: Action,
  values: Values,
  since: Date,
): Promise<Confirmation> {
  const { limits, root } = context.connection;
  const query = logQueryOf(action, values);
  if (!query || limits.confirmTimeoutMs === 0) return { problem: action.ifUnknown };
  const sinceMs = since.getTime();
  const { clock } = context.connection;
  // The action may be one that was sent or confirmed since then, and whose outcome its caller lost.
  const mayBeOurs = (claimant: Claimant) =>
    claimant.since === undefined
      ? (clock.at(claimant.sentAt ?? 0)?.latest ?? 0) >= sinceMs
      : claimant.since === sinceMs;
  const search = { since: () => sinceMs, claimant: { since: sinceMs }, mayBeOurs };
  const found = await findInLog(context, query, search, ledgerOf(root));
  if (found.record) return { record: found.record };
  return { problem: `${unconfirmedReason(query, found)} ${action.ifUnknown}` };
}
