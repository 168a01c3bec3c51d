import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { onceWithin } from '../async/once.ts';
import { storeHash } from '../store/row-store.ts';
import { changeEntry, type Entry, type Store, storeProblem, writeEntry } from '../store/store.ts';
import { type ErrorCode, type ErrorDetails, TelephonyError } from '../telephony-error.ts';
import { type Said, type Sentence, sentence, sentences } from '../text/sentence.ts';

/** All times are in milliseconds. */
export const clickLimits = {
  /** How long after its end an equal click counts as its second half: a slow double click. */
  sameMs: 2_000,
  /** How often the process that handles a click renews its entry. */
  renewMs: 2_000,
  /** How long after the last renewal that process counts as ended. Even a busy one doesn't miss seven renewals. */
  endedMs: 15_000,
  /** How often another process checks for the result. */
  waitMs: 100,
  /** How long entries stay in the store: longer than any click takes. */
  keptMs: 3_600_000,
  /** How long after an action with a key was sent the message log is checked for it: shorter than what others sent is stored. */
  confirmMs: 23 * 3_600_000,
};

/** Who handles a stored call, and what it is about. */
interface Handled {
  /** The attempt that handles it. */
  by?: string;
  /** A hash of its input, if a key identifies it. */
  of?: string;
  /** When it was about to be sent, by the service's clock; missing while it certainly wasn't. */
  since?: string;
}

/** A stored call. */
type Call<Result> = Handled &
  (
    | {
        state: 'in progress';
        /** Whether nothing is sent yet: another process may take it over. */
        isOnlyClaimed?: boolean;
      }
    | { state: 'done'; result: Result }
    | { state: 'failed'; error: { code: ErrorCode; message: Said } & ErrorDetails }
    /** Its outcome is unknown. */
    | { state: 'lost' }
  );

type EndedCall<Result> = Exclude<Call<Result>, { state: 'in progress' }>;

/** What counts as a repetition of a call. */
interface Repetition {
  kind: string;
  /** How long entries stay in the store, in milliseconds. */
  keptMs: number;
  /** How long after its end this process counts an equal call as a repetition, in milliseconds. */
  sharedMs: number;
  /** Whether an equal call gets the result of an ended one, which ended so many milliseconds ago. */
  isRepeated(call: EndedCall<unknown>, age: number): boolean;
  /** Says that the outcome is unknown. */
  unknown: Sentence;
  /** What a user who wants to repeat it does, if that is special. */
  toRepeat?: Sentence;
}

const ofClicks: Repetition = {
  ...{ kind: 'clicks', keptMs: clickLimits.keptMs, sharedMs: clickLimits.sameMs },
  isRepeated: (_, age) => age < clickLimits.sameMs,
  unknown: sentence('The same action started a moment ago, and its outcome is unknown.'),
};

const ofSteps: Repetition = {
  ...{ kind: 'workflow steps', keptMs: 30 * 24 * 3_600_000, sharedMs: 0 },
  // A step that certainly did nothing can run again.
  isRepeated: (call) => call.state !== 'failed' || call.error.code === 'unknown-outcome',
  unknown: sentence('This workflow step started before, and its outcome is unknown.'),
  toRepeat: sentence('To repeat it, start the workflow again.'),
};

const ofKeys: Repetition = {
  ...{ kind: 'keyed actions', keptMs: 7 * 24 * 3_600_000, sharedMs: 0 },
  isRepeated: ofSteps.isRepeated,
  unknown: sentence('The same action started before, and its outcome is unknown.'),
};

const isUnknown = (call: EndedCall<unknown>) =>
  call.state === 'lost' || (call.state === 'failed' && call.error.code === 'unknown-outcome');

const failureOf = (error: unknown): Call<never> =>
  error instanceof TelephonyError
    ? { state: 'failed', error: { ...error, code: error.code, message: error.said } }
    : { state: 'lost' };

export interface Clicks<Result> {
  /**
   * Does the work of a click once, even if equal clicks follow while it runs or shortly after. All of them get the same
   * result or error.
   *
   * @param key identifies the user and the button
   * @param ifUnknown what the user should do if the outcome is unknown
   * @throws {TelephonyError} `unknown-outcome` if the process that handled the first click has ended
   */
  once(key: string, work: () => Promise<Result>, ifUnknown?: Said): Promise<Result>;
  /** Deletes old entries. */
  expire(): Promise<void>;
}

export interface ClicksOptions {
  /** Whether no other process handles clicks, so that a stored click that this one doesn't handle was interrupted. */
  isAlone?(): boolean;
}

/** What a call with a key gets. */
export type KeyedAnswer<Result> =
  | { state: 'done'; result: Result; isReplayed: boolean }
  | { state: 'failed'; error: unknown; isReplayed: boolean }
  /** The first call with the key has no result yet. */
  | { state: 'in progress' }
  /** The key belongs to another input. */
  | { state: 'other input' };

