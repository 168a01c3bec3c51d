import {
  changeEntry,
  combined,
  type EventContext,
  type Store,
  storeHash,
  TelephonyError,
  type TelephonyEvent,
} from '../../src/builder.ts';

/** An event as readers get it. */
export interface JournalEntry {
  /** The cursor of what follows it. */
  cursor: string;
  /** Equal for two entries of the same event, of which a crash can leave two. */
  id: string;
  /** The id of its definition. */
  type: string;
  at: string;
  record: object;
  /** Until when it can be replied to, in milliseconds since 1970. */
  waitsUntil?: number | undefined;
}

type Value = Omit<JournalEntry, 'cursor'>;

/** Where to begin without a cursor. */
export const starts = ['start', 'now'] as const;

const kinds = { events: 'journal', head: 'journal head' };
const head = 'head';

/** How long events can be read, in milliseconds. */
const keptMs = 30 * 24 * 3_600_000;

const keyOf = (number: number) => String(number);

/**
 * The events of the account, numbered in the order in which they arrived. Of several processes, the one that inserts a number first has it,
 * so readers miss none and see none twice.
 */
export class EventJournal {
  /** The last number that this process knows. */
  #last = 0;

  constructor(private readonly store: Store) {}

  async #readHead(): Promise<number> {
    const entry = await this.store.get(kinds.head, head);
    // Others count at the same time, so each counts by itself.
    let last = Math.max(this.#last, Number(entry?.value ?? 0));
    // Its process may have ended before it wrote the head.
    while (await this.store.get(kinds.events, keyOf(last + 1))) last += 1;
    this.#last = Math.max(this.#last, last);
    return last;
  }

  /**
   * Adds an event.
   *
   * @param waitsUntil until when it can be replied to, in milliseconds since 1970
   * @returns its id
   */
  async add(
    { id: type, record }: TelephonyEvent,
    { identity }: Pick<EventContext, 'identity'>,
    waitsUntil?: number,
  ): Promise<string> {
    const id = `evt_${storeHash(identity.key).slice(0, 32)}`;
    const value: Value = { id, type, at: new Date().toISOString(), record, waitsUntil };
    await this.#insert([value]);
    return id;
  }

  /** Events of the same moment are inserted one after another: each would try the number of all others, and a gap would end all reading. */
  readonly #insert = combined(async (values: Value[]) => {
    // A process that added none for long knows only numbers that have expired.
    let number = await this.#readHead();
    for (const value of values) {
      do number += 1;
      while (
        !(await this.store.insert(kinds.events, {
          ...{ key: keyOf(number), index: value.id, value },
        }))
      );
    }
    await this.#writeHead(number);
  });

  /** Returns an event that is kept. */
  async find(id: string): Promise<JournalEntry | undefined> {
    const [entry] = await this.store.find(kinds.events, id);
    return entry && { cursor: entry.key, ...(entry.value as Value) };
  }

  /** Whether there is an event after a cursor. */
  async isAfter(cursor: string): Promise<boolean> {
    return (await this.#readHead()) > (await this.#numberOf(cursor));
  }

  async #writeHead(number: number): Promise<void> {
    await changeEntry(this.store, kinds.head, head, (value) =>
      Number(value ?? 0) >= number ? undefined : number,
    );
  }

  /** Returns the number before the oldest event that is kept. */
  async #beforeOldest(): Promise<number> {
    let [gone, kept] = [0, (await this.#readHead()) + 1];
    while (kept - gone > 1) {
      const middle = Math.floor((gone + kept) / 2);
      if (await this.store.get(kinds.events, keyOf(middle))) kept = middle;
      else gone = middle;
    }
    return gone;
  }

  async #numberOf(cursor: string): Promise<number> {
    if (cursor === 'start') return this.#beforeOldest();
    if (cursor === 'now') return this.#readHead();
    if (/^\d{1,15}$/.test(cursor)) return Number(cursor);
    throw new TelephonyError(
      'input',
      `The cursor must be the one of an earlier answer, or ${starts.join(' or ')}.`,
      { field: 'cursor' },
    );
  }

  /**
   * Returns the events after a cursor, the oldest first, and the cursor of what follows.
   *
   * @param cursor the one of an earlier answer, `start` for all that are kept, or `now` for those to come
   * @param limit how many are read at most
   * @param isWanted whether the reader gets an event
   * @throws {TelephonyError} with code `not-found` if the next event is no longer kept
   */
  async read(
    cursor: string,
    limit: number,
    isWanted: (type: string) => boolean,
  ): Promise<{ events: JournalEntry[]; cursor: string; more: boolean }> {
    const from = await this.#numberOf(cursor);
    const numbers = Array.from({ length: limit + 1 }, (_, index) => from + 1 + index);
    const entries = await Promise.all(
      numbers.map((number) => this.store.get(kinds.events, keyOf(number))),
    );
    const missing = entries.findIndex((entry) => !entry);
    const found = entries.slice(0, missing < 0 ? limit : Math.min(missing, limit));
    // One that has just arrived isn't one that is gone.
    const isGone = async () => {
      const last = await this.#readHead();
      // A database that was restored can know fewer events than its readers.
      return last < from || (last > from && !(await this.store.get(kinds.events, keyOf(from + 1))));
    };
    if (found.length === 0 && (await isGone()))
      throw new TelephonyError(
        'not-found',
        'The events after this cursor are not kept. Read again with the cursor "start".',
        { field: 'cursor' },
      );
    const events = found.flatMap((entry, index) => {
      const { waitsUntil: _, ...event } = (entry?.value ?? {}) as Value;
      return isWanted(event.type) ? [{ cursor: keyOf(from + index + 1), ...event }] : [];
    });
    return {
      events,
      cursor: keyOf(from + found.length),
      more: missing < 0 || missing > found.length,
    };
  }

  /** Deletes expired events. */
  expire = (): Promise<void> => this.store.expire(kinds.events, Date.now() - keptMs);
}
