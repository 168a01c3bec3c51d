import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type { Action } from '../../generated/definition-types.ts';
import { inSlices } from '../async/in-slices.ts';
import { actionOf, hasAction } from '../definition/operation.ts';
import { checkInput } from '../input/check-input.ts';
import { hasUnknownOutcome } from '../response/outcome.ts';
import { changeEntry, type Store, storeProblem } from '../store/store.ts';
import type { ActionOptions, Telephony } from '../telephony.ts';
import { sentence } from '../text/sentence.ts';
import { connectionOf, setConnection } from '../wire/connection.ts';
import { type BatchRows, batchLimits, kinds } from './batch.ts';
import { digestOf, isToSend, type RowItem, recipientOf } from './row-item.ts';
import { runBatch } from './run-batch.ts';
import { historyKey } from './stored-batches.ts';

/** How actions that run by themselves, not in a batch, are stored: those of buttons, triggers, workflows and flows. */
export interface SingleSends {
  /** The scope of the batches that take them into account. */
  scope?: string | undefined;
  /** Whether an action that can't be stored is sent all the same: an alarm is worth more than a preview that knows it. */
  isOptional?: boolean;
}

type Outcome = 'done' | 'failed' | 'unknown';

/** An action that ran by itself, as the store keeps it: hashes of its recipient and values. */
interface StoredSend {
  recipient: string;
  digest: string;
  /** When it was started. */
  begun: string;
  outcome: Outcome;
}

type Of = Parameters<typeof historyKey>[0];

/** Returns the index of what was sent to a recipient. 256 parts of all recipients have one each, so that a batch of few rows reads little. */
const indexOf = (of: Of, recipient: string): string =>
  `${historyKey(of)} ${Buffer.from(recipient, 'base64url')[0]}`;

/** How many parts are read at the same time: a builder has few connections to its database. */
const readsAtOnce = 4;

const maybeSent = sentence(
  "A button, trigger, workflow or flow may have sent this. Check the account's log; nothing was sent now.",
);

type Note = (
  action: Action,
  values: Record<string, unknown>,
) => Promise<(outcome: Outcome) => Promise<void>>;

const notes = new WeakMap<object, Note>();

/**
 * Notes that something was sent without an action, such as a reply that the service sends, if the account is for what is sent by itself.
 *
 * @param values the checked values of the action that would send the same
 * @returns a function that takes it back because it is not sent
 */
export async function noteSent(
  telephony: Telephony,
  action: Action,
  values: Record<string, unknown>,
): Promise<() => Promise<void>> {
  const end = await notes.get(telephony)?.(action, values);
  await end?.('done');
  return async () => end?.('failed');
}

/**
 * Returns an account for what is sent by itself: by actions, and by replies. For a day, previews of batches show that their recipients got
 * something.
 *
 * @param store the store of the batches
 */
export function withSingleSends(
  telephony: Telephony,
  store: Store,
  { scope, isOptional = false }: SingleSends = {},
): Telephony {
  const note: Note = async (action, values) => {
    const key = randomUUID();
    const recipient = recipientOf(action, values);
    const of = { actionId: action.id, ...(scope !== undefined && { scope }) };
    const sent = { recipient, digest: digestOf(values) };
    const value = { ...sent, begun: new Date().toISOString(), outcome: 'unknown' };
    const stored = store.insert(kinds.singles, { key, index: indexOf(of, recipient), value });
    await stored.catch(isOptional ? () => {} : storeProblem);
    // The outcome is known anyway. Without it, a batch checks the account's log.
    return async (outcome) => {
      const ended = changeEntry(store, kinds.singles, key, (one) => one && { ...one, outcome });
      await ended.catch(() => {});
    };
  };
  async function run(id: string, input: object = {}, options: ActionOptions = {}) {
    if (!hasAction(id)) return telephony.run(id, input, options);
    const action = actionOf(id);
    let end: Awaited<ReturnType<Note>> = async () => {};
    async function begin() {
      end = await note(action, checkInput(action, input, telephony.cleanPhone));
      await options.beforeSend?.();
    }
    try {
      const record = await telephony.run(id, input, { ...options, beforeSend: begin });
      await end('done');
      return record;
    } catch (error) {
      if (!hasUnknownOutcome(error)) await end('failed');
      throw error;
    }
  }
  const own = {
    ...{ ...telephony, run },
    runBatch: (...args: Parameters<Telephony['runBatch']>) => runBatch(own, ...args),
  } as unknown as Telephony;
  notes.set(own, note);
  const connection = connectionOf(telephony);
  if (connection) setConnection(own, connection);
  return own;
}

/** Returns the actions of the last day that may have sent something to the recipients of a batch's rows. */
export async function readSingleSends(
  store: Store,
  of: Of,
  items: RowItem[],
): Promise<StoredSend[]> {
  const action = actionOf(of.actionId);
  const indexes = new Set<string>();
  await inSlices(items, (item) => {
    if (isToSend(item) && item.values)
      indexes.add(indexOf(of, item.recipient ?? recipientOf(action, item.values)));
  });
  const limit = pLimit(readsAtOnce);
  const found = await Promise.all(
    [...indexes].map((index) => limit(() => store.find(kinds.singles, index))),
  );
  return found
    .flat()
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
  // By recipient, and by recipient and what was sent. One that was certainly sent counts first.
  const byRecipient = new Map<string, StoredSend>();
  const bySame = new Map<string, StoredSend>();
  const sameKey = ({ recipient, digest }: Pick<StoredSend, 'recipient' | 'digest'>) =>
    `${recipient} ${digest}`;
  for (const send of sends) {
    for (const [known, key] of [
      [byRecipient, send.recipient],
      [bySame, sameKey(send)],
    ] as const)
      if (!known.has(key) || (send.outcome === 'done' && known.get(key)?.outcome !== 'done'))
        known.set(key, send);
  }
  return (item) => {
    if (byRecipient.size === 0) return item;
    const { values, isChanged, isRepeated, row, ...rest } = item;
    if (!isToSend(item) || !values) return item;
    const recipient = item.recipient ?? recipientOf(action, values);
    if (!byRecipient.has(recipient)) return item;
    const digest = digestOf(values);
    const same = bySame.get(sameKey({ recipient, digest }));
    const isSame = same !== undefined;
    const send = same ?? byRecipient.get(recipient);
    if (!send) return item;
    const { begun, outcome, digest: sent } = send;
    // A column decides instead of the batch which rows are checked in the log.
    if (isSame && outcome === 'unknown' && !isRecorded)
      return { ...item, digest, isPending: true, begun };
    const mark = isSame ? { isRepeated: true as const } : { isSentSingly: true as const };
    if (!(isSame ? skipsSent : skipsSentSingly)) return { ...item, digest, ...mark };
    // Without its row, a later batch doesn't take what was sent for what this batch sent to the row.
    const marked = { ...rest, ...(isSame && row && { row }), digest: sent, ...mark };
    return outcome === 'done'
      ? { ...marked, outcome: 'already-done' }
      : { ...marked, outcome: 'unknown', message: maybeSent };
  };
}
