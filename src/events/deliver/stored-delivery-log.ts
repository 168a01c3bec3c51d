import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { definitions } from '../../../generated/definitions.ts';
import { memoryStore } from '../../store/memory-store.ts';
import type { Entry, NewEntry, Store } from '../../store/store.ts';
import { storeHash } from '../../store/store-row.ts';
import { writeEntry } from '../../store/write-entry.ts';
import { deliveryLimits } from './delivery-limits.ts';
import type { DeliveryLog, DeliveryState, EventIdentity } from './delivery-log.ts';

/** An event of a record. Its record's entry has all of them, so that a single swap decides on their order. */
interface Delivery {
  key: string;
  step: number;
  /** Who delivers it; absent once it is delivered. */
  by?: string;
  at: number;
}

/** Whose a signature is. */
interface Signed {
  key: string;
  subject: string;
}

/** What was known of an event before there was a store. */
export interface EarlierDelivery {
  key: string;
  signature: string;
  subject: string;
  step: number;
  by?: string;
  at: number;
}

/** Which events of an account were delivered. */
export interface StoredDeliveryLog extends DeliveryLog {
  begin(note: EventIdentity): Promise<DeliveryState>;
  delivered(note: EventIdentity): Promise<void>;
  release(note: EventIdentity): Promise<void>;
  /** When the last event was delivered. @param id of which kind; of any if not given */
  last(id?: string): Promise<Date | undefined>;
  /** Deletes what is kept too long. */
  expire(): Promise<void>;
  /** Deletes everything, because the account is removed. */
  clear(): Promise<void>;
}

export interface DeliveryLogOptions {
  /** Whose events they are, where a store serves several accounts. */
  account?: string;
  /** Whether no other process delivers events: a delivery that another one began is then never finished. */
  isAlone?: () => boolean;
}

const kindsOf = (account: string) => ({
  deliveries: `deliveries ${account}`,
  signatures: `signatures ${account}`,
  last: `last delivery ${account}`,
});

const deliveriesOf = (entry: Entry | undefined) => (entry?.value ?? []) as Delivery[];

/**
 * A delivery log: delivers each event once, and those of a record in order, among all processes that share a store.
 *
 * @param store where it is kept
 */
