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
import { WriteFence } from './write-fence.ts';

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
   * Returns all accounts. The cursor of an account without a poll interval or subscribed events is reset, so that polling starts from now
   * when it is turned on again. Resolves to undefined if the app doesn't know them yet; then nothing is polled or reset.
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
  report(account: Account, outcome: EventOutcome): void;
  /** Called once per problem, until a poll succeeds or fails for another reason. */
  logProblem(account: Account, error: Error): void;
  /** Called once if the accounts or the store can't be read. */
  logFault(error: Error): void;
  /** Called after each poll. */
  polled?(account: Account, error: Error | undefined): void;
  /** Whether no other process polls. */
  isAlone?(): boolean;
}

/** Polls accounts when they are due. */
export interface EventPoller {
  /**
   * Starts, or starts again after a stop.
   *
   * @param options `delayMs`: how long to wait first; `isDueNow`: whether to poll each account then, however recent its last poll is
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
  /** The settings whose change makes the account due at once. */
  plan: string;
  /** Whether it is polled even if its last poll is recent. */
  isForced: boolean;
  isPolling: boolean;
}

/** A poll of an account. */
interface Poll {
  /** The key of the account. */
  key: string;
  /** The owner of the poll's lease. */
  owner: string;
  /** Keeps the poll from writing its state once polling is off. */
  fence: WriteFence;
}

interface PollInProgress extends Poll {
  ended: Promise<void>;
}

/** What a logged fault is about: the list of accounts, or one account. An account's key can be any text. */
const accountsFault = 'accounts';
const faultOf = ({ key }: PolledAccount) => `account ${key}`;

const planOf = ({ intervalMs, events }: PolledAccount) => JSON.stringify([intervalMs, events]);

/** Whether a time has come. A time farther away than possible was set before the clock was put back. */
function isDue(at: number, maxWaitMs: number): boolean {
  const leftMs = at - Date.now();
  return leftMs <= 0 || leftMs > maxWaitMs;
}

const isOn = ({ intervalMs, events }: PolledAccount) => intervalMs > 0 && events.length > 0;

