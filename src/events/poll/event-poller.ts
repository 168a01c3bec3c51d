import { randomUUID } from 'node:crypto';
import type { EventId } from '../../definition/event-definition.ts';
import { follow } from '../../follow.ts';
import type { Store } from '../../store/store.ts';
import type { Telephony } from '../../telephony.ts';
import type { DeliveryLog } from '../deliver/delivery-log.ts';
import type { EventContext, EventOptions, EventOutcome } from '../deliver/event-options.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';
import { coversEvents } from './cursor.ts';
import { pollEvents } from './poll-events.ts';
import { pollLimits } from './poll-limits.ts';
import { LeaseLost, type PollEnd, pollStateOf } from './poll-state.ts';

type Maybe<Value> = Value | Promise<Value>;

/** An account whose events can be polled. */
export interface PolledAccount {
  /** Unique in the app. */
  key: string;
  /** The poll interval in milliseconds; 0 if polling is off. */
  intervalMs: number;
  /** The ids of the subscribed events. */
  events: readonly string[];
  /** Opens the account. Throws or rejects if its settings aren't complete. */
  telephony(): Maybe<Telephony>;
}

export interface EventPollerOptions<Account extends PolledAccount> {
  /**
   * All accounts. The cursor of an account without a poll interval or subscribed events is reset: it misses nothing that happens
   * from then on. Resolves to undefined if the app can't say yet; then nothing is polled or reset.
   */
  accounts(): Maybe<readonly Account[] | undefined>;
  /** How often to call `accounts` if `wake` isn't called, in milliseconds; a minute if not given. */
  lookMs?: number;
  store(account: Account): Store;
  memory(account: Account): DeliveryLog;
  deliver(
    account: Account,
    event: TelephonyEvent,
    options: EventContext,
  ): ReturnType<EventOptions['onEvent']>;
  report(account: Account, what: EventOutcome): void;
  /** Is called once for a problem, until a poll succeeds or fails for another reason. */
  logProblem(account: Account, error: Error): void;
  /** Is called once if the accounts or the store can't be read. */
  logFault(error: Error): void;
  /** Is called after each poll. */
  polled?(account: Account, error: Error | undefined): void;
  /** Whether no other process polls. */
  isAlone?(): boolean;
}

/** Polls accounts when they are due. */
export interface EventPoller {
  /**
   * Starts, or starts again after a stop.
   *
   * @param options after how many milliseconds to begin, and whether to poll each account then, however recent its last poll is
   */
  start(options?: { delayMs?: number; isDueNow?: boolean }): void;
  /** Reads the accounts again, because something has changed. */
  wake(delayMs?: number): void;
  /** Interrupts all polls. Resolves when they have ended. */
  stop(): Promise<void>;
}

/** When an account is polled next. */
interface Schedule {
  dueAt: number;
  /** The settings by which an account may become due earlier. */
  plan: string;
  /** Whether it is polled even if the last poll was short ago. */
  isForced: boolean;
  isPolling: boolean;
}

/** What a logged fault is about: the list of accounts, or one of them. A key of an account can be any text. */
const accountsFault = 'accounts';
const faultOf = ({ key }: PolledAccount) => `account ${key}`;

const planOf = ({ intervalMs, events }: PolledAccount) => JSON.stringify([intervalMs, events]);

/** Whether a time has come. What is farther away than possible was set before the clock was put back. */
function hasCome(at: number, farthestMs: number): boolean {
  const left = at - Date.now();
  return left <= 0 || left > farthestMs;
}

const isOn = ({ intervalMs, events }: PolledAccount) => intervalMs > 0 && events.length > 0;

