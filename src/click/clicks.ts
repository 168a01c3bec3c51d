import { setTimeout } from 'node:timers/promises';
import { onceWithin } from '../async/once.ts';
import { storeHash } from '../store/row-store.ts';
import { type Entry, type Store, writeEntry } from '../store/store.ts';
import { storeProblem } from '../store/store-problem.ts';
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
};

/** A stored call. */
type Call<Result> =
  | { state: 'in progress' }
  | { state: 'done'; result: Result }
  | { state: 'failed'; error: { code: ErrorCode; message: Said } & ErrorDetails }
  /** Its outcome is unknown. */
  | { state: 'lost' };

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

function callsOnce<Result>(
  store: Store,
  { isAlone = () => false }: ClicksOptions,
  { kind, keptMs, sharedMs, isRepeated, unknown, toRepeat }: Repetition,
): Clicks<Result> {
  const once = onceWithin<Result>(sharedMs);

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

  async function set(key: string, value: Call<Result>) {
    const entry = await store.get(kind, key);
    if (entry) await store.swap(kind, entry, value);
  }

  /** Handles a call that this process has claimed. */
  async function handle(key: string, work: () => Promise<Result>): Promise<Result> {
    let renewal = Promise.resolve();
    const renew = () => {
      renewal = renewal.then(() => set(key, { state: 'in progress' })).catch(() => {});
    };
    const timer = setInterval(renew, clickLimits.renewMs);
    let end: Call<Result> = { state: 'lost' };
    try {
      const result = await work();
      end = { state: 'done', result };
      return result;
    } catch (error) {
      end = failureOf(error);
      throw error;
    } finally {
      clearInterval(timer);
      await renewal;
      // The work is done, even if its result can't be stored.
      await set(key, end).catch(() => {});
    }
  }

  async function handleOnce(
    key: string,
    work: () => Promise<Result>,
    ifUnknown: Said,
  ): Promise<Result> {
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
      if (call?.state === 'in progress') {
        isWaiting = true;
        if (age <= clickLimits.endedMs && !isAlone()) await setTimeout(clickLimits.waitMs);
        else if (entry && (await write(entry, key, { state: 'lost' }).catch(fail)))
          throw unknownOutcome(ifUnknown);
      } else if (call && isRepeated(call, age)) return resultOf(call, ifUnknown);
      else if (await write(entry, key, { state: 'in progress' }).catch(fail))
        return handle(key, work);
    }
  }

  return {
    once: (key, work, ifUnknown = sentence('Check what it did before you repeat it.')) =>
      once(key, () => handleOnce(storeHash(key), work, ifUnknown)),
    expire: () => store.expire(kind, Date.now() - keptMs),
  };
}

/**
 * Creates a handler that deduplicates clicks, such as double clicks, among all processes that share a store.
 *
 * @param store stores the clicks, with their results as JSON
 */
export const clicks = <Result>(store: Store, options: ClicksOptions = {}): Clicks<Result> =>
  callsOnce(store, options, ofClicks);

/**
 * Creates a handler that runs each step of a workflow's execution once, even if the builder repeats the step after a crash. The
 * repetition gets the result of the first run, `unknown-outcome` if that has none, and runs only if the first one failed without doing
 * anything. The key identifies the execution, the step and, in a loop, the turn.
 *
 * @param store stores the steps, with their results as JSON, for 30 days
 */
export const workflowSteps = <Result>(store: Store, options: ClicksOptions = {}): Clicks<Result> =>
  callsOnce(store, options, ofSteps);
