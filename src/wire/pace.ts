import { createHash } from 'node:crypto';
import { stopped, TelephonyError } from '../telephony-error.ts';
import { pause } from './retry.ts';

/** How long it is counted at least what the service accepts, before that is taken for its rate, in milliseconds. */
const shortestCount = 1_000;

/** What is left of a known rate at least. Never less than one a second. */
const leastLeft = 0.8;
const slowest = 1;

/**
 * Who refuses some requests however slowly they come is not made to take more by going ever slower. So no rate is less than this part
 * of the best that was seen, of which a half is forgotten in so many milliseconds.
 */
const leastOfBest = 0.5;
const halfForgotten = 300_000;

/**
 * A rate grows to what was too much before, or by a little where it is the first, and stays near it for a while; then it grows ever
 * faster. In milliseconds. A first guess is to be mended soon.
 */
const nearly = 0.97;
const growth = 0.03;
const firstPlateau = 5_000;
const longestPlateau = 30_000;

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
  #best = { rate: 0, at: 0 };
  /** Where it is to be after a while, and after which. */
  #goal = Number.POSITIVE_INFINITY;
  #plateau = firstPlateau / 2;

  /** What was accepted since a refusal, and for how long there was something to send before it: idle time says nothing. */
  #count = 0;
  #countedSince: number | undefined;
  #active = 0;
  #busy = 0;
  #busySince: number | undefined;

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

  /** How long the next one is to wait, in milliseconds; for ever while others are to be answered first. */
  #wait(): number {
    if (this.#underWay >= this.#together) return Number.POSITIVE_INFINITY;
    return Math.max(this.#heldUntil, this.#next) - performance.now();
  }

  #begin(patience: number): Turn {
    const round = this.#round;
    this.#underWay += 1;
    this.#active += 1;
    const now = performance.now();
    this.#next = Math.max(this.#next, now - slack) + 1_000 / this.#rateAt(now);
    const end = () => {
      if (round === this.#round) this.#underWay -= 1;
      this.#active -= 1;
      this.#rest();
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
    if (this.#rate === Number.POSITIVE_INFINITY) return this.#rate;
    const left = 1 - Math.max(0, now - this.#learnt) / this.#plateau;
    return this.#goal - (this.#goal - this.#rate) * left ** 3;
  }

  #slowDown() {
    this.#round += 1;
    this.#underWay = 0;
    this.#together = 1;
    const now = performance.now();
    const busy = this.#busyUntil(now);
    const counted = busy - (this.#countedSince ?? Number.NEGATIVE_INFINITY);
    if (counted < shortestCount) return;
    const before = this.#rateAt(now);
    const says = this.#count > 0 && Number.isFinite(counted);
    const accepted = says ? (this.#count * 1_000) / counted : before;
    const isPaced = Number.isFinite(before);
    const least = Math.max(slowest, this.#bestUntil(now, accepted) * leastOfBest);
    const rate = isPaced ? Math.max(accepted, before * leastLeft) : accepted;
    this.#rate = Math.min(before, Math.max(rate, least));
    this.#goal = Math.max(this.#rate * (1 + growth), isPaced ? before * nearly : 0);
    if (this.#rate < before) this.#plateau = Math.min(this.#plateau * 2, longestPlateau);
    this.#learnt = now;
    this.#countedSince = busy;
    this.#count = 0;
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

  #bestUntil(now: number, accepted: number): number {
    const { rate, at } = this.#best;
    const kept = rate * 0.5 ** ((now - at) / halfForgotten);
    if (Number.isFinite(accepted)) this.#best = { rate: Math.max(kept, accepted), at: now };
    return kept;
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