/** How to do the work of a call. */
interface Work<Result> {
  /** Does it. With a key, awaits `sending` right before it sends; if that rejects, another process does it. */
  act(sending: (since: Date) => Promise<void>): Promise<Result>;
  /** A hash of its input, if a key identifies it. */
  of?: string;
  ifUnknown: Said;
}

/** An action that a key identifies. */
export interface KeyedWork<Result> extends Omit<Work<Result>, 'of'> {
  of: string;
  /** Whether a call with another input may follow one that certainly sent nothing. */
  isReplaceable?: boolean;
  /** Looks for the result of an earlier attempt, which was about to be sent at a time by the service's clock. */
  find(since: Date): Promise<Result | undefined>;
}

function callsOnce<Result>(
  store: Store,
  { isAlone = () => false }: ClicksOptions,
  { kind, isRepeated, unknown, toRepeat }: Repetition,
) {
  const unknownOutcome = (ifUnknown: Said) =>
    new TelephonyError(
      'unknown-outcome',
      sentences(unknown, sentence('The plugin did not start it again.'), ifUnknown, toRepeat),
    );

  /** Returns the result of an ended call to an equal one, or throws its error. */
  function resultOf(call: EndedCall<Result>, ifUnknown: Said): Result {
    if (call.state === 'done') return call.result;
    if (call.state === 'lost') throw unknownOutcome(ifUnknown);
    const { code, message, ...details } = call.error;
    throw new TelephonyError(code, message, details);
  }

  const write = (read: Entry | undefined, key: string, value: Call<Result>) =>
    writeEntry(store, kind, read, { key, value });

  /** Changes the entry of an attempt. Resolves to false if it belongs to another one. */
  const set = async (key: string, by: string | undefined, next: Call<Result>) =>
    changeEntry(store, kind, key, (value) => {
      const call = value as Call<Result> | undefined;
      const isOwn = call?.by === by && (next.state !== 'in progress' || call?.state === next.state);
      return isOwn ? next : undefined;
    });

  /** Handles a call that this process has claimed. */
  async function handle(
    key: string,
    claim: Call<Result> & { state: 'in progress' },
    { act }: Work<Result>,
  ): Promise<Result> {
    let current = claim;
    let renewal = Promise.resolve(true);
    const renew = () => {
      renewal = renewal.then(() => set(key, claim.by, current)).catch(() => true);
    };
    const timer = setInterval(renew, clickLimits.renewMs);
    async function sending(since: Date) {
      await renewal;
      const { isOnlyClaimed: _, ...started } = current;
      current = { ...started, since: since.toISOString() };
      if (await set(key, claim.by, current).catch(storeProblem)) return;
      throw new TelephonyError(
        'aborted',
        sentence('Another process does this now. This one sent nothing.'),
      );
    }
    let end: Call<Result> = { state: 'lost' };
    try {
      const result = await act(sending);
      end = { state: 'done', result };
      return result;
    } catch (error) {
      end = failureOf(error);
      throw error;
    } finally {
      clearInterval(timer);
      await renewal;
      const { state: _, isOnlyClaimed: __, ...handled } = current;
      // The work is done, even if its result can't be stored.
      await set(key, claim.by, { ...handled, ...end }).catch(() => {});
    }
  }

  const claimOf = ({ of }: Work<Result>): Call<Result> & { state: 'in progress' } => ({
    ...{ state: 'in progress', by: randomUUID() },
    ...(of !== undefined && { of, isOnlyClaimed: true }),
  });

  /** Whether the process that handles a call has ended. */
  const isAbandoned = (age: number) => age > clickLimits.endedMs || isAlone();

  /** Says that a call that its process has abandoned is lost. Resolves to undefined if another call did. */
  async function lose(entry: Entry, call: Call<Result>): Promise<EndedCall<Result> | undefined> {
    const { by, of, since } = call;
    const lost: EndedCall<Result> = {
      ...{ state: 'lost', ...(by && { by }) },
      ...(of && { of }),
      ...(since && { since }),
    };
    return (await write(entry, entry.key, lost)) ? lost : undefined;
  }

  /** Does the work of a call, or waits for the one that does. */
  async function handleOnce(key: string, work: Work<Result>): Promise<Result> {
    const { ifUnknown } = work;
    let isWaiting = false;
    // The process that it waits for may have sent.
    const fail = (error: unknown) => {
      if (isWaiting) throw unknownOutcome(ifUnknown);
      return storeProblem(error);
    };
    for (;;) {
      const entry = await store.get(kind, key).catch(fail);
      const call = entry?.value as Call<Result> | undefined;
      const age = Date.now() - (entry?.at ?? 0);
      if (entry && call?.state === 'in progress') {
        isWaiting = true;
        if (!isAbandoned(age)) await setTimeout(clickLimits.waitMs);
        else if (await lose(entry, call).catch(fail)) throw unknownOutcome(ifUnknown);
      } else if (call && call.state !== 'in progress' && isRepeated(call, age))
        return resultOf(call, ifUnknown);
      else {
        const claim = claimOf(work);
        if (await write(entry, key, claim).catch(fail)) return handle(key, claim, work);
      }
    }
  }

  /** Returns the answer to a call from the one that has ended. If its outcome is unknown, looks for it again. */
  async function repeated(
    entry: Entry,
    call: EndedCall<Result>,
    { ifUnknown, find }: KeyedWork<Result>,
  ): Promise<KeyedAnswer<Result>> {
    const { by, of, since } = call;
    // Later, it isn't known any more which messages belong to other calls.
    const isRecent = since && Date.now() - Date.parse(since) < clickLimits.confirmMs;
    const found = isUnknown(call) && isRecent ? await find(new Date(since)) : undefined;
    if (found !== undefined) {
      const done = { state: 'done', result: found, ...(by && { by }), ...(of && { of }) } as const;
      await write(entry, entry.key, done).catch(() => {});
      return { state: 'done', result: found, isReplayed: true };
    }
    try {
      return { state: 'done', result: resultOf(call, ifUnknown), isReplayed: true };
    } catch (error) {
      return { state: 'failed', error, isReplayed: true };
    }
  }

  /** Does the work of a key, unless an earlier call did or does. */
  async function answerOnce(key: string, work: KeyedWork<Result>): Promise<KeyedAnswer<Result>> {
    for (;;) {
      const entry = await store.get(kind, key).catch(storeProblem);
      const call = entry?.value as Call<Result> | undefined;
      const age = Date.now() - (entry?.at ?? 0);
      const isFree = work.isReplaceable && call?.state === 'failed' && !isUnknown(call);
      if (call && call.of !== work.of && !isFree) return { state: 'other input' };
      if (entry && call?.state === 'in progress' && !isAbandoned(age))
        return { state: 'in progress' };
      if (entry && call?.state === 'in progress' && !call.isOnlyClaimed) {
        const lost = await lose(entry, call).catch(storeProblem);
        // Its entry was changed, so it must be read again before it can be swapped.
        if (!lost) continue;
        const changed = await store.get(kind, key).catch(storeProblem);
        if (changed) return repeated(changed, lost, work);
      } else if (entry && call && call.state !== 'in progress' && isRepeated(call, age))
        return repeated(entry, call, work);
      else {
        const claim = claimOf(work);
        if (!(await write(entry, key, claim).catch(storeProblem))) continue;
        try {
          return { state: 'done', result: await handle(key, claim, work), isReplayed: false };
        } catch (error) {
          return { state: 'failed', error, isReplayed: false };
        }
      }
    }
  }

  return { handleOnce, answerOnce };
}

