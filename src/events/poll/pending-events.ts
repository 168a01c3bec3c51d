import type { PolledEvent } from './polled-event.ts';

/** The most events that one poll holds in memory, and the most characters of their records. */
const mostEvents = 10_000;
const mostCharacters = 20_000_000;

const charactersOf = ({ event, note }: PolledEvent): number =>
  Object.values(event.record)
    .filter((value) => typeof value === 'string')
    .reduce((sum, text) => sum + text.length, note.key.length);

/** The events of a list that is read from its newest record on. If there are too many, the next poll delivers the newest. */
export class PendingEvents {
  readonly #byKey = new Map<string, PolledEvent>();
  #characters = 0;
  /** When the oldest record was made of those that wait for the next poll. */
  postponedFrom = Infinity;

  /** @param one the next older event */
  add(one: PolledEvent): void {
    const { key } = one.note;
    const same = this.#byKey.get(key);
    this.#characters += charactersOf(one) - (same ? charactersOf(same) : 0);
    this.#byKey.set(key, one);
    for (const newest of this.#byKey.values()) {
      const isFull = this.#byKey.size > mostEvents || this.#characters > mostCharacters;
      if (!isFull || newest === one) return;
      this.#byKey.delete(newest.note.key);
      this.#characters -= charactersOf(newest);
      this.postponedFrom = Math.min(this.postponedFrom, newest.made);
    }
  }

  /** The oldest first. */
  all(): PolledEvent[] {
    return [...this.#byKey.values()].reverse();
  }
}
