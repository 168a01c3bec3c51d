import { randomUUID } from 'node:crypto';
import type { Execute, Item, Values } from 'n8n-workflow';
import {
  type Action,
  checkInput,
  hasOptedOut,
  hasUnknownOutcome,
  inEnglish,
  inOrder,
  oncePer,
  onceWithin,
  optedOutReason,
  sleep,
  storeHash,
  type Telephony,
  TelephonyError,
} from '../../../src/builder.ts';
import { ClaimBlocks, writeMs } from './claim-blocks.ts';
import { type Claims, claimsOf } from './claims.ts';

/** The start of the keys of what n8n keeps in the context of a node. */
const memoPrefix = 'telephony:';
const originKey = `${memoPrefix}execution`;

/** The state of an item, which n8n keeps while it retries a node, and when someone retries an execution that has ended. */
type Memo =
  | { state: 'claimed' | 'failed' }
  | { state: 'done'; record: Values }
  | { state: 'unknown'; message: string };

/**
 * The execution in which the node ran first, which n8n keeps like a memo. All retries share its claims, so that only one of them sends. If it
 * is itself a retry, it may follow one whose memos are lost.
 */
interface Origin {
  execution: string;
  isRetry: boolean;
  hasToken?: boolean;
}

/** Identifies an execution by the token that resumes it: its retries have the same, even if the memos are lost. Earlier versions of n8n have none. */
function originOf(context: Execute, execution: string, item: number): Origin {
  const { resumeUrl } = context.getWorkflowDataProxy(item).$execution;
  const token = URL.parse(resumeUrl)?.search;
  if (token) return { execution: storeHash(token), isRetry: false, hasToken: true };
  return { execution, isRetry: context.getMode() === 'retry' };
}

/** The work in progress, so that equal calls that an agent makes at the same time are one. */
const once = onceWithin<Item[]>(0);

type RunContext = Execute & { runIndex?: number };

const isTool = ({ type }: { type: string }) => type.endsWith('Tool');

/**
 * Identifies an action within an execution: by the item of a run, even if an expression has another value in the next attempt, or by an
 * agent's input, because each of its calls is a separate run.
 */
const placeOf = ({ id }: Action, context: RunContext, item: number, input: string) =>
  isTool(context.getNode()) ? storeHash(input) : `${id}:${context.runIndex ?? 0}:${item}`;

const interrupted = ({ name, ifUnknown }: Action) =>
  new TelephonyError(
    'unknown-outcome',
    `An earlier attempt may have run “${name}”, but n8n has no result of it. The outcome is unknown; it was not sent again. ${ifUnknown}`,
  );

const openKey = ({ ifUnknown }: Action, key: string) =>
  new TelephonyError(
    'unknown-outcome',
    `Another execution may have sent with the key “${key}”: it has not ended, or it ended without an outcome. Nothing was sent now. ${ifUnknown} To send it, change the key.`,
  );

/** How a node sends the items of a run. */
export interface Sending {
  /** What is sent once, in all executions. */
  oncePer?: string | undefined;
  /** Whether each of several equal items is sent. */
  sendsEqual?: boolean;
}

const skipped = {
  equal:
    'Skipped, because it equals an earlier item, whose record this is. To send both, add the option “Send Equal Items”.',
  key: (key: string) => `Skipped, because this node has already sent with the key “${key}”.`,
};

/** An action for an item, and where n8n keeps the outcomes of its attempts. */
interface Attempt {
  context: RunContext;
  telephony: Telephony;
  action: Action;
  given: object;
  item: number;
  /** What it sends, checked and as text. */
  values: object;
  input: string;
  execution: string;
  place: string;
  sending: Sending;
}

/** Returns the claims of the items of an execution, by the keys of their memos. */
const blocksOf = oncePer(
  (_memos: Values, { execution, hasToken = false }: Origin) =>
    new ClaimBlocks((key) => storeHash(execution, key), hasToken),
);

/** The memos of executions whose end is awaited. */
const awaited = new WeakSet<Values>();

/**
 * Removes the claims of an execution once n8n has stored its memos, from which a retry starts: n8n reads and writes all claims of a node for
 * each action. Those of a retry stay, because the next one starts from the older memos.
 */
