/** The shortest busy time that is enough to measure a rate, in milliseconds. */
const minMeasuredMs = 1_000;

/** How many requests of the last second are enough to estimate the rate. */
const minRecent = 10;

/** One refusal lowers the rate at most to this part of it, and never below one request per second. */
const decreaseFactor = 0.8;
const minRate = 1;

/**
 * Some services refuse requests at random, at any rate, so slowing down further doesn't help. The rate therefore stays above this part
 * of the best rate measured, which decays with this half-life.
 */
const minPartOfBest = 0.5;
const bestHalfLifeMs = 300_000;

/**
 * The rate grows towards its goal: almost the rate that was refused, or a little more than the first measured rate. It stays near the
 * goal for a while (the plateau), then grows faster and faster. The first plateau is short, because the first measurement is inexact.
 */
const goalFactor = 0.97;
const minGrowth = 0.03;
const firstPlateauMs = 5_000;
const maxPlateauMs = 30_000;

/**
 * Estimates how many requests per second a service accepts: those that it accepted between two refusals, per busy time. Between
 * refusals the rate follows a cubic curve, like TCP CUBIC (RFC 9438). It is infinite until the first measurement or estimate.
 *
 * A simpler rule (after a refusal lower the rate by a part, hold it, then grow it by steps) does as well if a service accepts ten or more
 * requests a second. Of those that accept one to five, as most numbers do for messages, it has 40 to 67 % of the requests refused instead of
 * 3 to 15 %: it has to measure the rate over longer than a second, and without idle time.
 */
export class Rate {
  /** The measured rate, and when it was measured. */
  #rate = Number.POSITIVE_INFINITY;
  #measuredAt = 0;
  /** The rate that the curve reaches after the plateau's time. */
  #goal = Number.POSITIVE_INFINITY;
  #plateauMs = firstPlateauMs / 2;

  #best = { rate: 0, at: 0 };

  /** The requests accepted since the last measurement, and the total busy time at that moment. */
  #accepted = 0;
  #measuredBusyMs: number | undefined;

  /** When the requests of the last second were accepted, until there is a rate. */
  #recent: number[] = [];

  /** Returns the rate at a time, in requests per second. */
  at(now: number): number {
    if (this.#rate === Number.POSITIVE_INFINITY) return this.#rate;
    const left = 1 - (now - this.#measuredAt) / this.#plateauMs;
    return this.#goal - (this.#goal - this.#rate) * left ** 3;
  }

  /** @param now the time, in milliseconds */
  recordAccepted(now: number): void {
    this.#accepted += 1;
    if (this.#rate !== Number.POSITIVE_INFINITY) return;
    this.#recent.push(now);
    while (Number(this.#recent[0]) < now - 1_000) this.#recent.shift();
  }

  /**
   * Records a refusal and lowers the rate.
   *
   * @param now the time, in milliseconds
   * @param busyMs the total time in which there was something to send, in milliseconds. Idle time says nothing about the service
   */
  recordRefused(now: number, busyMs: number): void {
    const measuredMs = busyMs - (this.#measuredBusyMs ?? busyMs - minMeasuredMs);
    if (measuredMs < minMeasuredMs) return;
    const before = this.at(now);
    const isMeasured = this.#measuredBusyMs !== undefined && this.#accepted > 0;
    const rate = isMeasured ? (this.#accepted * 1_000) / measuredMs : before;
    if (Number.isFinite(rate)) this.#adjust(now, before, rate);
    this.#measuredBusyMs = busyMs;
    this.#accepted = 0;
  }

  /**
   * Estimates the rate, if there is none, from the requests of the last second: most limits are per second.
   *
   * @param now the time, in milliseconds, after a refusal
   */
  estimate(now: number): void {
    if (this.#rate !== Number.POSITIVE_INFINITY) return;
    const recent = this.#recent.filter((at) => at >= now - 1_000).length;
    if (recent >= minRecent) this.#adjust(now, this.#rate, recent);
  }

  #adjust(now: number, before: number, measured: number) {
    const isFirst = before === Number.POSITIVE_INFINITY;
    const best = this.#best.rate * 0.5 ** ((now - this.#best.at) / bestHalfLifeMs);
    this.#best = { rate: Math.max(best, measured), at: now };
    const least = Math.max(
      minRate,
      best * minPartOfBest,
      isFirst ? 0 : this.#rate * decreaseFactor,
    );
    this.#rate = Math.max(measured, least);
    // After a long time without a refusal, the curve is far above any rate that was tested.
    const refused = Math.min(isFirst ? 0 : before * goalFactor, this.#rate / decreaseFactor);
    this.#goal = Math.max(this.#rate * (1 + minGrowth), refused);
    if (this.#rate < before) this.#plateauMs = Math.min(this.#plateauMs * 2, maxPlateauMs);
    this.#measuredAt = now;
  }
}
