import { createHash } from 'node:crypto';
import { abortedError, TelephonyError } from '../telephony-error.ts';
import { sentence } from '../text/sentence.ts';
import { Lanes } from './lanes.ts';
import { Rate } from './rate.ts';
import { pause } from './retry.ts';

/** How late a timer may fire without delaying later requests, in milliseconds. */
const timerSlackMs = 20;

/** How long a refusal has an effect, in milliseconds. By then the rate has grown to tens of thousands of requests per second. */
const memoryMs = 3_600_000;

interface Waiter {
  maxPauseMs: number;
  start(): void;
  reject(error: TelephonyError): void;
}

/** Permission to send one request. Call exactly one of its methods when the request has ended. */
export interface Permit {
  /** Reports that the service accepted the request, whatever its response. */
  recordAccepted(): void;
  /**
   * Reports that the service refused the request because of its rate limit. Pauses all requests.
   *
   * @param waitMs how long the service asks to wait, in milliseconds
   * @returns false if the service has then refused everything for longer than `maxPauseMs`. The request must be given up; waiting
   *   requests with as short a `maxPauseMs` are rejected.
   */
  recordRefused(waitMs: number): boolean;
  /** Releases the permit if it is unknown whether the service accepted the request. */
  release(): void;
}

function rateLimited(waitMs: number) {
  // The difference of two times of `performance.now` has a rounding error.
  const seconds = Math.max(1, Math.ceil(Math.round(waitMs) / 1_000));
  return new TelephonyError(
    'rate-limited',
    sentence(
      'Rate limit reached for this account; the request was not sent. Try again in {seconds} s.',
      { seconds: String(seconds) },
    ),
    { retryAfter: seconds },
  );
}

/** After how long without a response the next request no longer waits for those in progress, in milliseconds. One of them may hang. */
const maxSilenceMs = 2_000;

/** Until a rate is known, this many requests may always come to be in progress fast. */
const fastGrowth = 10;

/** The requests sent between two refusals. Those sent before a refusal say nothing about the time after it. */
class Round {
  inProgress = 0;
  #refused = 0;
  #atRefusal = 0;

  /**
   * @param maxInProgress how many may be in progress; at least one
   * @param goal how many may be once one was accepted
   */
  constructor(
    public maxInProgress = Number.POSITIVE_INFINITY,
    private readonly goal = 0,
  ) {}

  get isFull(): boolean {
    return this.inProgress + 1 > this.maxInProgress;
  }

  /** Allows more to be in progress. @param isRateKnown whether the rate limits them anyway */
  grow(isRateKnown: boolean): void {
    const isFast = isRateKnown || this.maxInProgress < Math.max(this.goal, fastGrowth);
    const more = this.maxInProgress + (isFast ? 1 : 1 / this.maxInProgress);
    this.maxInProgress = Math.max(more, this.goal);
  }

  /** Returns the round after a refusal. */
  next(): Round {
    this.#atRefusal = this.inProgress;
    return new Round(1, Math.floor(this.inProgress / 2));
  }

  /** Counts a refusal. Returns whether so many were refused that it can't be by chance. */
  refuse(): boolean {
    this.#refused += 1;
    return this.#refused >= this.#atRefusal / 4;
  }
}

/**
 * Limits the requests of an account, and adapts to the service's refusals. There is no limit before the first one. A refusal pauses all
 * requests. Then one goes alone, then half as many as before, and each accepted request allows more, within the estimated rate.
 */
export class RateLimiter {
  #waiting = new Lanes<Waiter>();
  #timer: AbortController | undefined;
  /** Whether the timer waits for requests in progress, too. */
  #isBehindOthers = false;

  #round = new Round();
  #rate = new Rate();
  #pausedUntil = 0;
  /** When the rate allows the next request. */
  #nextAt = 0;
  /** When the last request was sent. */
  #grantedAt = 0;

  /** The requests in progress in all rounds. */
  #inProgress = 0;
  /** The total time in which there was something to send, without the current busy period, and the start of that period. */
  #busyMs = 0;
  #busySince: number | undefined;

  /** Since when the service has refused everything, and when it last refused. */
  #refusedSince: number | undefined;
  #lastRefusal = Number.NEGATIVE_INFINITY;

