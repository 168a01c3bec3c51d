import type { EventId } from '../../definition/operation.ts';
import type { Store } from '../../store/store.ts';
import type { Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { sentence } from '../../text/sentence.ts';
import type { DeliveryLog } from '../deliver/delivery-log.ts';
import type { EventContext, EventOptions, EventOutcome } from '../deliver/event-options.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';

/** Stores the polling cursor, so that events between two polls are delivered later. */
export interface CursorStore {
  /** Returns the cursor that was last written; null or undefined before the first one. */
  read(): string | null | undefined | Promise<string | null | undefined>;
  write(cursor: string): void | Promise<void>;
}

export interface PollOptions
  extends Pick<EventOptions, 'onEvent' | 'deliveryLog' | 'timeoutMs' | 'onOutcome'> {
  /** The ids of the events to poll. If not given, all that can be polled. */
  events?: readonly EventId[] | undefined;
  /** Stores the cursor. If not given, it lasts as long as the process. */
  cursor?: CursorStore | undefined;
}

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

/** All times are in milliseconds. */
export const pollLimits = {
  /** The shortest poll interval: six seconds, which is 14,400 requests a day for each list. */
  shortestMs: 6 * secondMs,
  /** The longest poll interval: a day, because failed deliveries are retried for a day. */
  longestMs: 24 * 60 * minuteMs,
  /** How often to check in memory which accounts are due. A long timer would be late after a laptop has slept. */
  tickMs: secondMs,
  /** How often to read the accounts, because changes by SQL or by another process aren't reported. */
  lookMs: minuteMs,
  /** How long after a change to read it, because it can be read only once its transaction ends. */
  settleMs: 3 * secondMs,
  /** When to retry if the store can't be reached. */
  retryMs: 5 * secondMs,
  /** How long a lease lasts without a renewal. Then the process that polls counts as ended. */
  leaseMs: minuteMs,
  /** How often to renew the lease: two renewals can fail. */
  renewMs: 20 * secondMs,
  /** How far the timers of two processes may differ. */
  toleranceMs: 500,
};

/** The range of the setting “Poll every”, in minutes. */
export const pollRange = {
  least: pollLimits.shortestMs / minuteMs,
  most: pollLimits.longestMs / minuteMs,
};

/**
 * Parses the setting “Poll every”.
 *
 * @param minutes the setting, as entered
 * @returns milliseconds; 0 if polling is off, because the setting is empty or 0
 * @throws {TelephonyError} if it is out of range
 */
export function pollIntervalMs(minutes: unknown): number {
  const intervalMs = Math.round(Number(String(minutes ?? '').trim()) * minuteMs);
  const { shortestMs, longestMs } = pollLimits;
  if (intervalMs === 0 || (intervalMs >= shortestMs && intervalMs <= longestMs)) return intervalMs;
  throw new TelephonyError(
    'settings',
    sentence(
      '“Poll every” must be from {least} to {most} minutes. Leave it empty to turn polling off.',
      pollRange,
    ),
    { field: 'pollMinutes' },
  );
}

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
  deliveryLog(account: Account): DeliveryLog;
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
