import type { Action } from '../../generated/definition-types.ts';
import { isDeletion, recordShape } from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';
import { noteAccepted, noteRefusal } from '../limits/opt-outs.ts';
import { spendingGuard } from '../limits/spending-guard.ts';
import { buildRequest } from '../request/build-request.ts';
import { noteSendTime } from '../response/error-sentence.ts';
import { hasUnknownOutcome } from '../response/outcome.ts';
import { readRecord, type TelephonyRecord } from '../response/read-record.ts';
import { batchLane, type Context, perform } from '../send/perform.ts';
import { isScheduled, recordFailure } from '../status/statuses.ts';
import { storeProblem } from '../store/store.ts';
import { TelephonyError } from '../telephony-error.ts';
import type { Json } from '../text/json.ts';
import { type Said, sentence, sentences } from '../text/sentence.ts';
import { unconfirmedReason } from './confirm.ts';
import { findInLog } from './find-in-log.ts';
import { type Claimant, type Ledger, ledgerOf, type Write } from './ledger.ts';
import { type LogQuery, logQueryOf } from './log-query.ts';
import { storeClaim, storeWrite, withdrawWrite } from './stored-writes.ts';

function unknownOutcome(action: Action, error: TelephonyError, reason: Said | undefined) {
  const name = { text: action.name };
  const outcome = isDeletion(action)
    ? sentence('The outcome of "{name}" is unknown.', { name })
    : sentence('The outcome of "{name}" is unknown; it was not sent again.', { name });
  const said = sentences(error.said, outcome, reason, { text: action.ifUnknown });
  return new TelephonyError(error.code, said, error);
}

/**
 * Checks the log for an action whose response was lost.
 *
 * @returns its record, or why there is none; no reason if the log wasn't checked
 */
async function confirmWrite(
  context: Context,
  query: LogQuery | undefined,
  write: Write,
  ledger: Ledger,
): Promise<{ record?: TelephonyRecord; reason?: Said }> {
  const isWanted =
    query && context.connection.limits.confirmTimeoutMs > 0 && !context.signal?.aborted;
  if (!isWanted) return {};
  write.end('confirming');
  const { clock } = context.connection;
  const mayBeOurs = ({ id }: Claimant) => id === write.id;
  const search = { since: () => clock.at(write.sentAt)?.earliest, claimant: write, mayBeOurs };
  const found = await findInLog(context, query, search, ledger);
  if (found.record) return { record: found.record };
  return context.signal?.aborted ? {} : { reason: unconfirmedReason(query, found) };
}

/** Notes what the service's response says about whether the recipient wants messages. */
async function noteWish(
  { connection, lane }: Context,
  action: Action,
  values: Values,
  since: number,
  error: unknown,
): Promise<void> {
  if (error !== undefined) await noteRefusal(connection, action, values, error);
  // A batch skips who opted out, so that what it sends says nothing new.
  else if (lane !== batchLane) await noteAccepted(connection, action, values, since);
}

/** What is left of a deleted record: its key, which ends the path. */
function deletedRecord({ request, fields, result }: Action, values: Values): Json {
  const { key, fields: columns } = recordShape(result.of);
  const field = fields.find(({ name }) => request.path.endsWith(`/{${name}}.json`));
  const { name = key } = columns.find((column) => column.key === key) ?? {};
  return { [name]: values[field?.key ?? ''] };
}

/**
 * Runs an action, never twice. If the response is lost, it checks the service's log: if the record is there, the action succeeded.
 *
 * @param action the definition
 * @param values the checked values of its fields
 * @param beforeSend awaited once, before the action is sent; if it fails, nothing is sent
 * @throws {TelephonyError} with code `unknown-outcome` if it may or may not have succeeded
 */
export async function runAction(
  context: Context,
  action: Action,
  values: Values,
  beforeSend?: () => Promise<void>,
): Promise<TelephonyRecord> {
  const guard = spendingGuard(context, action, values);
  await guard.check().catch(storeProblem);
  const query = logQueryOf(action, values);
  const ledger = ledgerOf(context.connection.root);
  const write = ledger.open(query?.matches ?? (() => false), query?.identity);
  let state: 'ended' | 'unknown' = 'ended';
  const sentAt = Date.now();
  let sent: Values = values;
  try {
    const body = await perform(context, action, async () => {
      // While it waited, sending may have been stopped, or quiet hours begun or ended.
      const later = await guard.check().catch(storeProblem);
      if (write.state === 'waiting') {
        await guard.count().catch(storeProblem);
        await beforeSend?.();
      }
      write.start();
      if (query) await storeWrite(context.connection, query, write.id);
      sent = { ...values, ...later };
      return buildRequest(context.connection, action, sent, context.statusCallback ?? undefined);
    });
    const json = isDeletion(action) ? deletedRecord(action, values) : body;
    const record = readRecord(action.result.of, json, context.connection);
    await noteWish(context, action, values, sentAt, recordFailure(action, record));
    const { key = '' } = action.fields.find(({ schedule }) => schedule) ?? {};
    const time = sent[key];
    if (time !== undefined && isScheduled(action, record))
      noteSendTime(record, new Date(String(time)));
    if (query) {
      const key = query.keyOf(record);
      ledger.claim(key, write);
      // Until it is stored, other processes can't confirm equal actions.
      storeClaim(context.connection, query, key, write).catch(() => {});
    }
    return record;
  } catch (error) {
    if (!hasUnknownOutcome(error)) {
      await noteWish(context, action, values, sentAt, error);
      // If that fails, one fewer is possible for a while.
      await guard.takeBack().catch(() => {});
      if (write.state !== 'waiting')
        await withdrawWrite(context.connection, write.id).catch(() => {});
      throw error;
    }
    const { record, reason } = await confirmWrite(context, query, write, ledger);
    if (record) return record;
    state = 'unknown';
    throw unknownOutcome(action, error, reason);
  } finally {
    ledger.close(write, state);
  }
}
