import { randomUUID } from 'node:crypto';
import type { Execute, Item, Values } from 'n8n-workflow';
import pLimit from 'p-limit';
import {
  type Action,
  checkInput,
  hasUnknownOutcome,
  onceWithin,
  sleep,
  storeHash,
  type Telephony,
  TelephonyError,
} from '../../../src/builder.ts';

/** How many claims n8n keeps for each node: two for each action, three if it is retried. */
const maxEntries = 20_000;

/** How long two workers that claim at the same moment take to write, at most. */
const writeMs = 300;

const originKey = 'telephony:execution';

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
}

/** Identifies an execution by the token that resumes it: its retries have the same, even if the memos are lost. Earlier versions of n8n have none. */
function originOf(context: Execute, execution: string, item: number): Origin {
  const { resumeUrl } = context.getWorkflowDataProxy(item).$execution;
  const token = URL.parse(resumeUrl)?.search;
  if (token) return { execution: storeHash(token), isRetry: false };
  return { execution, isRetry: context.getMode() === 'retry' };
}

/** The work in progress, so that equal calls that an agent makes at the same time are one. */
const once = onceWithin<Item[]>(0);

/** Makes the claims of this process one after the other: n8n reads, changes and writes all claims of a node at once. */
const inTurn = pLimit(1);

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

/** An action for an item, and where n8n keeps the outcomes of its attempts. */
interface Attempt {
  context: RunContext;
  telephony: Telephony;
  action: Action;
  given: object;
  item: number;
  /** What it sends, as text. */
  input: string;
  execution: string;
  place: string;
}

async function attemptOnce(attempt: Attempt): Promise<Item[]> {
  const { context, telephony, action, given, item, input, execution, place } = attempt;
  const memos = context.getContext('node');
  memos[originKey] ??= originOf(context, execution, item);
  const origin = memos[originKey] as Origin;
  const key = `telephony:${place}`;
  const memoAt = (place: unknown) => memos[String(place)] as Memo | undefined;
  const known = memoAt(key);
  const remember = (next: Memo) => {
    memos[key] = next;
  };
  const own = storeHash(origin.execution, place);
  const { checkProcessedAndRecord, removeProcessed } = context.helpers;
  let isInterrupted = false;

  /** Resolves to the claims that n8n had already. */
  const recordClaims = async (...claims: string[]) => {
    const options = { mode: 'entries', maxEntries } as const;
    return (await inTurn(() => checkProcessedAndRecord(claims, 'node', options))).processed;
  };

  // Of the items of a run that would send the same, one does, and the others share its outcome.
  const equalKey = `telephony:${storeHash(String(context.runIndex ?? 0), input)}`;
  const equal = memoAt(memos[equalKey]);
  const outcome = [known, equal].find((memo) => memo && memo.state !== 'failed');
  if (outcome?.state === 'claimed') throw interrupted(action);
  if (outcome && outcome !== known) {
    await recordClaims(own);
    remember(outcome);
  }
  if (outcome?.state === 'done') return [{ json: outcome.record }];
  if (outcome?.state === 'unknown') throw new TelephonyError('unknown-outcome', outcome.message);
  memos[equalKey] = key;

  // If n8n ends during an execution, its database keeps the claims, but the memos are lost. Without a token, a retry can only look for the
  // same input. An equal SMS of any earlier execution then counts.
  async function beforeSend() {
    const ever = storeHash(place, input);
    const isRetry = context.getMode() === 'retry';
    const retry = isRetry ? [randomUUID()] : [];
    const processed = await recordClaims(own, ever, ...retry);
    isInterrupted = processed.includes(origin.isRetry && !known ? ever : own);
    // Two workers may retry at the same moment: the last one to write replaces the other's claims.
    if (isRetry && !isInterrupted) {
      await sleep(writeMs);
      isInterrupted = (await recordClaims(...retry)).length === 0;
    }
    if (isInterrupted) throw new TelephonyError('aborted', 'Already claimed.');
    remember({ state: 'claimed' });
  }

  // Nothing was sent, so another attempt may claim the item.
  async function release() {
    await inTurn(() => removeProcessed([own], 'node', { mode: 'entries' }));
    remember({ state: 'failed' });
  }

  try {
    const waitSignal = context.getExecutionCancelSignal();
    const lane = context.getNode().id;
    const record = { ...(await telephony.run(action.id, given, { waitSignal, beforeSend, lane })) };
    remember({ state: 'done', record });
    return [{ json: record }];
  } catch (error) {
    const fault = isInterrupted ? interrupted(action) : error;
    const isClaimed = (memos[key] as Memo | undefined)?.state === 'claimed';
    if (hasUnknownOutcome(fault)) remember({ state: 'unknown', message: fault.message });
    else if (isClaimed && fault instanceof TelephonyError) await release();
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
  context: Execute,
  telephony: Telephony,
  action: Action,
  given: object,
  item: number,
): Promise<Item[]> {
  const values = checkInput(action, given, telephony.cleanPhone);
  const input = JSON.stringify([action.id, telephony.account, values]);
  // The executions of some triggers have no id. n8n never runs them again.
  const execution = context.getExecutionId() ?? randomUUID();
  const place = placeOf(action, context, item, input);
  const attempt = { context, telephony, action, given, item, input, execution, place };
  return once(storeHash(execution, context.getNode().id, place, input), () => attemptOnce(attempt));
}
