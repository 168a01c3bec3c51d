import { oncePer } from '../async/once.ts';
import { memoryStore } from '../store/memory-store.ts';
import { storeHash } from '../store/row-store.ts';
import type { Store } from '../store/store.ts';
import { writeEntry } from '../store/store.ts';
import type { Connection } from '../wire/connection.ts';
import {
  add,
  type Counts,
  countsAt,
  day,
  hour,
  opensAt,
  slotOf,
  subtract,
  total,
  type Window,
} from './sliding-window.ts';

/** The kind of the entries. */
const kind = 'usage';

/** How long entries stay in the store, in milliseconds: longer than every window. */
const keptMs = 2 * 86_400_000;

/**
 * The entry of an account counts the messages to so many recipients of the last hour, so that an action costs one write. Others have entries
 * of their own, so that this one stays small.
 */
const mostRecipients = 200;

/** What is counted. */
export interface Series {
  name: string;
  /** How many there may be; any number if not given. */
  limit?: number | undefined;
}

const dailyMessages = 'messages a day';
const windowOf = (name: string): Window => (name === dailyMessages ? day : hour);
const recipientMark = 'to ';
const isOfRecipient = (name: string) => name.startsWith(recipientMark);

/** The names of series. That of a recipient contains no number. */
export const seriesNames = {
  perHour: 'messages',
  perDay: dailyMessages,
  callsPerHour: 'calls',
  perRecipientPerHour: (recipient: string) => recipientMark + storeHash(recipient).slice(0, 12),
};

/** A limit that is reached. */
export interface Reached {
  name: string;
  /** When another one is possible, in milliseconds since 1970. */
  until: number;
}

/** What was counted. */
interface Taken {
  names: string[];
  at: number;
  /** The series for which the entry has no room. */
  elsewhere: Series[];
}

interface Stored {
  counts: Record<string, Counts>;
  /** Until when recipients may have entries of their own, in milliseconds since 1970. */
  elsewhereUntil?: number;
}

/** The counts of an entry while they are changed. */
class Draft {
  readonly #counts = new Map<string, Counts>();
  #elsewhereUntil: number;
  isChanged = false;

  constructor(
    { counts, elsewhereUntil = 0 }: Stored,
    private readonly now: number,
    private readonly most: number,
  ) {
    this.#elsewhereUntil = elsewhereUntil;
    for (const [name, stored] of Object.entries(counts)) {
      const window = windowOf(name);
      const known = countsAt(stored, window, now);
      if (known.length > 0) this.#counts.set(name, known);
      // Counts of the future have to be stored as those of now, or they never end.
      this.isChanged ||= stored.some(([slot]) => slot > slotOf(window, now));
    }
  }

  #countsOf = (name: string): Counts => this.#counts.get(name) ?? [];

