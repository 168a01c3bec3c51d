import type { Execute, Item, Values } from 'n8n-workflow';
import {
  type Action,
  checkInput,
  hasUnknownOutcome,
  onceWithin,
  storeHash,
  type Telephony,
  TelephonyError,
} from '../../../src/builder.ts';

/** How many started actions n8n remembers for each node. */
const maxEntries = 10_000;

/** What a run of a node remembers of an item. n8n keeps it while it tries a node again, and when someone retries an execution. */
type Memo =
  | { input: string; state: 'claimed'; execution: string }
  | { input: string; state: 'done'; record: Values }
  | { input: string; state: 'unknown'; message: string };

/** The work in progress, so that equal calls that an agent makes at the same time are one. */
const once = onceWithin<Item[]>(0);

let claims: Promise<unknown> = Promise.resolve();

/** Makes the claims of this process one after the other: n8n reads, changes and writes all claims of a node at once. */
function inTurn<Result>(claim: () => Promise<Result>): Promise<Result> {
  const claimed = claims.then(claim);
  claims = claimed.catch(() => {});
  return claimed;
}

const isTool = ({ type }: { type: string }) => type.endsWith('Tool');

/** Which attempts are the same: those for an item of a run, or an agent's equal calls, each of which n8n makes a run of its own. */
const placeOf = (context: Execute & { runIndex?: number }, item: number, input: string) =>
  isTool(context.getNode()) ? storeHash(input) : `${context.runIndex ?? 0}:${item}`;

const interrupted = ({ name, ifUnknown }: Action) =>
  new TelephonyError(
    'unknown-outcome',
    `n8n stopped while this execution ran “${name}”. The outcome is unknown; it was not sent again. ${ifUnknown}`,
  );

/** An action for an item, and where n8n keeps the outcomes of its attempts. */
interface Attempt {
  context: Execute;
  telephony: Telephony;
  action: Action;
  given: object;
  /** What it sends, as text. */
  input: string;
  execution: string;
  place: string;
}

async function attemptOnce(attempt: Attempt): Promise<Item[]> {
  const { context, telephony, action, given, input, execution, place } = attempt;
  const memos = context.getContext('node');
  const key = `telephony:${place}`;
  const memo = memos[key] as Memo | undefined;
  const known = memo?.input === input ? memo : undefined;
  if (known?.state === 'done') return [{ json: known.record }];
  if (known?.state === 'unknown') throw new TelephonyError('unknown-outcome', known.message);

  const remember = (next: Memo) => {
    memos[key] = next;
  };
  let isInterrupted = false;

  // Another process that ran this execution, and ended, left its claim in n8n's database but no memo.
  async function beforeSend() {
    if (known?.state === 'claimed' && known.execution === execution) return;
    const claim = storeHash(execution, place, input);
    const { processed } = await inTurn(() =>
      context.helpers.checkProcessedAndRecord([claim], 'node', { mode: 'entries', maxEntries }),
    );
    isInterrupted = processed.length > 0;
    if (isInterrupted) throw new TelephonyError('aborted', 'Already claimed.');
    remember({ input, state: 'claimed', execution });
  }

  try {
    const waitSignal = context.getExecutionCancelSignal();
    const record = { ...(await telephony.run(action.id, given, { waitSignal, beforeSend })) };
    remember({ input, state: 'done', record });
    return [{ json: record }];
  } catch (error) {
    const fault = isInterrupted ? interrupted(action) : error;
    if (hasUnknownOutcome(fault)) remember({ input, state: 'unknown', message: fault.message });
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
  const execution = context.getExecutionId();
  const place = placeOf(context, item, input);
  const attempt = { context, telephony, action, given, input, execution, place };
  return once(storeHash(execution, context.getNode().id, place, input), () => attemptOnce(attempt));
}