export function deliveryLog(store: Store, options: DeliveryLogOptions = {}): StoredDeliveryLog {
  const { account = '', isAlone = () => false } = options;
  const kinds = kindsOf(account);
  const own = (text: string) => storeHash(account, text);
  const owner = randomUUID();
  /** What this log is delivering, by who delivers it: the log itself, each time another. */
  const inProgress = new Map<string, string>();
  let claims = 0;
  /** Deliveries that could not be recorded, by subject. They are recorded before anything else of it is. */
  const unrecorded = new Map<string, EventIdentity[]>();

  const isOwn = (by: string) => by.startsWith(owner);

  function release(key: string) {
    for (const [by, of] of inProgress) if (of === key) inProgress.delete(by);
  }

  /** Whether whoever began a delivery no longer works on it. */
  function isAbandoned({ by, at }: Delivery) {
    if (by === undefined) return false;
    if (isOwn(by)) return !inProgress.has(by);
    // A clock that was put back makes it begin later than now.
    return isAlone() || Math.abs(Date.now() - at) > deliveryLimits.longestMs;
  }

  const alive = (entry: Entry | undefined) =>
    deliveriesOf(entry).filter((delivery) => !isAbandoned(delivery));

  const write = (read: Entry | undefined, kind: string, key: string, value: unknown) =>
    writeEntry(store, kind, read, { key, value });

  /** Changes what is known of a record until no other process changes it meanwhile. */
  async function change(subject: string, next: (known: Delivery[]) => Delivery[] | undefined) {
    for (;;) {
      const entry = await store.get(kinds.deliveries, subject);
      const value = next(deliveriesOf(entry));
      if (!value || (await write(entry, kinds.deliveries, subject, value))) return;
    }
  }

  async function begin(
    entry: Entry | undefined,
    subject: string,
    known: Delivery[],
    of: Pick<Delivery, 'key' | 'step'>,
  ) {
    claims += 1;
    const delivery = { ...of, by: `${owner} ${claims}`, at: Date.now() };
    // Set before the write: a reader in between would take the delivery for abandoned.
    inProgress.set(delivery.by, of.key);
    let isBegun = false;
    try {
      isBegun = await write(entry, kinds.deliveries, subject, [...known, delivery]);
    } finally {
      if (!isBegun) inProgress.delete(delivery.by);
    }
    return isBegun;
  }

  async function claim({ subject, key, step, lateFrom }: EventIdentity): Promise<DeliveryState> {
    for (;;) {
      const entry = await store.get(kinds.deliveries, own(subject));
      const known = alive(entry);
      const same = known.find((one) => one.key === own(key));
      if (same) return same.by === undefined ? 'delivered' : 'in-progress';
      if (known.some((one) => one.step >= lateFrom)) return 'stale';
      const isElsewhere = known.some(({ by = owner }) => !isOwn(by));
      if (isElsewhere) await setTimeout(deliveryLimits.waitMs);
      else if (await begin(entry, own(subject), known, { key: own(key), step })) return 'new';
    }
  }

  /** What is known of another event with the same signature. It stays that one's, even if it could not be delivered. */
  async function otherWith({
    signature,
    key,
  }: EventIdentity): Promise<{ entry?: Entry | undefined; known?: DeliveryState | undefined }> {
    const entry = await store.get(kinds.signatures, own(signature));
    const { key: other, subject } = (entry?.value ?? { key: own(key) }) as Signed;
    if (!entry || other === own(key)) return { entry };
    const deliveries = alive(await store.get(kinds.deliveries, subject));
    const found = deliveries.find((one) => one.key === other);
    const known: DeliveryState = found?.by === undefined ? 'delivered' : 'in-progress';
    return { entry, known };
  }

  /** Binds a signature to an event. Resolves to what is known of another one that has it. */
  async function sign(note: EventIdentity, read?: Entry): Promise<DeliveryState | undefined> {
    const value: Signed = { key: own(note.key), subject: own(note.subject) };
    let entry = read;
    while (
      (entry?.value as Signed | undefined)?.key !== value.key &&
      !(await write(entry, kinds.signatures, own(note.signature), value))
    ) {
      const other = await otherWith(note);
      if (other.known) return other.known;
      ({ entry } = other);
    }
    return undefined;
  }

  /** Resolves to whether it was in progress. */
  async function record({ key, subject }: EventIdentity): Promise<boolean> {
    const isIt = (one: Delivery) => one.key === own(key) && one.by !== undefined;
    const delivered = ({ by, ...one }: Delivery) => ({ ...one, at: Date.now() });
    let isRecorded = false;
    await change(own(subject), (known) => {
      isRecorded = known.some(isIt);
      return isRecorded ? known.map((one) => (isIt(one) ? delivered(one) : one)) : undefined;
    });
    release(own(key));
    return isRecorded;
  }

  /** Notes when an event was delivered. Another process that does so at the same time is as right. */
  async function recordLast({ key }: EventIdentity) {
    const id = key.slice(0, key.indexOf('/'));
    if (!definitions.events.some((event) => event.id === id)) return;
    const entry = await store.get(kinds.last, id);
    if (entry) await store.swap(kinds.last, entry, Date.now());
    else await store.insert(kinds.last, { key: id, index: 'last', value: Date.now() });
  }

  async function forget({ key, subject }: EventIdentity) {
    release(own(key));
    await change(own(subject), (known) => {
      const rest = known.filter((one) => one.key !== own(key) || one.by === undefined);
      return rest.length < known.length ? rest : undefined;
    });
  }

  async function recordRest(subject: string) {
    for (const note of unrecorded.get(subject) ?? []) await record(note);
    unrecorded.delete(subject);
  }

  return {
    async begin(note) {
      await recordRest(note.subject);
      // What is not signed is known by its key alone.
      const isSigned = note.signature !== note.key;
      const other = isSigned ? await otherWith(note) : {};
      if (other.known) return other.known;
      const known = await claim(note);
      if (!isSigned) return known;
      // The same event can come with several signatures: each is its own from then on.
      if (known !== 'new') return (await sign(note, other.entry)) ?? known;
      let taken: DeliveryState | undefined = 'delivered';
      try {
        taken = await sign(note, other.entry);
      } finally {
        if (taken) await forget(note);
      }
      return taken ?? 'new';
    },
    async delivered(note) {
      let isRecorded: boolean;
      try {
        isRecorded = await record(note);
      } catch (error) {
        unrecorded.set(note.subject, [...(unrecorded.get(note.subject) ?? []), note]);
        throw error;
      }
      if (isRecorded) await recordLast(note);
    },
    release: forget,
    async last(id) {
      const entries = await store.find(kinds.last, 'last');
      const times = entries.filter(({ key }) => id === undefined || key === id).map(({ at }) => at);
      return times.length > 0 ? new Date(Math.max(...times)) : undefined;
    },
    async expire() {
      const before = Date.now() - deliveryLimits.keptMs;
      for (const kind of [kinds.deliveries, kinds.signatures]) await store.expire(kind, before);
    },
    async clear() {
      for (const kind of Object.values(kinds)) await store.expire(kind, Number.MAX_SAFE_INTEGER);
    },
  };
}

/**
 * A delivery log that lasts as long as the process.
 *
 * @param most how many records it remembers; the oldest are forgotten first
 */
export const memoryDeliveryLog = (most?: number): StoredDeliveryLog =>
  deliveryLog(memoryStore(most));

/**
 * What a delivery log keeps of events that were delivered before there was a store.
 *
 * @param isHashed whether their texts are hashes already
 */
export function entriesOfEarlier(
  earlier: EarlierDelivery[],
  account = '',
  isHashed = false,
): [kind: string, entry: NewEntry, at: number][] {
  const kinds = kindsOf(account);
  const own = (text: string) => (isHashed ? text : storeHash(account, text));
  const subjects = new Map<string, Delivery[]>();
  for (const { key, subject, step, by, at } of earlier)
    subjects.set(own(subject), [
      ...(subjects.get(own(subject)) ?? []),
      { key: own(key), step, ...(by !== undefined && { by }), at },
    ]);
  const signed = earlier.filter(({ key, signature }) => key !== signature);
  const last = new Map<string, number>();
  for (const { key, by, at } of earlier) {
    const id = isHashed ? 'earlier' : key.slice(0, key.indexOf('/'));
    if (by === undefined) last.set(id, Math.max(at, last.get(id) ?? 0));
  }
  return [
    ...[...last].map(([key, at]): [string, NewEntry, number] => [
      kinds.last,
      { key, index: 'last', value: at },
      at,
    ]),
    ...[...subjects].map(([key, value]): [string, NewEntry, number] => [
      kinds.deliveries,
      { key, value },
      Math.max(...value.map(({ at }) => at)),
    ]),
    ...signed.map(({ key, signature, subject, at }): [string, NewEntry, number] => [
      kinds.signatures,
      { key: own(signature), value: { key: own(key), subject: own(subject) } satisfies Signed },
      at,
    ]),
  ];
}