  /**
   * Waits until a request may be sent.
   *
   * @param signal ends the wait
   * @param maxPauseMs for how long the service may refuse everything before the request is given up, in milliseconds
   * @param lane the lane in which it waits; lanes take turns
   * @throws {TelephonyError} `aborted` if the signal aborts, `rate-limited` if the request is given up; nothing was sent
   */
  acquire(
    signal: AbortSignal | undefined,
    maxPauseMs: number,
    lane = '',
  ): Permit | Promise<Permit> {
    this.#busySince ??= performance.now();
    if (this.#waiting.isEmpty && this.#waitMs() < 1) return this.#grant(maxPauseMs);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.remove((one) => one === waiter);
        this.#stopIfNoneWait();
        reject(abortedError());
      };
      const waiter: Waiter = {
        maxPauseMs,
        start: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#grant(maxPauseMs));
        },
        reject: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      this.#waiting.add(lane, waiter);
      signal?.addEventListener('abort', leave);
      this.#startWaiting();
    });
  }

  /** Whether it behaves like a new one: no request is in progress or waiting, and the last refusal has no effect any more. */
  isIdle(): boolean {
    const now = performance.now();
    const isIdle = this.#busySince === undefined && now >= this.#pausedUntil;
    return isIdle && now - this.#lastRefusal >= memoryMs;
  }

  /** How long the next request must wait, in milliseconds. */
  #waitMs(): number {
    const afterSilence = this.#round.isFull ? this.#grantedAt + maxSilenceMs : 0;
    return Math.max(this.#pausedUntil, this.#nextAt, afterSilence) - performance.now();
  }

  #grant(maxPauseMs: number): Permit {
    const round = this.#round;
    round.inProgress += 1;
    this.#inProgress += 1;
    const now = performance.now();
    this.#grantedAt = now;
    this.#nextAt = Math.max(this.#nextAt, now - timerSlackMs) + 1_000 / this.#rate.at(now);
    const release = () => {
      round.inProgress -= 1;
      this.#inProgress -= 1;
      if (this.#isBehindOthers) this.#timer?.abort();
      this.#stopIfNoneWait();
      this.#startWaiting();
    };
    return {
      recordAccepted: () => {
        this.#rate.recordAccepted(performance.now());
        round.grow(Number.isFinite(this.#rate.at(performance.now())));
        if (round === this.#round) this.#refusedSince = undefined;
        release();
      },
      recordRefused: (waitMs) => {
        if (round === this.#round) this.#slowDown();
        if (round.refuse()) this.#rate.estimate(performance.now());
        const mayRetry = this.#pause(waitMs, maxPauseMs);
        release();
        return mayRetry;
      },
      release,
    };
  }

  async #startWaiting() {
    if (this.#timer) return;
    for (let waitMs = this.#waitMs(); !this.#waiting.isEmpty; waitMs = this.#waitMs()) {
      // Timers can't wait for less than a millisecond.
      if (waitMs < 1) this.#waiting.take()?.start();
      else {
        this.#timer = new AbortController();
        this.#isBehindOthers = this.#round.isFull;
        await pause(waitMs, this.#timer.signal).catch(() => {});
        this.#timer = undefined;
      }
    }
  }

  #slowDown() {
    this.#round = this.#round.next();
    const now = performance.now();
    this.#rate.recordRefused(now, this.#busyMsUntil(now));
  }

  #busyMsUntil = (now: number) => this.#busyMs + now - (this.#busySince ?? now);

  /** Stops the timer if no request waits, and the busy period if none is in progress either. */
  #stopIfNoneWait() {
    if (!this.#waiting.isEmpty) return;
    this.#timer?.abort();
    if (this.#inProgress > 0) return;
    this.#busyMs = this.#busyMsUntil(performance.now());
    this.#busySince = undefined;
  }

  /** Pauses all requests, and rejects those whose `maxPauseMs` is too short. If none is left to wait, there is no pause. */
  #pause(waitMs: number, maxPauseMs: number): boolean {
    const now = performance.now();
    if (now - this.#lastRefusal > maxPauseMs) this.#refusedSince = undefined;
    this.#refusedSince ??= now;
    this.#lastRefusal = now;
    const until = Math.max(this.#pausedUntil, now + waitMs);
    const isTooLong = (one: { maxPauseMs: number }) =>
      until - (this.#refusedSince ?? now) > one.maxPauseMs;
    const rejected = this.#waiting.remove(isTooLong);
    const mayRetry = !isTooLong({ maxPauseMs });
    this.#pausedUntil = !this.#waiting.isEmpty || mayRetry ? until : 0;
    for (const one of rejected) one.reject(rateLimited(until - now));
    this.#stopIfNoneWait();
    return mayRetry;
  }
}

const rateLimiters = new Map<string, RateLimiter>();

function create(key: string): RateLimiter {
  for (const [other, limiter] of rateLimiters) if (limiter.isIdle()) rateLimiters.delete(other);
  const limiter = new RateLimiter();
  rateLimiters.set(key, limiter);
  return limiter;
}

/**
 * Returns the rate limiter of an account. All connections of this process with the same credentials share it; others aren't slowed
 * down.
 *
 * @returns a function to call for each request, because idle rate limiters are dropped and replaced
 */
export function rateLimiterOf(settings: {
  root: string;
  username: string;
  password: string;
}): () => RateLimiter {
  const { root, username, password } = settings;
  const identity = JSON.stringify([root, username, password]);
  const key = createHash('sha256').update(identity).digest('base64');
  return () => rateLimiters.get(key) ?? create(key);
}
