/** For how long it is counted at least what the service accepts, before that is taken for its rate, in milliseconds. */
const shortestCount = 1_000;

/** What one refusal leaves of a rate at least. Never less than one a second. */
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

/**
 * How many requests a service takes in a second, as its refusals tell: what it accepts from one to the next is its rate. It grows by
 * a cubic curve, as that of TCP does (RFC 9438). Infinite as long as nothing is known.
 */
export class Rate {
  /** What was learnt last, and when; where it is to be after a while, and after which. */
  #rate = Number.POSITIVE_INFINITY;
  #learnt = 0;
  #goal = Number.POSITIVE_INFINITY;
  #plateau = firstPlateau / 2;

  #best = { rate: 0, at: 0 };

  /** What was accepted since a refusal, and how much busy time there was before it. */
  #count = 0;
  #countedSince: number | undefined;

  /** The rate at a time, in requests per second. */
  at(now: number): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return this.#rate;
    const left = 1 - (now - this.#learnt) / this.#plateau;
    return this.#goal - (this.#goal - this.#rate) * left ** 3;
  }

  accepted(): void {
    this.#count += 1;
  }

  /**
   * @param now the time, in milliseconds
   * @param busy for how much of all time there was something to send: idle time says nothing of the service
   */
  refused(now: number, busy: number): void {
    const counted = busy - (this.#countedSince ?? busy - shortestCount);
    if (counted < shortestCount) return;
    const before = this.at(now);
    const isCounted = this.#countedSince !== undefined && this.#count > 0;
    const accepted = isCounted ? (this.#count * 1_000) / counted : before;
    if (Number.isFinite(accepted)) this.#learn(now, before, accepted);
    this.#countedSince = busy;
    this.#count = 0;
  }

  #learn(now: number, before: number, accepted: number) {
    const isFirst = before === Number.POSITIVE_INFINITY;
    const remembered = this.#best.rate * 0.5 ** ((now - this.#best.at) / halfForgotten);
    this.#best = { rate: Math.max(remembered, accepted), at: now };
    const least = Math.max(slowest, remembered * leastOfBest, isFirst ? 0 : this.#rate * leastLeft);
    this.#rate = Math.max(accepted, least);
    // After a long time without a refusal the rate before says little.
    const tooMuch = Math.min(isFirst ? 0 : before * nearly, this.#rate / leastLeft);
    this.#goal = Math.max(this.#rate * (1 + growth), tooMuch);
    if (this.#rate < before) this.#plateau = Math.min(this.#plateau * 2, longestPlateau);
    this.#learnt = now;
  }
}
