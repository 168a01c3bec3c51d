import { createHash } from 'node:crypto';
import { stopped, TelephonyError } from '../telephony-error.ts';
import { pause } from './retry.ts';

/** How long it is counted at least what the service accepts, before that is taken for its rate, in milliseconds. */
const shortestCount = 1_000;
/** After how long a count says nothing any more, in milliseconds. */
const longestCount = 60_000;

/** No less than this is left of a known rate, nor less than one a second: a refusal may have been somebody else's doing. */
const largestCut = 0.7;
const slowest = 1;

/** By which part a rate has grown after how long, in milliseconds: slowly at that time, and ever faster behind it. */
const growth = 0.05;
const plateau = 20_000;

/** How late a timer may be without slowing down what follows, in milliseconds. */
const slack = 20;

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
    `The service receives too many requests of this account. This one was not sent. Try again in ${seconds} s.`,
    { retryAfter: seconds },
  );
}

/**
 * How fast the requests of an account may follow each other, as the service's refusals tell. Nothing slows them down before the
 * first one. A refusal holds all of them; then one goes first, and with each that is accepted one more may be under way. What is
 * accepted from one refusal to the next is the service's rate; it grows by a cubic curve, as that of TCP does (RFC 9438).
 */
export class Pace {
  #waiting: Waiter[] = [];
  #sleep: AbortController | undefined;

  #heldUntil = 0;
  /** When the next may begin by the rate. */
  #next = 0;

  /** Requests per second that were accepted, and since when. */
  #rate = Number.POSITIVE_INFINITY;
  #learnt = 0;

  /** What was accepted since a refusal. */
  #count = 0;
  #countedSince = Number.NEGATIVE_INFINITY;

  /** What was sent before a refusal is of another round than what is sent after it. */
  #round = 0;
  #underWay = 0;
  #together = Number.POSITIVE_INFINITY;

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
    if (this.#waiting.length === 0 && this.#wait() < 1) return this.#begin(patience);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting = this.#waiting.filter((one) => one !== waiter);
        if (this.#waiting.length === 0) this.#sleep?.abort();
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

  /** How long the next one is to wait, in milliseconds; for ever while others are to be answered first. */
  #wait(): number {
    if (this.#underWay >= this.#together) return Number.POSITIVE_INFINITY;
    return Math.max(this.#heldUntil, this.#next) - performance.now();
  }

  #begin(patience: number): Turn {
    const round = this.#round;
    this.#underWay += 1;
    const now = performance.now();
    this.#next = Math.max(this.#next, now - slack) + 1_000 / this.#rateAt(now);
    const end = () => {
      if (round === this.#round) this.#underWay -= 1;
      this.#serve();
    };
    return {
      accepted: () => {
        this.#count += 1;
        if (round === this.#round) {
          this.#together += 1;
          this.#refusedSince = undefined;
        }
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

  #rateAt(now: number) {
    const time = Math.max(0, now - this.#learnt) / plateau;
    return this.#rate * (1 + growth * (1 + (time - 1) ** 3));
  }

  #slowDown() {
    this.#round += 1;
    this.#underWay = 0;
    this.#together = 1;
    const now = performance.now();
    const counted = now - this.#countedSince;
    if (counted < shortestCount) return;
    const before = this.#rateAt(now);
    const says = this.#count > 0 && counted <= longestCount;
    const accepted = says ? (this.#count * 1_000) / counted : before;
    const least = Number.isFinite(before) ? before * largestCut : slowest;
    this.#rate = Math.max(slowest, Math.min(before, Math.max(accepted, least)));
    this.#learnt = now;
    this.#countedSince = now;
    this.#count = 0;
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
    if (this.#waiting.length === 0) this.#sleep?.abort();
    return !isTooLong({ patience });
  }
}

const paces = new Map<string, Pace>();

/**
 * The pace of an account, one for all who opened it in this process by the same credentials: what the service answers to others does
 * not slow them down.
 */
export function paceOf(settings: { root: string; username: string; password: string }): Pace {
  const { root, username, password } = settings;
  const whole = JSON.stringify([root, username, password]);
  const key = createHash('sha256').update(whole).digest('base64');
  const known = paces.get(key) ?? new Pace();
  paces.set(key, known);
  return known;
}