function removeWhenStored(context: Execute, memos: Values, origin: Origin): void {
  const id = context.getExecutionId();
  if (!id || context.getMode() === 'retry' || awaited.has(memos)) return;
  awaited.add(memos);
  context.onExecutionFinish?.(async () => {
    // n8n may not have stored them, as those of an execution that someone canceled. One that it has deleted has no retries.
    const stored = await context.getExecutionDataById?.(id);
    const kept = stored
      ? stored.executionData?.contextData[`node:${context.getNode().name}`]
      : memos;
    const outcomes = Object.entries(kept ?? {}).filter(([, memo]) =>
      ['claimed', 'done', 'unknown'].includes(Object(memo).state),
    );
    await claimsOf(context).remove(blocksOf(memos, origin).needless(outcomes.map(([key]) => key)));
  });
}

/** Whether an item has claimed its key, or another execution sent with it, or may have. */
type KeyState = 'own' | 'sent' | 'open';

/** The claims of a key: that it is used and, until its action has ended, that its outcome is open. A proof is of one write only. */
interface KeyClaims {
  used: string;
  open: string;
  proofs: string[];
}

/** How long an item waits for another process that sends with its key, in milliseconds. */
const maxKeyWaitMs = 3_000;

/** Returns the claims of a key in all executions of a node. */
function keyClaimsOf({ telephony, action, sending }: Attempt): KeyClaims {
  const claimOf = (state: string) =>
    storeHash(state, telephony.account, action.id, String(sending.oncePer));
  return { used: claimOf('key'), open: claimOf('open key'), proofs: [randomUUID()] };
}

/**
 * Claims a key for all executions. Another process's write at the same moment can replace the claims, unless the proof that they share it
 * stays.
 *
 * @param known those that n8n had when it recorded these claims
 */
async function claimKey(
  claims: Claims,
  { used, open, proofs }: KeyClaims,
  known: string[],
): Promise<KeyState> {
  let isClaimed = false;
  for (let waitMs = writeMs; ; waitMs *= 2) {
    const isOpen = known.includes(open);
    const isUsed = isOpen || known.includes(used);
    const proof = String(proofs.at(-1));
    if (isUsed && isClaimed && known.includes(proof)) return 'own';
    if (isUsed && !isOpen) return 'sent';
    if (isUsed && waitMs > maxKeyWaitMs) return 'open';
    isClaimed = !isUsed;
    // The proof of an earlier write proves nothing about the next one.
    if (isUsed) proofs.push(randomUUID());
    await sleep(waitMs);
    known = await claims.record([used, open, String(proofs.at(-1))]);
  }
}

