/** By how much two bounds may contradict each other, in milliseconds: servers of one service differ a little. */
const tolerance = 1_000;

/** Between which two instants it was at the service, in milliseconds since 1970. */
export interface Instant {
  earliest: number;
  latest: number;
}

/**
 * What time it is at the service, as far as the dates of its answers tell. They are in whole seconds, and an answer takes
 * its time, so that each leaves a span; many of them leave a narrow one.
 */
export class ServiceClock {
  #least = Number.NEGATIVE_INFINITY;
  #most = Number.POSITIVE_INFINITY;
  /** From when on that holds, on the clock of `performance.now()`. */
  #since = Number.NEGATIVE_INFINITY;

  /**
   * Learns from an answer.
   *
   * @param date its header `Date`
   * @param sent when its request was sent, on the clock of `performance.now()`
   * @param received when it had come
   */
  learn(date: unknown, sent: number, received: number) {
    const time = typeof date === 'string' ? Date.parse(date) : Number.NaN;
    if (Number.isNaN(time)) return;
    const [least, most] = [time - received, time + 1_000 - sent];
    const fits = least <= this.#most + tolerance && most >= this.#least - tolerance;
    // Otherwise a clock was set, or another server has another one: of what was before it says nothing.
    if (!fits) this.#since = sent;
    this.#least = fits ? Math.max(this.#least, least) : least;
    this.#most = fits ? Math.min(this.#most, most) : most;
  }

  /**
   * What time it was at the service; undefined while no answer said so, or where another clock was the right one then.
   *
   * @param moment on the clock of `performance.now()`
   */
  at(moment: number): Instant | undefined {
    if (!Number.isFinite(this.#least) || moment < this.#since) return undefined;
    return { earliest: moment + this.#least, latest: moment + this.#most + tolerance };
  }
}