class Poller<Account extends PolledAccount> implements EventPoller {
  readonly #options: EventPollerOptions<Account>;
  readonly #lookMs: number;
  readonly #id = randomUUID();
  readonly #schedules = new Map<string, Schedule>();
  /** The accounts whose polling was reset since they were polled. */
  readonly #resets = new Set<string>();
  /** The last poll of each account: the next one waits for its end. */
  readonly #last = new Map<string, Promise<void>>();
  /** All polls in progress, by the owners of their leases. */
  readonly #inProgress = new Map<string, Promise<void>>();
  /** What was logged, by what it is about. */
  readonly #faults = new Map<string, string>();
  #accounts: readonly Account[] = [];
  #lookAt = 0;
  #looking: Promise<void> | undefined;
  #isDueNow = false;
  #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #count = 0;

  constructor(options: EventPollerOptions<Account>) {
    this.#options = options;
    this.#lookMs = options.lookMs ?? pollLimits.lookMs;
  }

  start({ delayMs = 0, isDueNow = false } = {}): void {
    this.#stop = new AbortController();
    this.#isDueNow = isDueNow;
    this.#lookAt = Date.now() + delayMs;
    // It keeps no process alive.
    this.#timer = setInterval(() => this.#tick(), pollLimits.tickMs).unref();
    if (delayMs === 0) this.#tick();
  }

  wake(delayMs = 0): void {
    this.#lookAt = Math.min(this.#lookAt, Date.now() + delayMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    this.#accounts = [];
    this.#schedules.clear();
    await this.#looking;
    await Promise.all(this.#inProgress.values());
  }

  #tick(): void {
    if (hasCome(this.#lookAt, this.#lookMs))
      this.#looking ??= this.#look(this.#stop.signal).finally(() => {
        this.#looking = undefined;
        // What was woken or started again meanwhile need not wait for the next tick.
        if (!this.#stop.signal.aborted) this.#tick();
      });
    // What is about to be read may say that an account is no longer polled.
    if (!this.#looking) this.#pollAllDue();
  }

  #logFault(about: string, error: unknown): void {
    const { message } = error as Error;
    if (this.#faults.get(about) !== message) this.#options.logFault(error as Error);
    this.#faults.set(about, message);
  }

  async #look(stop: AbortSignal): Promise<void> {
    const readAt = Date.now();
    this.#lookAt = readAt + this.#lookMs;
    try {
      const accounts = await this.#options.accounts();
      if (stop.aborted) return;
      this.#accounts = accounts?.filter(isOn) ?? [];
      for (const account of this.#accounts) this.#schedule(account);
      this.#pollAllDue();
      const off = accounts?.filter((account) => !isOn(account)) ?? [];
      await Promise.all(off.map((account) => this.#reset(account, readAt)));
      this.#faults.delete(accountsFault);
    } catch (error) {
      this.#logFault(accountsFault, error);
      this.wake(pollLimits.retryMs);
    }
  }

  #schedule(account: Account): void {
    const [plan, dueAt] = [planOf(account), Date.now()];
    const known = this.#schedules.get(account.key);
    this.#resets.delete(account.key);
    if (!known)
      this.#schedules.set(account.key, {
        ...{ plan, dueAt, isForced: this.#isDueNow, isPolling: false },
      });
    else if (known.plan !== plan) Object.assign(known, { plan, dueAt });
  }

  async #reset(account: Account, readAt: number): Promise<void> {
    if (this.#resets.has(account.key)) return;
    // A poll in progress goes on, but no longer advances the cursor, and the next one need not wait for it.
    this.#schedules.delete(account.key);
    this.#last.delete(account.key);
    await this.#stateOf(account).reset(readAt);
    this.#resets.add(account.key);
  }

  #pollAllDue(): void {
    for (const account of this.#accounts) {
      const schedule = this.#schedules.get(account.key);
      if (!schedule || schedule.isPolling) continue;
      if (hasCome(schedule.dueAt, account.intervalMs + pollLimits.leaseMs))
        this.#start(account, schedule);
    }
  }

  #start(account: Account, schedule: Schedule): void {
    this.#count += 1;
    const owner = `${this.#id} ${this.#count}`;
    const { signal } = this.#stop;
    schedule.isPolling = true;
    const before = this.#last.get(account.key) ?? Promise.resolve();
    const poll = before
      .then(() => this.#run(account, schedule, owner, signal))
      .finally(() => {
        this.#inProgress.delete(owner);
        if (this.#last.get(account.key) === poll) this.#last.delete(account.key);
      });
    this.#last.set(account.key, poll);
    this.#inProgress.set(owner, poll);
  }

  async #run(account: Account, schedule: Schedule, owner: string, stop: AbortSignal) {
    const { plan } = schedule;
    let waitMs = pollLimits.retryMs;
    try {
      if (!stop.aborted) waitMs = await this.#poll(account, schedule, owner, stop);
      this.#faults.delete(faultOf(account));
    } catch (error) {
      this.#logFault(faultOf(account), error);
    }
    schedule.isPolling = false;
    // What changed meanwhile has made it due.
    if (schedule.plan === plan) schedule.dueAt = Date.now() + waitMs;
  }

  #stateOf(account: Account) {
    return pollStateOf(this.#options.store(account), account.key);
  }

  /** Resolves to 0 if the lease is taken, or to how long to wait. */
  async #begin(account: Account, { isForced }: Schedule, owner: string): Promise<number> {
    const state = this.#stateOf(account);
    const hasEnded = (other: string) =>
      this.#options.isAlone?.() || (other.startsWith(this.#id) && !this.#inProgress.has(other));
    const left = await state.begin(owner, isForced ? 0 : account.intervalMs, hasEnded);
    // Events that were not polled yet are due at once: those that happen before the first poll are never delivered.
    return left > 0 && !(await this.#isCovered(account)) ? state.begin(owner, 0, hasEnded) : left;
  }

  async #isCovered(account: Account): Promise<boolean> {
    const cursor = await this.#stateOf(account).cursor().read();
    let address: string;
    try {
      ({ account: address } = await account.telephony());
    } catch {
      // The next poll says what is wrong with the settings.
      return true;
    }
    return coversEvents(address, cursor, account.events);
  }

