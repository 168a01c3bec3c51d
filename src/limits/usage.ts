import { createHmac } from 'node:crypto';
import { oncePer } from '../async/once.ts';
import type { LimitKey, Most } from '../settings/spending.ts';
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
const dayMs = 86_400_000;
const keptMs = 2 * dayMs;

/**
 * The entry of an account counts the messages to so many recipients of the last hour, so that an action costs one write. Others have entries
 * of their own, so that this one stays small.
 */
const mostRecipients = 200;

/** What is counted. */
export interface Series {
  /** The limit on it. */
  key: LimitKey;
  name: string;
  /** How many there may be; any number if not given. */
  limit?: number | undefined;
}

const dailyMessages = 'messages a day';
const windowOf = (name: string): Window => (name === dailyMessages ? day : hour);
const recipientMark = 'to ';
const isOfRecipient = (name: string) => name.startsWith(recipientMark);

/**
 * The names of series. That of a recipient contains no number, and no one who has the store but not the password can find the number by
 * trying all.
 */
export const seriesNames = {
  perHour: 'messages',
  perDay: dailyMessages,
  callsPerHour: 'calls',
  /** Without what a person has confirmed. */
  unconfirmed: (name: string) => `unconfirmed ${name}`,
  perRecipientPerHour: (recipient: string, { password }: Pick<Connection, 'password'>) =>
    recipientMark + createHmac('sha256', password).update(recipient).digest('hex').slice(0, 12),
};

/** A limit that is reached. */
export interface Reached {
  series: Series;
  /** When another one is possible, in milliseconds since 1970. */
  until: number;
  /** Whether it refuses something for the first time in its window. */
  isFirst: boolean;
}

/** Until when a limit refuses something, in milliseconds since 1970, and how many it allowed. */
interface Refusal {
  until: number;
  most: number;
  /** When it refused something for the first time in its window. A version before stored none. */
  since?: number;
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
  /** The limits that have refused something. */
  refused?: Partial<Record<LimitKey, Refusal>>;
  /** Until when recipients may have entries of their own, in milliseconds since 1970. */
  elsewhereUntil?: number;
}

/** The counts of an entry while they are changed. */
class Draft {
  readonly #counts = new Map<string, Counts>();
  readonly #refused: NonNullable<Stored['refused']>;
  #elsewhereUntil: number;
  isChanged = false;

  constructor(
    { counts, refused = {}, elsewhereUntil = 0 }: Stored,
    private readonly now: number,
    private readonly most: number,
  ) {
    this.#elsewhereUntil = elsewhereUntil;
    this.#refused = refused;
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

  /** Returns until when a series has reached a limit, in milliseconds since 1970. */
  closedUntil(name: string, limit = Number.POSITIVE_INFINITY): number | undefined {
    const counts = this.#countsOf(name);
    return total(counts) < limit ? undefined : opensAt(counts, windowOf(name), limit);
  }

  /**
   * Returns whether the limit refuses something for the first time in its window. A window slides: without this, a limit that opens for a
   * few and is reached again would be news every few minutes.
   */
  refuse({ series: { key, name, limit = 0 }, until }: Omit<Reached, 'isFirst'>): boolean {
    const known = this.#refused[key];
    const { since = 0, most = 0 } = known ?? {};
    const { slotMs, slots } = windowOf(name);
    const isFirst = since > this.now || since + slotMs * slots <= this.now || most < limit;
    if (!isFirst && this.refusal(key)) return false;
    this.#refused[key] = { until, most: limit, since: isFirst ? this.now : since };
    this.isChanged = true;
    return isFirst;
  }

  /** Returns the refusals of a limit, unless it has opened since. */
  refusal(key: LimitKey): Refusal | undefined {
    const known = this.#refused[key];
    return known && known.until > this.now ? known : undefined;
  }

  /** Counts one in each series, unless one of them has reached its limit. */
  take(series: Series[]): Taken | Reached {
    const elsewhere = series.filter((one) => this.#isElsewhere(one));
    const here = series.filter((one) => !elsewhere.includes(one));
    const reached = here.flatMap((one) => {
      const until = this.closedUntil(one.name, one.limit);
      return until === undefined ? [] : { series: one, until };
    });
    const [last] = reached.sort((one, other) => other.until - one.until);
    if (last) return { ...last, isFirst: this.refuse(last) };
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
    const refused = Object.entries(this.#refused).filter(
      ([, { until, since = 0 }]) => Math.max(until, since + dayMs) > this.now,
    );
    return {
      counts: Object.fromEntries(known),
      ...(refused.length > 0 && { refused: Object.fromEntries(refused) }),
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

/** A limit that refuses messages or calls: all of them or, for one on recipients, those to some. */
export interface ReachedLimit {
  limit: LimitKey;
  /** How many it allows. */
  most: number;
  /** When it allows another one. */
  until: Date;
}

/** How many messages and calls an account has sent, and the limits that it has reached. */
export interface Usage {
  messages: { lastHour: number; lastDay: number };
  calls: { lastHour: number };
  reached: ReachedLimit[];
}

const { perHour, perDay, callsPerHour } = seriesNames;
/** The limits on everything that an account sends. */
const ofAccount: Partial<Record<LimitKey, string>> = { perHour, perDay, callsPerHour };

/** Returns until when an account has reached a limit, in milliseconds since 1970. Each recipient has a count of its own, so only refusals show it. */
function reachedUntil(draft: Draft, key: LimitKey, { most, isSet }: Most): number | undefined {
  const name = ofAccount[key];
  if (name) return draft.closedUntil(isSet ? name : seriesNames.unconfirmed(name), most);
  const refusal = draft.refusal(key);
  // Someone may have raised the limit since.
  return refusal && refusal.most >= most ? refusal.until : undefined;
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
      const isFirst = await this.#account.change((draft) => {
        draft.giveBack(taken);
        return draft.refuse(own);
      });
      return { ...own, isFirst };
    }
    return async () => {
      await Promise.all([giveBack(), entry.change((draft) => draft.giveBack(own))]);
    };
  }

  /** Returns a function that tells how many messages of the last hour are known to have gone to a number. */
  async sentTo(connection: Pick<Connection, 'password'>): Promise<(number: string) => number> {
    const draft = await this.#account.read();
    return (number) => draft.total(seriesNames.perRecipientPerHour(number, connection));
  }

  /** @param limits the limits of numbers, by key */
  async read(limits: Partial<Record<LimitKey, Most>>): Promise<Usage> {
    const draft = await this.#account.read();
    const reached = Object.entries(limits).flatMap(([limit, known]) => {
      const until = reachedUntil(draft, limit as LimitKey, known);
      const { most } = known;
      return until === undefined ? [] : { limit: limit as LimitKey, most, until: new Date(until) };
    });
    return {
      messages: { lastHour: draft.total(perHour), lastDay: draft.total(perDay) },
      calls: { lastHour: draft.total(callsPerHour) },
      reached,
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
