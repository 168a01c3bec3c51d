import { randomUUID } from 'node:crypto';
import type { Action } from '../../generated/definition-types.ts';
import { hasUnknownOutcome } from '../response/outcome.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import { changeEntry, type Store } from '../store/store.ts';
import type { ActionOptions, Telephony } from '../telephony.ts';
import { type BatchRows, batchLimits, kinds } from './batch.ts';
import { digestOf, isToSend, type RowItem, recipientOf } from './row-item.ts';
import { historyKey } from './stored-batches.ts';

/** An action that runs by itself, not in a batch: by a button, trigger or workflow. */
export interface SingleSend {
  action: Action;
  /** The scope of the batches that take it into account. */
  scope?: string;
  /** Its checked values. */
  values: Record<string, unknown>;
}

/** Such an action, as the store keeps it: hashes of its recipient and values. */
interface StoredSend {
  recipient: string;
  digest: string;
  /** When it was started. */
  begun: string;
  outcome: 'done' | 'failed' | 'unknown';
}

const maybeSent =
  "A button, trigger or workflow may have sent this. Check the account's log; nothing was sent now.";

/**
 * Runs an action by itself. For a day, previews of batches show that its recipient got something.
 *
 * @param store the store of the batches
 * @throws {TelephonyError} as `run`
 */
export async function runSingle(
  store: Store,
  telephony: Telephony,
  { action, scope, values }: SingleSend,
  options: Omit<ActionOptions, 'beforeSend'> = {},
): Promise<TelephonyRecord> {
  const key = randomUUID();
  const begin = async () => {
    const sent = { recipient: recipientOf(action, values), digest: digestOf(values) };
    const value = { ...sent, begun: new Date().toISOString(), outcome: 'unknown' };
    const index = historyKey({ actionId: action.id, ...(scope !== undefined && { scope }) });
    await store.insert(kinds.singles, { key, index, value });
  };
  // The outcome is known anyway. Without it, a batch checks the account's log.
  const end = (outcome: StoredSend['outcome']) =>
    changeEntry(store, kinds.singles, key, (sent) => sent && { ...sent, outcome }).catch(() => {});
  try {
    const record = await telephony.run(action.id, values, { ...options, beforeSend: begin });
    await end('done');
    return record as TelephonyRecord;
  } catch (error) {
    if (!hasUnknownOutcome(error)) await end('failed');
    throw error;
  }
}

/** Returns the actions of the last day that may have sent something, for the batches of an action. */
export async function readSingleSends(
  store: Store,
  of: Parameters<typeof historyKey>[0],
): Promise<StoredSend[]> {
  const entries = await store.find(kinds.singles, historyKey(of));
  return entries
    .filter(({ at }) => Date.now() - at < batchLimits.singlesMs)
    .map(({ value }) => value as StoredSend)
    .filter(({ outcome }) => outcome !== 'failed');
}

/**
 * Returns a function that marks a row of a batch to whose recipient an action by itself sent something. Those that would get the same are skipped, the others
 * are included, unless the batch's owner decides otherwise. If the outcome is unknown, only the account's log is checked. A row keeps no
 * mark that an earlier batch gave it, unless both let it be sent.
 */
export function singleSendMarks(
  action: Action,
  sends: StoredSend[],
  { isRecorded, skipsSent = true, skipsSentSingly = false }: Omit<BatchRows, 'items'>,
): (item: RowItem) => RowItem {
  const byRecipient = new Map<string, StoredSend[]>();
  for (const send of sends) {
    const own = byRecipient.get(send.recipient);
    if (own) own.push(send);
    else byRecipient.set(send.recipient, [send]);
  }
  return (item) => {
    if (byRecipient.size === 0) return item;
    const { values, isChanged, isRepeated, ...rest } = item;
    if (!isToSend(item) || !values) return item;
    const own = byRecipient.get(item.recipient ?? recipientOf(action, values)) ?? [];
    if (own.length === 0) return item;
    const digest = digestOf(values);
    const same = own.filter((send) => send.digest === digest);
    const candidates = same.length > 0 ? same : own;
    const send = candidates.find(({ outcome }) => outcome === 'done') ?? candidates[0];
    if (!send) return item;
    const { begun, outcome } = send;
    // A column decides instead of the batch which rows are checked in the log.
    if (same.length > 0 && outcome === 'unknown' && !isRecorded)
      return { ...item, digest, isPending: true, begun };
    const isSame = same.length > 0;
    const mark = isSame ? { isRepeated: true as const } : { isSentSingly: true as const };
    if (!(isSame ? skipsSent : skipsSentSingly)) return { ...item, digest, ...mark };
    const marked = { ...rest, digest, ...mark };
    return outcome === 'done'
      ? { ...marked, outcome: 'already-done' }
      : { ...marked, outcome: 'unknown', message: maybeSent };
  };
}