  /** Resolves to how long to wait for the next poll. */
  async #poll(account: Account, schedule: Schedule, owner: string, stop: AbortSignal) {
    const left = await this.#begin(account, schedule, owner);
    if (left > 0) return left;
    const begunAt = Date.now();
    schedule.isForced = false;
    const state = this.#stateOf(account);
    const lost = new AbortController();
    const { signal = stop, release } = follow(stop, lost.signal);
    const renew = () => state.renew(owner).then((isOwn) => isOwn || lost.abort());
    // A store that is away for a moment has not taken the lease away.
    const timer = setInterval(() => renew().catch(() => {}), pollLimits.renewMs).unref();
    const error = await this.#pollOnce(account, owner, signal);
    clearInterval(timer);
    release();
    const isInterrupted = signal.aborted || error instanceof LeaseLost;
    const failed: PollEnd = error ? { problem: error.message } : 'answered';
    const isNewProblem = await state.end(owner, isInterrupted ? 'interrupted' : failed);
    if (isInterrupted) return pollLimits.retryMs;
    this.#options.polled?.(account, error);
    if (error && isNewProblem) this.#options.logProblem(account, error);
    return Math.max(0, begunAt + account.intervalMs - Date.now());
  }

  async #pollOnce(account: Account, owner: string, signal: AbortSignal) {
    const { memory, deliver, report } = this.#options;
    try {
      const poll = pollEvents(await account.telephony(), {
        // An app stores them as texts, which are checked there.
        ...{ events: account.events as EventId[], deliveryLog: memory(account) },
        cursor: this.#stateOf(account).cursor(owner),
        onEvent: (event, about) => deliver(account, event, about),
        onOutcome: (what) => {
          // What was interrupted is delivered by the next poll.
          if (!signal.aborted) report(account, what);
        },
      });
      await poll({ signal });
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}

/**
 * Polls accounts for as long as an app runs. Of the processes that share a store, one polls an account at a time. A slow account
 * doesn't delay another.
 */
export const eventPoller = <Account extends PolledAccount>(
  options: EventPollerOptions<Account>,
): EventPoller => new Poller(options);