const expireOf =
  (store: Store, { kind, keptMs }: Repetition) =>
  () =>
    store.expire(kind, Date.now() - keptMs);

function clicksOf<Result>(
  store: Store,
  options: ClicksOptions,
  repetition: Repetition,
): Clicks<Result> {
  const once = onceWithin<Result>(repetition.sharedMs);
  const { handleOnce } = callsOnce<Result>(store, options, repetition);
  return {
    once: (key, act, ifUnknown = sentence('Check what it did before you repeat it.')) =>
      once(key, () => handleOnce(storeHash(key), { act, ifUnknown })),
    expire: expireOf(store, repetition),
  };
}

/**
 * Creates a handler that deduplicates clicks, such as double clicks, among all processes that share a store.
 *
 * @param store stores the clicks, with their results as JSON
 */
export const clicks = <Result>(store: Store, options: ClicksOptions = {}): Clicks<Result> =>
  clicksOf(store, options, ofClicks);

/**
 * Creates a handler that runs each step of a workflow's execution once, even if the builder repeats the step after a crash. The
 * repetition gets the result of the first run, `unknown-outcome` if that has none, and runs only if the first one failed without doing
 * anything. The key identifies the execution, the step and, in a loop, the turn.
 *
 * @param store stores the steps, with their results as JSON, for 30 days
 */
export const workflowSteps = <Result>(store: Store, options: ClicksOptions = {}): Clicks<Result> =>
  clicksOf(store, options, ofSteps);

/** Actions that callers identify by keys of their own. */
export interface KeyedActions<Result> {
  /**
   * Does the work of a key once. A repetition gets the result of the first call; it does the work only if that certainly sent nothing. If
   * the outcome of the first call is unknown, each repetition looks for it again. Never waits for another call.
   *
   * @param key identifies the caller and the action
   */
  answer(key: string, work: KeyedWork<Result>): Promise<KeyedAnswer<Result>>;
  /** Deletes old entries. */
  expire(): Promise<void>;
}

/**
 * Creates a handler for actions that callers identify by keys, as with HTTP's `Idempotency-Key`.
 *
 * @param store stores the actions, with their results as JSON, for seven days
 */
export const keyedActions = <Result>(store: Store): KeyedActions<Result> => {
  const { answerOnce } = callsOnce<Result>(store, {}, ofKeys);
  return {
    answer: (key, work) => answerOnce(storeHash(key), work),
    expire: expireOf(store, ofKeys),
  };
};