async function attemptOnce(attempt: Attempt): Promise<Item[]> {
  const { context, telephony, action, given, item, values, input, execution, place, sending } =
    attempt;
  const { oncePer: onceKey, sendsEqual = false } = sending;
  const memos = context.getContext('node');
  memos[originKey] ??= originOf(context, execution, item);
  const origin = memos[originKey] as Origin;
  removeWhenStored(context, memos, origin);
  const key = memoPrefix + place;
  const memoAt = (place: unknown) => memos[String(place)] as Memo | undefined;
  const known = memoAt(key);
  const claims = claimsOf(context);
  const blocks = blocksOf(memos, origin);
  const keyClaims = keyClaimsOf(attempt);
  const { used, open, proofs } = keyClaims;
  let isInterrupted = false;
  let keyState: KeyState | undefined;

  // Of the items of a run that would send the same, one does, and the others share its outcome. It also counts as that of the first one,
  // which may be refused in one retry and sent in another.
  const equalKey = memoPrefix + storeHash(String(context.runIndex ?? 0), input);
  const first = sendsEqual ? key : String(memos[equalKey] ?? key);
  const keys = [...new Set([key, first])];
  const own = keys.map(blocks.claimOf);
  const remember = (next: Memo) => {
    for (const one of keys) memos[one] = next;
  };
  // The claims of a retry stay as they are. If a block can't be claimed, its items keep their own claims.
  const end = async () => {
    if (context.getMode() !== 'retry') await blocks.end(claims, key).catch(() => {});
  };
  const withoutSending = (record: Values): Item[] => {
    memos[key] = { state: 'done', record } satisfies Memo;
    return [{ json: record }];
  };
  const outcome = [known, memoAt(first)].find((memo) => memo && memo.state !== 'failed');
  if (outcome?.state === 'claimed') throw interrupted(action);
  if (outcome && outcome !== known) {
    await claims.record([blocks.claimOf(key)]);
    memos[key] = outcome;
    await end();
    if (outcome.state === 'done')
      return withoutSending({ ...outcome.record, skipped: skipped.equal });
  }
  if (outcome?.state === 'done') return [{ json: outcome.record }];
  if (outcome?.state === 'unknown') throw new TelephonyError('unknown-outcome', outcome.message);
  const isBatch = context.getInputData().length > 1;
  if (isBatch && (await hasOptedOut(telephony, action, { ...values })))
    return withoutSending({ skipped: inEnglish(optedOutReason) });
  memos[equalKey] = first;

  // If n8n ends during an execution, its database keeps the claims, but the memos are lost. Without a token, a retry can only look for the
  // same input. An equal SMS of any earlier execution then counts.
  async function beforeSend() {
    const ever = storeHash(place, input);
    const isRetry = context.getMode() === 'retry';
    const retry = isRetry ? [randomUUID()] : [];
    const others = [
      ...(origin.hasToken ? [] : [ever]),
      ...retry,
      ...(onceKey ? [used, open, ...proofs] : []),
    ];
    const processed = await blocks.record(claims, keys, others);
    const earlier = origin.isRetry && !known ? [ever] : own;
    isInterrupted = earlier.some((claim) => processed.includes(claim));
    // Two workers may retry at the same moment: the last one to write replaces the other's claims.
    if (isRetry && !isInterrupted) {
      await sleep(writeMs);
      isInterrupted = (await claims.record(retry)).length === 0;
    }
    const wasSent = processed.includes(used) && !processed.includes(open);
    if (onceKey && isInterrupted) await claims.remove(wasSent ? [open, ...proofs] : proofs);
    else if (onceKey) keyState = await claimKey(claims, keyClaims, processed);
    if (isInterrupted || (onceKey && keyState !== 'own'))
      throw new TelephonyError('aborted', 'Already claimed.');
    remember({ state: 'claimed' });
  }

  // Nothing was sent, so another attempt may claim the item.
  async function release() {
    const ofKey = { own: [used, open], sent: [open], open: [] };
    await claims.remove([...own, ...(keyState ? [...ofKey[keyState], ...proofs] : [])]);
    remember({ state: 'failed' });
  }

  try {
    const waitSignal = context.getExecutionCancelSignal();
    const lane = context.getNode().id;
    const record = { ...(await telephony.run(action.id, given, { waitSignal, beforeSend, lane })) };
    remember({ state: 'done', record });
    if (onceKey) await claims.remove([open, ...proofs]).catch(() => {});
    await end();
    return [{ json: record }];
  } catch (error) {
    if (onceKey && (keyState === 'sent' || keyState === 'open')) {
      await release();
      if (keyState === 'open') throw openKey(action, onceKey);
      return withoutSending({ skipped: skipped.key(onceKey) });
    }
    const fault = isInterrupted ? interrupted(action) : error;
    const isClaimed = (memos[key] as Memo | undefined)?.state === 'claimed';
    if (hasUnknownOutcome(fault)) {
      remember({ state: 'unknown', message: fault.message });
      await end();
    } else if (isClaimed && fault instanceof TelephonyError) await release();
    throw fault;
  }
}

/**
 * Runs an action once for an item, however often n8n runs the node for it: after an error, when someone retries the execution, when a
 * second worker takes over, or when an agent tries again.
 *
 * @throws {TelephonyError} with code `unknown-outcome` if an earlier attempt may have succeeded
 */
export function act(
  context: RunContext,
  telephony: Telephony,
  action: Action,
  given: object,
  item: number,
  sending: Sending = {},
): Promise<Item[]> {
  const values = checkInput(action, given, telephony.cleanPhone);
  const input = JSON.stringify([action.id, telephony.account, values]);
  // The executions of some triggers have no id. n8n never runs them again.
  const execution = context.getExecutionId() ?? randomUUID();
  const place = placeOf(action, context, item, input);
  const attempt = {
    context,
    telephony,
    action,
    given,
    item,
    values,
    input,
    execution,
    place,
    sending,
  };
  const run = [execution, context.getNode().id, String(context.runIndex ?? 0)];
  const signal = undefined;
  // With a key, an item of this process ends before the next one looks at its claims.
  const nodeKey = [context.getWorkflow().id, context.getNode().id, action.id, telephony.account];
  const workOnce = () =>
    sending.oncePer
      ? inOrder(storeHash(...nodeKey.map(String), sending.oncePer), { signal }, () =>
          attemptOnce(attempt),
        )
      : attemptOnce(attempt);
  return once(storeHash(...run.slice(0, 2), place, input), () =>
    inOrder(storeHash(...run, input), { signal }, workOnce),
  );
}