class Poller<Account extends PolledAccount> implements EventPoller {
  readonly #options: EventPollerOptions<Account>;
  readonly #lookMs: number;
  readonly #id = randomUUID();
  readonly #schedules = new Map<string, Schedule>();
  /** The accounts that were reset since their last poll. */
  readonly #resets = new Set<string>();
  /** The last poll of each account. The next one waits for its end. */
  readonly #last = new Map<string, Promise<void>>();
  /** All polls in progress, by the owners of their leases. */
  readonly #inProgress = new Map<string, PollInProgress>();
  /** The messages of logged faults, by what they are about. */
  readonly #faults = new Map<string, string>();
  #accounts: readonly Account[] = [];
  #readAt = 0;
  #reading: Promise<void> | undefined;
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
    this.#readAt = Date.now() + delayMs;
    // `unref`: the timer doesn't keep the process alive.
    this.#timer = setInterval(() => this.#tick(), pollLimits.tickMs).unref();
    if (delayMs === 0) this.#tick();
  }

  wake(delayMs = 0): void {
    this.#readAt = Math.min(this.#readAt, Date.now() + delayMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    this.#accounts = [];
    this.#schedules.clear();
    await this.#reading;
    await Promise.all([...this.#inProgress.values()].map(({ ended }) => ended));
  }

  #tick(): void {
    if (isDue(this.#readAt, this.#lookMs))
      this.#reading ??= this.#readAccounts(this.#stop.signal).finally(() => {
        this.#reading = undefined;
        // A `wake` or `start` meanwhile need not wait for the next tick.
        if (!this.#stop.signal.aborted) this.#tick();
      });
    // Polls nothing while the accounts are read, because one may no longer be polled.
    if (!this.#reading) this.#pollAllDue();
  }

  #logFault(about: string, error: unknown): void {
    const { message } = error as Error;
    if (this.#faults.get(about) !== message) this.#options.logFault(error as Error);
    this.#faults.set(about, message);
  }

  async #readAccounts(stop: AbortSignal): Promise<void> {
    const readAt = Date.now();
    this.#readAt = readAt + this.#lookMs;
    const polls = [...this.#inProgress.values()].filter(({ fence }) => !fence.isClosed);
    try {
      const accounts = await this.#options.accounts();
      if (stop.aborted) return;
      this.#accounts = accounts?.filter(isOn) ?? [];
      for (const account of this.#accounts) this.#schedule(account);
      this.#pollAllDue();
      const off = accounts?.filter((account) => !isOn(account)) ?? [];
      await Promise.all(off.map((account) => this.#reset(account, readAt, polls)));
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

  /**
   * Resets an account whose polling is off.
   *
   * @param readAt when the accounts were read
   * @param polls the polls that were in progress then
   */
  async #reset(account: Account, readAt: number, polls: Poll[]): Promise<void> {
    const { key } = account;
    if (this.#resets.has(key)) return;
    this.#schedules.delete(key);
    // A poll in progress continues, but can no longer write its state. The next one doesn't wait for it.
    this.#last.delete(key);
    const own = polls.filter((poll) => poll.key === key);
    await Promise.all(own.map(({ fence }) => fence.close()));
    // State that a poll wrote after the accounts were read would outlast the reset. So the accounts are read again,
    // after that write.
    if (own.length > 0) return this.wake(1);
    await this.#stateOf(account).reset(readAt);
    this.#resets.add(key);
  }

  #pollAllDue(): void {
    for (const account of this.#accounts) {
      const schedule = this.#schedules.get(account.key);
      if (!schedule || schedule.isPolling) continue;
      if (isDue(schedule.dueAt, account.intervalMs + pollLimits.leaseMs))
        this.#start(account, schedule);
    }
  }

  #start(account: Account, schedule: Schedule): void {
    this.#count += 1;
    const { key } = account;
    const poll = { key, owner: `${this.#id} ${this.#count}`, fence: new WriteFence() };
    const { signal } = this.#stop;
    schedule.isPolling = true;
    const previous = this.#last.get(key) ?? Promise.resolve();
    const ended = previous
      .then(() => this.#run(account, schedule, poll, signal))
      .finally(() => {
        this.#inProgress.delete(poll.owner);
        if (this.#last.get(key) === ended) this.#last.delete(key);
      });
    this.#last.set(key, ended);
    this.#inProgress.set(poll.owner, { ...poll, ended });
  }

  async #run(account: Account, schedule: Schedule, poll: Poll, stop: AbortSignal) {
    const { plan } = schedule;
    let waitMs = pollLimits.retryMs;
    try {
      if (!stop.aborted) waitMs = await this.#poll(account, schedule, poll, stop);
      this.#faults.delete(faultOf(account));
    } catch (error) {
      // A poll that ends after polling was turned off is no fault.
      if (!(error instanceof LeaseLost)) this.#logFault(faultOf(account), error);
    }
    schedule.isPolling = false;
    // If the settings changed meanwhile, the account is already due.
    if (schedule.plan === plan) schedule.dueAt = Date.now() + waitMs;
  }

  #stateOf(account: Account, { fence }: Partial<Poll> = {}) {
    const store = this.#options.store(account);
    return pollStateOf(fence ? fence.around(store) : store, account.key);
  }

  /** Takes the lease. Resolves to 0 if it did, or to how long to wait, in milliseconds. */
  async #begin(account: Account, { isForced }: Schedule, poll: Poll): Promise<number> {
    const { owner } = poll;
    const state = this.#stateOf(account, poll);
    const hasEnded = (other: string) =>
      this.#options.isAlone?.() || (other.startsWith(this.#id) && !this.#inProgress.has(other));
    const waitMs = await state.begin(owner, isForced ? 0 : account.intervalMs, hasEnded);
    // A newly subscribed event is due at once, because what happens before its first poll is never delivered.
    return waitMs > 0 && !(await this.#isCovered(account))
      ? state.begin(owner, 0, hasEnded)
      : waitMs;
  }

  async #isCovered(account: Account): Promise<boolean> {
    const cursor = await this.#stateOf(account).cursor().read();
    let url: string;
    try {
      ({ account: url } = await account.telephony());
    } catch {
      // The next poll reports what is wrong with the settings.
      return true;
    }
    return coversEvents(url, cursor, account.events);
  }

  /** Resolves to how long to wait for the next poll, in milliseconds. */
  async #poll(account: Account, schedule: Schedule, poll: Poll, stop: AbortSignal) {
    const waitMs = await this.#begin(account, schedule, poll);
    if (waitMs > 0) return waitMs;
    const begunAt = Date.now();
    schedule.isForced = false;
    const { owner } = poll;
    const state = this.#stateOf(account, poll);
    const lost = new AbortController();
    const { signal = stop, release } = follow(stop, lost.signal);
    // If the store can't be reached for a moment, the lease isn't lost.
    const isOwn = () => state.renew(owner).catch((error) => !(error instanceof LeaseLost));
    const renew = async () => (await isOwn()) || lost.abort();
    const timer = setInterval(renew, pollLimits.renewMs).unref();
    const error = await this.#pollOnce(account, poll, signal);
    clearInterval(timer);
    release();
    const isInterrupted = signal.aborted || error instanceof LeaseLost;
    const end: PollEnd = error ? { problem: error.message } : 'succeeded';
    const isNewProblem = await state.end(owner, isInterrupted ? 'interrupted' : end);
    if (isInterrupted) return pollLimits.retryMs;
    this.#options.polled?.(account, error);
    if (error && isNewProblem) this.#options.logProblem(account, error);
    return Math.max(0, begunAt + account.intervalMs - Date.now());
  }

  async #pollOnce(account: Account, poll: Poll, signal: AbortSignal) {
    const { memory, deliver, report } = this.#options;
    try {
      const pollOnce = pollEvents(await account.telephony(), {
        // An app stores them as texts, which are checked there.
        ...{ events: account.events as EventId[], deliveryLog: memory(account) },
        cursor: this.#stateOf(account, poll).cursor(poll.owner),
        onEvent: (event, context) => deliver(account, event, context),
        onOutcome: (outcome) => {
          // The next poll delivers what was interrupted.
          if (!signal.aborted) report(account, outcome);
        },
      });
      await pollOnce({ signal });
      return undefined;
    } catch (error) {
      return error as Error;
    }
  }
}

/**
 * Creates a poller that polls accounts for as long as an app runs. Of the processes that share a store, one polls an account at a time. A
 * slow account doesn't delay the others.
 */
export const eventPoller = <Account extends PolledAccount>(
  options: EventPollerOptions<Account>,
): EventPoller => new Poller(options);
