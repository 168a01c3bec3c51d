import type { Action } from '../../generated/definition-types.ts';
import type { TelephonyRecord } from '../answer/read-record.ts';
import type { Values } from '../input/check-values.ts';
import type { Context } from '../perform.ts';
import { findInLog } from './find-in-log.ts';
import { ledgerOf, type Taker } from './ledger.ts';
import { notFound } from './not-found.ts';
import { proofOf } from './proof.ts';

/** The outcome of an action: its record, or a sentence that says why it is unknown. */
export type Confirmation<Found = TelephonyRecord> =
  | { record: Found; problem?: undefined }
  | { record?: undefined; problem: string };

/**
 * Checks the log for an action that was started before. Only reads.
 *
 * @param action the definition
 * @param values the checked values of its fields
 * @param since when it was begun, by the clock of the service
 */
export async function confirm(
  context: Context,
  action: Action,
  values: Values,
  since: Date,
): Promise<Confirmation> {
  const { limits, root } = context.connection;
  const proof = proofOf(action, values);
  if (!proof || limits.confirmTimeoutMs === 0) return { problem: action.ifUnknown };
  const begun = since.getTime();
  const { clock } = context.connection;
  // What this process has sent or found since then may be what is asked about: its outcome got lost elsewhere.
  const mayBeOurs = (taker: Taker) =>
    taker.since === undefined
      ? (clock.at(taker.began ?? 0)?.latest ?? 0) >= begun
      : taker.since === begun;
  const search = { began: () => begun, taker: { since: begun }, mayBeOurs };
  const found = await findInLog(context, proof, search, ledgerOf(root));
  if (found.record) return { record: found.record };
  return { problem: `${notFound(proof, found)} ${action.ifUnknown}` };
}
