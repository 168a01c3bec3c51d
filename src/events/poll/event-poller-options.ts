import type { Store } from '../../store/store.ts';
import type { Telephony } from '../../telephony.ts';
import type { DeliveryLog } from '../deliver/delivery-log.ts';
import type { EventContext, EventOptions, EventOutcome } from '../deliver/event-options.ts';
import type { TelephonyEvent } from '../deliver/telephony-event.ts';

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