  #isElsewhere({ name }: Series): boolean {
    const isFull = this.now < this.#elsewhereUntil || this.#counts.size >= this.most;
    return isFull && isOfRecipient(name) && !this.#counts.has(name);
  }

  /** Counts one in each series, unless one of them has reached its limit. */
  take(series: Series[]): Taken | Reached {
    const elsewhere = series.filter((one) => this.#isElsewhere(one));
    const here = series.filter((one) => !elsewhere.includes(one));
    const reached = here.flatMap(({ name, limit = Number.POSITIVE_INFINITY }) => {
      const counts = this.#countsOf(name);
      return total(counts) < limit ? [] : { name, until: opensAt(counts, windowOf(name), limit) };
    });
    const [last] = reached.sort((one, other) => other.until - one.until);
    if (last) return last;
    for (const { name } of here)
      this.#counts.set(name, add(this.#countsOf(name), slotOf(windowOf(name), this.now)));
    if (elsewhere.length > 0) this.#elsewhereUntil = this.now + 2 * hour.slotMs * hour.slots;
    this.isChanged = true;
    return { names: here.map(({ name }) => name), at: this.now, elsewhere };
  }

  giveBack({ names, at }: Taken): void {
    for (const name of names)
      this.#counts.set(name, subtract(this.#countsOf(name), slotOf(windowOf(name), at)));
    this.isChanged = true;
  }

  total = (name: string): number => total(this.#countsOf(name));

  get stored(): Stored {
    const known = [...this.#counts].filter(([, counts]) => counts.length > 0);
    return {
      counts: Object.fromEntries(known),
      ...(this.#elsewhereUntil > this.now && { elsewhereUntil: this.#elsewhereUntil }),
    };
  }
}

type Act = (draft: Draft) => void;

/** An entry of the store. What is counted while another change is being stored is written together. */
class UsageEntry {
  #waiting: Act[] = [];
  #written: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Store,
    private readonly key: string,
    private readonly most = Number.POSITIVE_INFINITY,
  ) {}

  async read(): Promise<Draft> {
    const entry = await this.store.get(kind, this.key);
    return this.#draft(entry?.value);
  }

  /** Changes the counts, and resolves once that is stored. */
  async change<Result>(act: (draft: Draft) => Result): Promise<Result> {
    let result: { value: Result } | undefined;
    this.#waiting.push((draft) => {
      result = { value: act(draft) };
    });
    if (this.#waiting.length === 1)
      this.#written = this.#written
        .catch(() => {})
        .then(() => this.#write(this.#waiting.splice(0)));
    await this.#written;
    return (result as unknown as { value: Result }).value;
  }

  // As text: stores copy a value part by part, which takes longer than everything else.
  #draft = (value: unknown) =>
    new Draft(
      typeof value === 'string' ? (JSON.parse(value) as Stored) : { counts: {} },
      Date.now(),
      this.most,
    );

  async #write(acts: Act[]): Promise<void> {
    for (;;) {
      const entry = await this.store.get(kind, this.key);
      const draft = this.#draft(entry?.value);
      for (const act of acts) act(draft);
      const written = () => ({ key: this.key, value: JSON.stringify(draft.stored) });
      if (!draft.isChanged || (await writeEntry(this.store, kind, entry, written()))) return;
    }
  }
}

/** How many messages and calls an account has sent. */
export interface Usage {
  messages: { lastHour: number; lastDay: number };
  calls: { lastHour: number };
}

/** Counts what an account sends, for all processes that share its store. */
class UsageCounter {
  readonly #account: UsageEntry;

  constructor(
    private readonly store: Store,
    private readonly root: string,
  ) {
    this.#account = new UsageEntry(store, storeHash(root), mostRecipients);
  }

  /**
   * Counts an action before it is sent.
   *
   * @returns a function that takes it back because it was not sent, or the limit that it would exceed
   */
  async take(series: Series[]): Promise<Reached | (() => Promise<void>)> {
    const taken = await this.#account.change((draft) => draft.take(series));
    if ('until' in taken) return taken;
    const giveBack = () => this.#account.change((draft) => draft.giveBack(taken));
    const [recipient] = taken.elsewhere;
    if (!recipient) return giveBack;
    const entry = new UsageEntry(this.store, storeHash(this.root, recipient.name));
    const own = await entry.change((draft) => draft.take([recipient]));
    if ('until' in own) {
      await giveBack();
      return own;
    }
    return async () => {
      await Promise.all([giveBack(), entry.change((draft) => draft.giveBack(own))]);
    };
  }

  async read(): Promise<Usage> {
    const draft = await this.#account.read();
    const { perHour, perDay, callsPerHour } = seriesNames;
    return {
      messages: { lastHour: draft.total(perHour), lastDay: draft.total(perDay) },
      calls: { lastHour: draft.total(callsPerHour) },
    };
  }
}

/** What accounts without a store send. All connections of this process share it. */
const inMemory = memoryStore();

/** Returns the counter of an account. */
export const usageOf = oncePer(
  ({ store = inMemory, root }: Connection) => new UsageCounter(store, root),
);

/** Deletes the entries that are too old to matter. */
export const expireUsage = (store: Store): Promise<void> => store.expire(kind, Date.now() - keptMs);
