import type { PolledEvent } from './polled-event.ts';

/** The most events that one poll holds in memory, and the most characters of their records. */
const maxEvents = 10_000;
const maxCharacters = 20_000_000;

const countCharacters = ({ event, identity }: PolledEvent): number =>
  Object.values(event.record)
    .filter((value) => typeof value === 'string')
    .reduce((sum, text) => sum + text.length, identity.key.length);

/** Collects the events of a list, which is read newest first. If there are too many, drops the newest; the next poll delivers them. */
export class PendingEvents {
  readonly #byKey = new Map<string, PolledEvent>();
  #characters = 0;
  /** When the oldest record of a dropped event was created. */
  postponedFrom = Infinity;

  /** @param one the next older event */
  add(one: PolledEvent): void {
    const { key } = one.identity;
    const previous = this.#byKey.get(key);
    this.#characters += countCharacters(one) - (previous ? countCharacters(previous) : 0);
    this.#byKey.set(key, one);
    for (const newest of this.#byKey.values()) {
      const isFull = this.#byKey.size > maxEvents || this.#characters > maxCharacters;
      if (!isFull || newest === one) return;
      this.#byKey.delete(newest.identity.key);
      this.#characters -= countCharacters(newest);
      this.postponedFrom = Math.min(this.postponedFrom, newest.createdAt);
    }
  }

  /** Returns all events, oldest first. */
  all(): PolledEvent[] {
    return [...this.#byKey.values()].reverse();
  }
}
