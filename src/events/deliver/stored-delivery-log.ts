import { randomUUID } from 'node:crypto';
import { definitions } from '../../../generated/definitions.ts';
import { sleep } from '../../async/timers.ts';
import { memoryStore } from '../../store/memory-store.ts';
import { storeHash } from '../../store/row-store.ts';
import { changeEntry, type Entry, type Store, writeEntry } from '../../store/store.ts';
import { TelephonyError } from '../../telephony-error.ts';
import type { DeliveryLog, DeliveryState, EventIdentity } from './delivery-log.ts';

const dayMs = 24 * 3_600_000;

/** Times of the delivery log, in milliseconds. */
const limits = {
  /** How long a delivered event is remembered. The service repeats an event for hours; a month also covers an outage. */
  keptMs: 30 * dayMs,
  /** After how long the process that started a delivery counts as ended. A delivery itself takes ten seconds at most. */
  longestMs: 15_000,
  /** How often to check whether another process has delivered an event of the same record. */
  waitMs: 50,
};

/** An event of a record. One entry has all events of a record, so that a single swap decides on their order. */
export interface Delivery {
  key: string;
  step: number;
  /** The owner of the delivery in progress; missing once the event is delivered. */
  by?: string;
  at: number;
  /** Whether an earlier process began it and ended, so that it may have reached the app even if this delivery fails. */
  isUncertain?: true;
}

/** The owner of an uncertain delivery that is not in progress. */
const noOne = 'no one';

/** The event that a signature belongs to. */
export interface Signed {
  key: string;
  subject: string;
}

/** The delivery log of an account in a store. */
export interface StoredDeliveryLog extends DeliveryLog {
  begin(identity: EventIdentity): Promise<DeliveryState>;
  delivered(identity: EventIdentity): Promise<void>;
  release(identity: EventIdentity): Promise<void>;
  /** Returns when the last event was delivered. @param id the kind of event; any if not given */
  last(id?: string): Promise<Date | undefined>;
  /** Deletes expired entries. */
  expire(): Promise<void>;
  /** Deletes everything, because the account is removed. */
  clear(): Promise<void>;
}

export interface DeliveryLogOptions {
  /** The account, if a store serves several. */
  account?: string;
  /** Whether no other process delivers events, so that deliveries of other processes count as abandoned. */
  isAlone?: () => boolean;
}

/** The kinds of the entries of an account. */
export const kindsOf = (account: string) => ({
  deliveries: `deliveries ${account}`,
  signatures: `signatures ${account}`,
  last: `last delivery ${account}`,
});

function assertIdentity(identity: EventIdentity): void {
  const texts = [identity?.key, identity?.signature, identity?.subject];
  if (!texts.every((one) => typeof one === 'string'))
    throw new TelephonyError(
      'input',
      'The identity of an event must have a key, a signature and a subject.',
    );
}

const deliveriesOf = (value: unknown) => (value ?? []) as Delivery[];

/**
 * Creates a delivery log. All processes that share the store deliver each event once, and the events of a record in order.
 *
 * @param store the store
 */
