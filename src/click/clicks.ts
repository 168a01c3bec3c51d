import { setTimeout } from 'node:timers/promises';
import { onceWithin } from '../once-within.ts';
import { writeEntry } from '../store/change-entry.ts';
import type { Entry, Store } from '../store/store.ts';
import { storeHash } from '../store/store-hash.ts';
import { type ErrorCode, type ErrorDetails, TelephonyError } from '../telephony-error.ts';

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

const kind = 'clicks';

/** A stored click. */
type Click<Result> =
  | { state: 'in progress' }
  | { state: 'done'; result: Result }
  | { state: 'failed'; error: { code: ErrorCode; message: string } & ErrorDetails }
  /** Its outcome is unknown. */
  | { state: 'lost' };

const unknownOutcome = (ifUnknown: string) =>
  new TelephonyError(
    'unknown-outcome',
    `The same action started a moment ago, and its outcome is unknown. The plugin did not start it again. ${ifUnknown}`,
  );

/** Returns the result of an ended click to an equal click, or throws its error. */
function resultOf<Result>(
  click: Exclude<Click<Result>, { state: 'in progress' }>,
  ifUnknown: string,
): Result {
  if (click.state === 'done') return click.result;
  if (click.state === 'lost') throw unknownOutcome(ifUnknown);
  const { code, message, ...details } = click.error;
  throw new TelephonyError(code, message, details);
}

const failureOf = (error: unknown): Click<never> =>
  error instanceof TelephonyError
    ? { state: 'failed', error: { ...error, code: error.code, message: error.message } }
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
  once(key: string, work: () => Promise<Result>, ifUnknown?: string): Promise<Result>;
  /** Deletes old entries. */
  expire(): Promise<void>;
}

export interface ClicksOptions {
  /** Whether no other process handles clicks. Then nothing is stored. */
  isAlone?(): boolean;
}

/**
 * Creates a handler that deduplicates clicks, such as double clicks, among all processes that share a store.
 *
 * @param store stores the clicks, with their results as JSON
 */
export function clicks<Result>(store: Store, { isAlone = () => false }: ClicksOptions = {}) {
  const once = onceWithin<Result>(clickLimits.sameMs);

  const write = (read: Entry | undefined, key: string, value: Click<Result>) =>
    writeEntry(store, kind, read, { key, value });

  async function set(key: string, value: Click<Result>) {
    const entry = await store.get(kind, key);
    if (entry) await store.swap(kind, entry, value);
  }

  /** Handles a click that this process has claimed. */
  async function handle(key: string, work: () => Promise<Result>): Promise<Result> {
    let renewal = Promise.resolve();
    const renew = () => {
      renewal = renewal.then(() => set(key, { state: 'in progress' })).catch(() => {});
    };
    const timer = setInterval(renew, clickLimits.renewMs);
    let end: Click<Result> = { state: 'lost' };
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
    ifUnknown: string,
  ): Promise<Result> {
    let isWaiting = false;
    // The process that it waits for may have sent.
    const fail = (error: unknown) => {
      throw isWaiting ? unknownOutcome(ifUnknown) : error;
    };
    for (;;) {
      const entry = await store.get(kind, key).catch(fail);
      const click = entry?.value as Click<Result> | undefined;
      const age = Date.now() - (entry?.at ?? 0);
      if (click?.state === 'in progress') {
        isWaiting = true;
        if (age <= clickLimits.endedMs) await setTimeout(clickLimits.waitMs);
        else if (entry && (await write(entry, key, { state: 'lost' }).catch(fail)))
          throw unknownOutcome(ifUnknown);
      } else if (click && age <= clickLimits.sameMs) return resultOf(click, ifUnknown);
      else if (await write(entry, key, { state: 'in progress' })) return handle(key, work);
    }
  }

  return {
    once: (key, work, ifUnknown = 'Check what it did before you repeat it.') =>
      once(key, () => (isAlone() ? work() : handleOnce(storeHash(key), work, ifUnknown))),
    expire: () => store.expire(kind, Date.now() - clickLimits.keptMs),
  } satisfies Clicks<Result>;
}
