import { randomUUID } from 'node:crypto';
import { AccountPoll, type WriteFence } from './account-poll.ts';
import { type EventPollerOptions, type PolledAccount, pollLimits } from './poll-options.ts';
import { LeaseLost, pollStateOf } from './poll-state.ts';

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

interface PollInProgress {
  /** The key of the account. */
  key: string;
  fence: WriteFence;
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
  async #reset(account: Account, readAt: number, polls: PollInProgress[]): Promise<void> {
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
    await pollStateOf(this.#options.store(account), key).reset(readAt);
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
    const owner = `${this.#id} ${this.#count}`;
    const poll = new AccountPoll(this.#options, account, owner, this.#hasEnded);
    const { signal } = this.#stop;
    schedule.isPolling = true;
    const previous = this.#last.get(key) ?? Promise.resolve();
    const ended = previous
      .then(() => this.#run(account, schedule, poll, signal))
      .finally(() => {
        this.#inProgress.delete(owner);
        if (this.#last.get(key) === ended) this.#last.delete(key);
      });
    this.#last.set(key, ended);
    this.#inProgress.set(owner, { key, fence: poll.fence, ended });
  }

  /** Whether the owner of a lease has ended. */
  #hasEnded = (owner: string): boolean =>
    this.#options.isAlone?.() || (owner.startsWith(this.#id) && !this.#inProgress.has(owner));

  async #run(
    account: Account,
    schedule: Schedule,
    poll: AccountPoll<Account>,
    stop: AbortSignal,
  ): Promise<void> {
    const { plan } = schedule;
    let waitMs = pollLimits.retryMs;
    try {
      if (!stop.aborted) waitMs = await poll.run(schedule, stop);
      this.#faults.delete(faultOf(account));
    } catch (error) {
      // A poll that ends after polling was turned off is no fault.
      if (!(error instanceof LeaseLost)) this.#logFault(faultOf(account), error);
    }
    schedule.isPolling = false;
    // If the settings changed meanwhile, the account is already due.
    if (schedule.plan === plan) schedule.dueAt = Date.now() + waitMs;
  }
}

/**
 * Creates a poller that polls accounts for as long as an app runs. Of the processes that share a store, one polls an account at a time. A
 * slow account doesn't delay the others.
 */
export const eventPoller = <Account extends PolledAccount>(
  options: EventPollerOptions<Account>,
): EventPoller => new Poller(options);