export function deliveryLog(store: Store, options: DeliveryLogOptions = {}): StoredDeliveryLog {
  const { account = '', isAlone = () => false } = options;
  const kinds = kindsOf(account);
  const own = (text: string) => storeHash(account, text);
  const owner = randomUUID();
  /** The keys of the events that this log is delivering, by the owner of the delivery. Each delivery has another owner. */
  const inProgress = new Map<string, string>();
  let claims = 0;
  /** Deliveries that could not be recorded, by subject. They are recorded before the next event of the subject. */
  const unrecorded = new Map<string, EventIdentity[]>();

  const isOwn = (by: string) => by.startsWith(owner);

  function release(key: string) {
    for (const [by, of] of inProgress) if (of === key) inProgress.delete(by);
  }

  const hasEnded = (by: string) => by === noOne || (isOwn(by) && !inProgress.has(by));

  /** Whether the event certainly did not reach the app. */
  const isFailed = ({ by, isUncertain }: Delivery) =>
    by !== undefined && hasEnded(by) && !isUncertain;

  /** Whether the owner of a delivery that has not failed has ended. It may have delivered the event without recording it. */
  function isAbandoned({ by, at }: Delivery) {
    if (by === undefined) return false;
    if (hasEnded(by)) return true;
    // If the clock was set back, the delivery started in the future.
    return !isOwn(by) && (isAlone() || Math.abs(Date.now() - at) > limits.longestMs);
  }

  const notFailed = (entry: Entry | undefined) =>
    deliveriesOf(entry?.value).filter((delivery) => !isFailed(delivery));

  const write = (read: Entry | undefined, kind: string, key: string, value: unknown) =>
    writeEntry(store, kind, read, { key, value });

  /** Changes the deliveries of a record. */
  const change = (subject: string, next: (known: Delivery[]) => Delivery[] | undefined) =>
    changeEntry(store, kinds.deliveries, subject, (value) => next(deliveriesOf(value)));

  async function begin(
    entry: Entry | undefined,
    subject: string,
    known: Delivery[],
    of: Pick<Delivery, 'key' | 'step' | 'isUncertain'>,
  ) {
    claims += 1;
    const delivery = { ...of, by: `${owner} ${claims}`, at: Date.now() };
    // Set before the write, because a reader in between would consider the delivery abandoned.
    inProgress.set(delivery.by, of.key);
    let isStarted = false;
    try {
      isStarted = await write(entry, kinds.deliveries, subject, [...known, delivery]);
    } finally {
      if (!isStarted) inProgress.delete(delivery.by);
    }
    return isStarted;
  }

  async function claim({ subject, key, step, lateFrom }: EventIdentity): Promise<DeliveryState> {
    for (;;) {
      const entry = await store.get(kinds.deliveries, own(subject));
      const known = notFailed(entry);
      const same = known.find((one) => one.key === own(key));
      if (same && !isAbandoned(same)) return same.by === undefined ? 'delivered' : 'in-progress';
      const others = known.filter((one) => one !== same);
      // An abandoned delivery counts because it may have reached the app. One of the same step does not: of two, each would wait for the other.
      const isLate = (one: Delivery) => (isAbandoned(one) ? one.step > step : one.step >= lateFrom);
      if (others.some(isLate)) return 'stale';
      const isElsewhere = others.some((one) => !isOwn(one.by ?? owner) && !isAbandoned(one));
      if (isElsewhere) await sleep(limits.waitMs);
      else {
        const delivery = { key: own(key), step, ...(same && { isUncertain: true as const }) };
        if (await begin(entry, own(subject), others, delivery)) return 'new';
      }
    }
  }

  /** Returns the state of another event with the same signature. The signature stays bound to it, even if its delivery failed. */
  async function otherWith({
    signature,
    key,
  }: EventIdentity): Promise<{ entry?: Entry | undefined; known?: DeliveryState | undefined }> {
    const entry = await store.get(kinds.signatures, own(signature));
    const { key: other, subject } = (entry?.value ?? { key: own(key) }) as Signed;
    if (!entry || other === own(key)) return { entry };
    const deliveries = notFailed(await store.get(kinds.deliveries, subject));
    const found = deliveries.find((one) => one.key === other && !isAbandoned(one));
    const known: DeliveryState = found?.by === undefined ? 'delivered' : 'in-progress';
    return { entry, known };
  }

  /** Binds a signature to an event. Resolves to the state of another event if the signature is bound to that. */
  async function sign(identity: EventIdentity, read?: Entry): Promise<DeliveryState | undefined> {
    const value: Signed = { key: own(identity.key), subject: own(identity.subject) };
    let entry = read;
    while (
      (entry?.value as Signed | undefined)?.key !== value.key &&
      !(await write(entry, kinds.signatures, own(identity.signature), value))
    ) {
      const other = await otherWith(identity);
      if (other.known) return other.known;
      ({ entry } = other);
    }
    return undefined;
  }

  const isUnrecorded =
    ({ key }: EventIdentity) =>
    (one: Delivery) =>
      one.key === own(key) && one.by !== undefined;

  /** Records a delivery. Resolves to whether it was in progress. */
  async function record(identity: EventIdentity): Promise<boolean> {
    let isRecorded = false;
    await change(own(identity.subject), (known) => {
      const delivered = known.find(isUnrecorded(identity));
      isRecorded = delivered !== undefined;
      if (!delivered) return undefined;
      const { key, step } = delivered;
      // Those no longer matter. After a clock change, they would count as in progress.
      const isSuperseded = (one: Delivery) => isAbandoned(one) && one.step <= step;
      const rest = known.filter((one) => one !== delivered && !isSuperseded(one));
      return [...rest, { key, step, at: Date.now() }];
    });
    release(own(identity.key));
    return isRecorded;
  }

  /** Records when an event was delivered. If another process does so at the same time, either time is right. */
  async function recordLast({ key }: EventIdentity) {
    const id = key.slice(0, key.indexOf('/'));
    if (!definitions.events.some((event) => event.id === id)) return;
    const entry = await store.get(kinds.last, id);
    if (entry) await store.swap(kinds.last, entry, Date.now());
    else await store.insert(kinds.last, { key: id, index: 'last', value: Date.now() });
  }

  async function forget(identity: EventIdentity) {
    release(own(identity.key));
    await change(own(identity.subject), (known) => {
      const failed = known.find(isUnrecorded(identity));
      if (!failed) return undefined;
      const rest = known.filter((one) => one !== failed);
      return failed.isUncertain ? [...rest, { ...failed, by: noOne }] : rest;
    });
  }

  async function recordRest(subject: string) {
    for (const identity of unrecorded.get(subject) ?? []) await record(identity);
    unrecorded.delete(subject);
  }

  return {
    async begin(identity) {
      assertIdentity(identity);
      await recordRest(identity.subject);
      // Only its key identifies an event without a signature.
      const isSigned = identity.signature !== identity.key;
      const whole = identity.of ? await otherWith(identity.of) : {};
      if (whole.known) return whole.known;
      const other = isSigned ? await otherWith(identity) : {};
      if (other.known) return other.known;
      const known = await claim(identity);
      if (!isSigned) return known;
      // The same event can arrive with several signatures. Each is bound to it from then on.
      if (known !== 'new') return (await sign(identity, other.entry)) ?? known;
      let taken: DeliveryState | undefined = 'delivered';
      try {
        taken = await sign(identity, other.entry);
      } finally {
        if (taken) await forget(identity);
      }
      return taken ?? 'new';
    },
    async delivered(identity) {
      assertIdentity(identity);
      let isRecorded: boolean;
      try {
        isRecorded = await record(identity);
      } catch (error) {
        unrecorded.set(identity.subject, [...(unrecorded.get(identity.subject) ?? []), identity]);
        throw error;
      }
      if (isRecorded) await recordLast(identity);
    },
    async release(identity) {
      assertIdentity(identity);
      await forget(identity);
    },
    async last(id) {
      const entries = await store.find(kinds.last, 'last');
      const times = entries.filter(({ key }) => id === undefined || key === id).map(({ at }) => at);
      return times.length > 0 ? new Date(Math.max(...times)) : undefined;
    },
    async expire() {
      const before = Date.now() - limits.keptMs;
      for (const kind of [kinds.deliveries, kinds.signatures]) await store.expire(kind, before);
    },
    async clear() {
      for (const kind of Object.values(kinds)) await store.expire(kind, Number.MAX_SAFE_INTEGER);
    },
  };
}

/**
 * Creates a delivery log that lasts as long as the process.
 *
 * @param most how many records it remembers; forgets the oldest first
 * @throws {TelephonyError} with code `input` if that is no whole number from 1
 */
export function memoryDeliveryLog(most?: number): StoredDeliveryLog {
  if (most !== undefined && !(Number.isInteger(most) && most >= 1))
    throw new TelephonyError('input', 'The number of records must be a whole number from 1.');
  return deliveryLog(memoryStore(most));
}
