import pLimit from 'p-limit';
import { oncePer } from '../async/once.ts';
import type { Address, CheckedSettings } from '../settings/check-settings.ts';
import type { Limits } from '../settings/limits.ts';
import type { LimitReached, Spending } from '../settings/spending.ts';
import type { Store } from '../store/store.ts';
import type { Http } from './http.ts';
import { laneQueue, type Queue } from './lanes.ts';
import { type RateLimiter, rateLimiterOf } from './rate-limiter.ts';
import { ServiceClock } from './service-clock.ts';

/** One attempt to send a request. */
export interface RequestReport {
  /** The id of the operation. For media, and confirmations that no operation reads, the id of the record's shape. */
  operation: string;
  /** The method and the path below the account, with placeholders instead of values. */
  request: string;
  /** The HTTP status; undefined if no response came. */
  status: number | undefined;
  /** The time from sending to the end of the response, in milliseconds; to its headers for media. */
  durationMs: number;
  /** 1 for the first attempt. */
  attempt: number;
}

/** Where requests go. Without a username and password, they carry no credentials. */
export interface Endpoint {
  origin: string;
  limits: Limits;
  username?: string;
  password?: string;
  /** Sends the requests instead of axios. */
  http?: Http | undefined;
}

/** What the requests of an account share: settings, limits, queues and rate limits. */
export interface Connection extends CheckedSettings {
  limits: Limits;
  /** The queue of reads: starts each when a slot is free. */
  queue: Queue;
  /** Returns the queue of the actions of a lane. They don't wait behind the reads of a page, or the actions of other lanes. */
  actions(lane: string): Queue;
  /** The queue of the rows of batches. */
  batches: Queue;
  /** The lane in which requests wait for a permit: that of reads and confirmations, or that of an action. */
  lane: string;
  /** The queue of audio that isn't playing yet. Its rate limit delays no other request. */
  media: { queue: Queue; rateLimiter(): RateLimiter };
  /** The queue of confirmations, so that they don't wait behind the actions that follow. */
  confirmations: Queue;
  /** Returns the rate limiter of reads, actions and confirmations. */
  rateLimiter(): RateLimiter;
  /** The service's clock. */
  clock: ServiceClock;
  /** Sends the requests instead of axios. */
  http?: Http | undefined;
  /** Reports each attempt. */
  onRequest?: ((report: RequestReport) => void) | undefined;
  /** Stores what is sent, for all processes that share it. */
  store?: Store | undefined;
  /** The limits on what is sent. */
  spending?: Spending | undefined;
  /** Who uses the connection, with limits of their own. */
  caller?: { id: string; spending: Spending } | undefined;
  /** Reports a limit that refuses something. */
  onLimitReached?: ((reached: LimitReached) => void) | undefined;
  /** Whether each record keeps the JSON that it was read from. */
  keepsRaw?: boolean | undefined;
}

/** How many confirmations are in progress at the same time. */
const confirmationConcurrency = 2;

/** Creates a connection from checked settings. Opens no socket before the first request. */
export const createConnection = (
  settings: CheckedSettings,
  limits: Limits,
  others: Pick<
    Connection,
    'http' | 'onRequest' | 'keepsRaw' | 'store' | 'spending' | 'caller' | 'onLimitReached'
  > = {},
): Connection => ({
  ...settings,
  limits,
  queue: pLimit(limits.concurrency),
  actions: laneQueue(limits.concurrency),
  batches: pLimit(limits.batchConcurrency),
  lane: '',
  media: {
    queue: pLimit(limits.concurrency),
    rateLimiter: rateLimiterOf({ ...settings, root: `${settings.root} media` }),
  },
  confirmations: pLimit(confirmationConcurrency),
  rateLimiter: rateLimiterOf(settings),
  clock: new ServiceClock(),
  ...others,
});

const hostConnections = oncePer((connection: Connection) =>
  oncePer(
    (address: Address): Connection => ({
      ...connection,
      ...address,
      rateLimiter: rateLimiterOf({ ...connection, root: address.root }),
    }),
  ),
);

/**
 * Returns the connection to a sister host: the same account and queues, with an address and a rate limit of its own.
 *
 * @param address the address of an operation; that of the account returns its connection
 */
export const connectionTo = (connection: Connection, address: Address): Connection =>
  address === connection ? connection : hostConnections(connection)(address);

const connections = new WeakMap<object, Connection>();

/** Remembers the connection of an account, for what gets only the account. */
export const setConnection = (account: object, connection: Connection): void =>
  void connections.set(account, connection);

/** Returns the connection of an account; undefined if `connect` didn't return it. */
export const connectionOf = (account: object): Connection | undefined => connections.get(account);
