import pLimit from 'p-limit';
import type { CheckedSettings } from '../settings/check-settings.ts';
import type { Limits } from '../settings/limits.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { rateLimiterOf } from './rate-limiter-of.ts';
import type { RequestReport } from './request-report.ts';
import { ServiceClock } from './service-clock.ts';

/** Where requests go, at what cost, and by whom, where that may be known there. */
export interface Place {
  origin: string;
  limits: Limits;
  username?: string;
  password?: string;
}

type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** What the requests of an account are sent with: where to, by whom, at what cost, and in which turn. */
export interface Connection extends CheckedSettings {
  limits: Limits;
  /** Starts a piece of work when its turn has come. */
  queue: Queue;
  /** The same for actions: none waits behind the reads of a page. */
  actions: Queue;
  /** The same for audio that isn't playing yet. Its rate limit delays no other request. */
  media: { queue: Queue; rateLimiter(): RateLimiter };
  /** The same for what became of a write: it does not wait behind those that are to be sent. */
  confirmations: Queue;
  /** How fast requests may follow each other now, look-ups too. */
  rateLimiter(): RateLimiter;
  /** What time it is there. */
  clock: ServiceClock;
  /** Reports each attempt. */
  onRequest?: ((report: RequestReport) => void) | undefined;
  /** Whether each record keeps what it was read from. */
  keepsRaw?: boolean | undefined;
}

/** How many look-ups are under way at a time, besides the requests. */
const lookUpsTogether = 2;

/** A connection by checked settings. Nothing is opened before the first request. */
export const connectionBy = (
  settings: CheckedSettings,
  limits: Limits,
  { onRequest, keepsRaw }: Pick<Connection, 'onRequest' | 'keepsRaw'> = {},
): Connection => ({
  ...settings,
  limits,
  queue: pLimit(limits.concurrency),
  actions: pLimit(limits.concurrency),
  media: {
    queue: pLimit(limits.concurrency),
    rateLimiter: rateLimiterOf({ ...settings, root: `${settings.root} media` }),
  },
  confirmations: pLimit(lookUpsTogether),
  rateLimiter: rateLimiterOf(settings),
  clock: new ServiceClock(),
  onRequest,
  keepsRaw,
});
