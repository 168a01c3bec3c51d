import type { Action } from '../../generated/definition-types.ts';
import { hasUnknownOutcome } from '../answer/outcome.ts';
import { readRecord, type TelephonyRecord } from '../answer/read-record.ts';
import type { Values } from '../input/check-values.ts';
import { type Context, perform } from '../perform.ts';
import { buildRequest } from '../request/build-request.ts';
import { TelephonyError } from '../telephony-error.ts';
import { findInLog } from './find-in-log.ts';
import { type Ledger, ledgerOf, type Write } from './ledger.ts';
import { notFound } from './not-found.ts';
import { type Proof, proofOf } from './proof.ts';

const explained = (action: Action, error: TelephonyError, looked: string) =>
  new TelephonyError(
    error.code,
    `${error.message} The outcome of "${action.name}" is unknown; it was not sent again. ${looked}${action.ifUnknown}`,
    error,
  );

/** Confirms an action whose response was lost. */
async function findOut(
  context: Context,
  proof: Proof | undefined,
  write: Write,
  ledger: Ledger,
): Promise<{ record?: TelephonyRecord; looked: string }> {
  const isWanted =
    proof && context.connection.limits.confirmTimeoutMs > 0 && !context.signal?.aborted;
  if (!isWanted) return { looked: '' };
  write.end('being confirmed');
  const { clock } = context.connection;
  const search = { began: () => clock.at(write.began)?.earliest, taker: write };
  const found = await findInLog(context, proof, search, ledger);
  if (found.record) return { record: found.record, looked: '' };
  return { looked: context.signal?.aborted ? '' : `${notFound(proof, found)} ` };
}

/**
 * Runs an action, never twice. If the service's response is lost, the log is checked: if its record is there, it succeeded.
 *
 * @param action the definition
 * @param values the checked values of its fields
 * @param before awaited once before it is sent; where it fails, nothing is
 * @throws {TelephonyError} with code `unknown-outcome` if no one knows whether it was done
 */
export async function doOnce(
  context: Context,
  action: Action,
  values: Values,
  before?: () => Promise<void>,
): Promise<TelephonyRecord> {
  const proof = proofOf(action, values);
  const ledger = ledgerOf(context.connection.root);
  const write = ledger.open(proof?.fits ?? (() => false));
  let state: 'is over' | 'is unknown' = 'is over';
  try {
    const request = buildRequest(
      context.connection,
      action,
      values,
      context.statusCallback ?? undefined,
    );
    const answer = await perform(context, action, request, async () => {
      if (write.state === 'waits') await before?.();
      write.begin();
    });
    const record = readRecord(action.result.of, answer, context.connection);
    if (proof) ledger.take(proof.keyOf(record), write);
    return record;
  } catch (error) {
    if (!hasUnknownOutcome(error)) throw error;
    const { record, looked } = await findOut(context, proof, write, ledger);
    if (record) return record;
    state = 'is unknown';
    throw explained(action, error, looked);
  } finally {
    ledger.close(write, state);
  }
}
