import { stopped, TelephonyError } from '../telephony-error.ts';
import { Rate } from './rate.ts';
import { pause } from './retry.ts';

/** How late a timer may be without slowing down what follows, in milliseconds. */
const slack = 20;

/** For how long a refusal counts, in milliseconds: the rate that was learnt from it has grown to tens of thousands a second by then. */
const memory = 3_600_000;

interface Waiter {
  patience: number;
  begin(): void;
  giveUp(error: TelephonyError): void;
}

/** That a request may be sent. Exactly one of its methods is called when it is over. */
export interface Turn {
  /** The service took the request, whatever it answered. */
  accepted(): void;
  /**
   * There were too many requests; the next one is to be sent after so many milliseconds. False where the service refuses
   * everything for longer than there is patience: it is given up, and so are those that wait.
   */
  refused(wait: number): boolean;
  /** Nobody knows what the service made of it. */
  ended(): void;
}

function notSent(wait: number) {
  const seconds = Math.max(1, Math.ceil(wait / 1_000));
  return new TelephonyError(
    'rate-limited',
    `Rate limit reached for this account; the request was not sent. Try again in ${seconds} s.`,
    { retryAfter: seconds },
  );
}

/** What is sent between two refusals, since what was sent before one says nothing of what comes after it. */
interface Round {
  underWay: number;
  /** How many may be under way. */
  together: number;
}

/**
 * How fast the requests of an account may follow each other, as the service's refusals tell. Nothing slows them down before the
 * first one. A refusal holds all of them; then one goes first, and with each that is accepted one more may be under way, as fast as
 * the rate allows.
 */
export class RateLimiter {
  #waiting: Waiter[] = [];
  #sleep: AbortController | undefined;

  #round: Round = { underWay: 0, together: Number.POSITIVE_INFINITY };
  #rate = new Rate();
  #heldUntil = 0;
  /** When the next may begin by the rate. */
  #next = 0;

  /** How many are under way in all rounds, and for how long there was something to send, until now and since when. */
  #active = 0;
  #busy = 0;
  #busySince: number | undefined;

  /** Since when nothing but refusals came, and when the last one did. */
  #refusedSince: number | undefined;
  #lastRefusal = Number.NEGATIVE_INFINITY;

  /**
   * Waits until a request may be sent.
   *
   * @param signal stops the waiting
   * @param patience for how long the service may refuse everything until it is given up, in milliseconds
   * @throws {TelephonyError} `aborted` when it was stopped, `rate-limited` when it was given up; then nothing was sent
   */
  turn(signal: AbortSignal | undefined, patience: number): Turn | Promise<Turn> {
    this.#busySince ??= performance.now();
    if (this.#waiting.length === 0 && this.#wait() < 1) return this.#begin(patience);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        this.#rest();
        reject(stopped());
      };
      const waiter: Waiter = {
        patience,
        begin: () => {
          signal?.removeEventListener('abort', leave);
          resolve(this.#begin(patience));
        },
        giveUp: (error) => {
          signal?.removeEventListener('abort', leave);
          reject(error);
        },
      };
      this.#waiting.push(waiter);
      signal?.addEventListener('abort', leave);
      this.#serve();
    });
  }

  /** Whether it is as a new one is: nobody sends or waits, and the last refusal was so long ago that it slows nothing down any more. */
  isIdle(): boolean {
    const now = performance.now();
    const isIdle = this.#busySince === undefined && now >= this.#heldUntil;
    return isIdle && now - this.#lastRefusal >= memory;
  }

  /** How long the next one is to wait, in milliseconds; for ever while others are to be answered first. */
  #wait(): number {
    if (this.#round.underWay >= this.#round.together) return Number.POSITIVE_INFINITY;
    return Math.max(this.#heldUntil, this.#next) - performance.now();
  }

  #begin(patience: number): Turn {
    const round = this.#round;
    round.underWay += 1;
    this.#active += 1;
    const now = performance.now();
    this.#next = Math.max(this.#next, now - slack) + 1_000 / this.#rate.at(now);
    const end = () => {
      round.underWay -= 1;
      this.#active -= 1;
      this.#rest();
      this.#serve();
    };
    return {
      accepted: () => {
        this.#rate.accepted();
        round.together += 1;
        if (round === this.#round) this.#refusedSince = undefined;
        end();
      },
      refused: (wait) => {
        if (round === this.#round) this.#slowDown();
        const isHeld = this.#hold(wait, patience);
        end();
        return isHeld;
      },
      ended: end,
    };
  }

  async #serve() {
    if (this.#sleep) return;
    for (let wait = this.#wait(); this.#waiting.length > 0; wait = this.#wait()) {
      // No timer waits for less than a millisecond.
      if (wait < 1) this.#waiting.shift()?.begin();
      else if (wait === Number.POSITIVE_INFINITY) return;
      else {
        this.#sleep = new AbortController();
        await pause(wait, this.#sleep.signal).catch(() => {});
        this.#sleep = undefined;
      }
    }
  }

  #slowDown() {
    this.#round = { underWay: 0, together: 1 };
    const now = performance.now();
    this.#rate.refused(now, this.#busyUntil(now));
  }

  #busyUntil = (now: number) => this.#busy + now - (this.#busySince ?? now);

  /** Ends what is for those that wait, where nobody does. */
  #rest() {
    if (this.#waiting.length > 0) return;
    this.#sleep?.abort();
    if (this.#active > 0) return;
    this.#busy = this.#busyUntil(performance.now());
    this.#busySince = undefined;
  }

  /** Holds all; or none, where that would take longer than whoever waits has patience for. */
  #hold(wait: number, patience: number): boolean {
    const now = performance.now();
    if (now - this.#lastRefusal > patience) this.#refusedSince = undefined;
    this.#refusedSince ??= now;
    this.#lastRefusal = now;
    const until = Math.max(this.#heldUntil, now + wait);
    const isTooLong = (one: { patience: number }) =>
      until - (this.#refusedSince ?? now) > one.patience;
    const given = this.#waiting.filter(isTooLong);
    this.#waiting = this.#waiting.filter((one) => !isTooLong(one));
    const isHeld = this.#waiting.length > 0 || !isTooLong({ patience });
    this.#heldUntil = isHeld ? until : 0;
    for (const one of given) one.giveUp(notSent(until - now));
    this.#rest();
    return !isTooLong({ patience });
  }
}
