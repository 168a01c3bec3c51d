import { follow } from '../../async/follow.ts';
import type { EventId } from '../../definition/operation.ts';
import type { Store } from '../../store/store.ts';
import { TelephonyError } from '../../telephony-error.ts';
import type { Said } from '../../text/sentence.ts';
import { coversEvents } from './cursor.ts';
import { pollEvents } from './poll-events.ts';
import { type EventPollerOptions, type PolledAccount, pollLimits } from './poll-options.ts';
import { LeaseLost, type PollEnd, pollStateOf } from './poll-state.ts';

const saidBy = (error: Error): Said =>
  error instanceof TelephonyError ? error.said : error.message;

/** Keeps earlier work from writing to a store. */
export class WriteFence {
  readonly #writing = new Set<Promise<boolean>>();
  #isClosed = false;

  get isClosed(): boolean {
    return this.#isClosed;
  }

  #write(begin: () => Promise<boolean>): Promise<boolean> {
    if (this.#isClosed) return Promise.reject(new LeaseLost());
    const writing = begin();
    this.#writing.add(writing);
    return writing.finally(() => this.#writing.delete(writing));
  }

  /** Returns a store whose writes reject with `LeaseLost` once the fence is closed. */
  around(store: Store): Store {
    return {
      get: (...read) => store.get(...read),
      find: (...read) => store.find(...read),
      insert: (...write) => this.#write(() => store.insert(...write)),
      swap: (...write) => this.#write(() => store.swap(...write)),
      expire: (...write) => store.expire(...write),
    };
  }

  /** Closes the fence. Resolves when the writes in progress have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#writing);
  }
}

/** One poll of an account, from its lease to its result. */
export class AccountPoll<Account extends PolledAccount> {
  /** Keeps the poll from writing its state once polling is off. */
  readonly fence = new WriteFence();

  /**
   * @param owner the owner of the lease
   * @param hasEnded whether another owner is known to have ended
   */
  constructor(
    private readonly options: EventPollerOptions<Account>,
    private readonly account: Account,
    private readonly owner: string,
    private readonly hasEnded: (owner: string) => boolean,
  ) {}

  get #state() {
    return pollStateOf(this.fence.around(this.options.store(this.account)), this.account.key);
  }

  /** Takes the lease. Resolves to 0 if it did, or to how long to wait, in milliseconds. */
  async #begin(isForced: boolean): Promise<number> {
    const begin = (intervalMs: number) => this.#state.begin(this.owner, intervalMs, this.hasEnded);
    const waitMs = await begin(isForced ? 0 : this.account.intervalMs);
    // A newly subscribed event is due at once, because what happens before its first poll is never delivered.
    return waitMs > 0 && !(await this.#isCovered()) ? begin(0) : waitMs;
  }

  async #isCovered(): Promise<boolean> {
    const cursor = await this.#state.cursor().read();
    let url: string;
    try {
      ({ account: url } = await this.account.telephony());
    } catch {
      // The next poll reports what is wrong with the settings.
      return true;
    }
    return coversEvents(url, cursor, this.account.events);
  }

  /** Keeps the lease until the returned function is called. The signal aborts when it is lost. */
  #keepLease(stop: AbortSignal) {
    const lost = new AbortController();
    const { signal = stop, release } = follow(stop, lost.signal);
    const state = this.#state;
    // If the store can't be reached for a moment, the lease isn't lost.
    const isOwn = () => state.renew(this.owner).catch((error) => !(error instanceof LeaseLost));
    const renew = async () => (await isOwn()) || lost.abort();
    const timer = setInterval(renew, pollLimits.renewMs).unref();
    const end = () => {
      clearInterval(timer);
      release();
    };
    return { signal, end };
  }

  /**
   * Polls, if that is due.
   *
   * @param schedule whether to poll even if the last poll is recent, until that was done
   * @returns how long to wait for the next poll, in milliseconds
   */
  async run(schedule: { isForced: boolean }, stop: AbortSignal): Promise<number> {
    const waitMs = await this.#begin(schedule.isForced);
    if (waitMs > 0) return waitMs;
    const begunAt = Date.now();
    schedule.isForced = false;
    const lease = this.#keepLease(stop);
    const error = await this.#pollOnce(lease.signal);
    lease.end();
    const isInterrupted = lease.signal.aborted || error instanceof LeaseLost;
    const end: PollEnd = error ? { problem: saidBy(error) } : 'succeeded';
    const isNewProblem = await this.#state.end(this.owner, isInterrupted ? 'interrupted' : end);
    if (isInterrupted) return pollLimits.retryMs;
    this.options.polled?.(this.account, error);
    if (error && isNewProblem) this.options.logProblem(this.account, error);
    return Math.max(0, begunAt + this.account.intervalMs - Date.now());
  }

  async #pollOnce(signal: AbortSignal): Promise<Error | undefined> {
    const { deliveryLog, deliver, report } = this.options;
    const account = this.account;
    try {
      const pollOnce = pollEvents(await account.telephony(), {
        // An app stores them as texts, which are checked there.
        ...{ events: account.events as EventId[], deliveryLog: deliveryLog(account) },
        cursor: this.#state.cursor(this.owner),
        onEvent: (event, context) => deliver(account, event, context),
        onOutcome: (outcome) => {
          // The next poll delivers what was interrupted, but sends no reply.
          if (!signal.aborted || 'reply' in outcome) report(account, outcome);
        },
      });
      await pollOnce({ signal });
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}
