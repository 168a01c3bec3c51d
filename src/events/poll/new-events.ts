import { eventDefinition, listSource } from '../../definition/operation.ts';
import type { RunOptions, Telephony } from '../../telephony.ts';
import { type Cursors, findNew, readFrom } from './cursor.ts';
import { creationTime, type PolledEvent, polledEvent } from './polled-event.ts';
import { type ListPage, readList, type Subscription } from './read-list.ts';

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

/** The new events of a subscription that weren't delivered yet. */
export interface NewEvents extends Subscription {
  pending: Set<PolledEvent>;
  /** The service's time. */
  now: number;
  /** When the newest record was created that need not be read again. Without one, this machine's time. */
  newest: number;
  /** Whether some events were left for the next poll to save memory. */
  isCapped: boolean;
  /** How many records can't be read, if there are more than in the last poll. */
  unreadable: number;
}

/** Groups the events by the list that shows them, so that each list is read once. */
export function groupByList(cursors: Cursors): Subscription[][] {
  const lists = new Map<string, Subscription[]>();
  for (const [id, cursor] of Object.entries(cursors)) {
    const definition = eventDefinition(id);
    const list = definition.polled?.source ?? '';
    lists.set(list, [...(lists.get(list) ?? []), { definition, cursor }]);
  }
  return [...lists.values()];
}

/** Collects the new events of one subscription from the pages of a list. */
class Collector {
  readonly pending = new PendingEvents();
  #now = Date.now();
  #newest = -Infinity;
  #records = 0;
  #unreadable = 0;

  constructor(private readonly subscription: Subscription) {}

  addPage({ records, unreadable, now }: ListPage) {
    const { definition, cursor } = this.subscription;
    this.#now = now;
    this.#unreadable = unreadable;
    const from = readFrom(definition, cursor, now);
    for (const record of records) {
      const createdAt = creationTime(definition, record);
      if (createdAt >= from) this.#records += 1;
      if (createdAt > this.#newest) this.#newest = createdAt;
    }
    const listed = records.flatMap((record) => polledEvent(definition, record) ?? []);
    for (const one of findNew(definition, cursor, listed, now).reverse()) this.pending.add(one);
  }

  newEvents(): NewEvents {
    const { cursor } = this.subscription;
    const unreadable = this.#unreadable > (cursor.unreadable ?? 0) ? this.#unreadable : 0;
    Object.assign(cursor, { records: this.#records, unreadable: this.#unreadable || undefined });
    const { postponedFrom } = this.pending;
    const newest = Number.isFinite(this.#newest) ? this.#newest : Date.now();
    return {
      ...{ ...this.subscription, pending: new Set(this.pending.all()), now: this.#now },
      // The next poll must read the records of postponed events again.
      newest: Math.min(newest, postponedFrom - 1),
      isCapped: Number.isFinite(postponedFrom),
      unreadable,
    };
  }
}

/** Reads a list once, for all events that it shows, and returns the new ones of each subscription. */
export async function readNewEvents(
  telephony: Telephony,
  subscriptions: Subscription[],
  options: RunOptions,
): Promise<NewEvents[]> {
  const source = listSource(subscriptions[0]?.definition.polled?.source ?? '');
  const seenBefore = subscriptions.map(({ cursor }) => ({ ...cursor.seen }));
  const collectors = subscriptions.map((one) => new Collector(one));
  try {
    for await (const page of readList(telephony, source, subscriptions, options))
      for (const collector of collectors) collector.addPage(page);
  } catch (error) {
    // Without this, the seen events of a list that can't be read to its end would pile up.
    subscriptions.forEach(({ cursor }, index) => {
      cursor.seen = seenBefore[index] ?? {};
    });
    throw error;
  }
  return collectors.map((collector) => collector.newEvents());
}
