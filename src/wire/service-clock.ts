/** How far two bounds may contradict each other, in milliseconds: the clocks of one service's servers differ a little. */
const toleranceMs = 1_000;

/** Bounds of an instant at the service, in milliseconds since 1970. */
export interface Instant {
  earliest: number;
  latest: number;
}

/**
 * Estimates the service's clock from the dates of its responses. A date is in whole seconds and a response takes time, so each one
 * only bounds the offset between the two clocks. Many responses narrow these bounds.
 */
export class ServiceClock {
  /** Bounds of the service's clock minus `performance.now()`. */
  #leastOffset = Number.NEGATIVE_INFINITY;
  #mostOffset = Number.POSITIVE_INFINITY;
  /** Since when the bounds hold, on the clock of `performance.now()`. */
  #since = Number.NEGATIVE_INFINITY;

  /**
   * Narrows the bounds by a response.
   *
   * @param date its `Date` header
   * @param sentAt when the request was sent, on the clock of `performance.now()`
   * @param receivedAt when the response arrived, on the same clock
   */
  update(date: string | undefined, sentAt: number, receivedAt: number) {
    const time = Date.parse(date ?? '');
    if (Number.isNaN(time)) return;
    const [least, most] = [time - receivedAt, time + 1_000 - sentAt];
    const fits = least <= this.#mostOffset + toleranceMs && most >= this.#leastOffset - toleranceMs;
    // Otherwise the clock was set, or a server with another clock responded: earlier bounds no longer hold.
    if (!fits) this.#since = sentAt;
    this.#leastOffset = fits ? Math.max(this.#leastOffset, least) : least;
    this.#mostOffset = fits ? Math.min(this.#mostOffset, most) : most;
  }

  /**
   * Returns the service's time at a moment.
   *
   * @param moment on the clock of `performance.now()`
   * @returns undefined if no response had a date, or the clock was set after that moment
   */
  at(moment: number): Instant | undefined {
    if (!Number.isFinite(this.#leastOffset) || moment < this.#since) return undefined;
    return {
      earliest: moment + this.#leastOffset,
      latest: moment + this.#mostOffset + toleranceMs,
    };
  }
}
