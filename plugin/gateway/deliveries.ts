import { randomUUID } from 'node:crypto';
import { type Entry, type TelephonyError, writeEntry } from '../../src/builder.ts';
import type { JournalEntry } from './event-journal.ts';
import type { Gateway } from './gateway.ts';
import { isIn } from './keys.ts';
import {
  stateKind as kind,
  type SendingState as State,
  type Subscription,
  type Subscriptions,
} from './subscriptions.ts';
import { type Receipt, sendToReceiver, signedHeaders } from './webhook.ts';

const minuteMs = 60_000;

/** Times of deliveries, in milliseconds. */
export const deliveryLimits = {
  /** How often to look for events of other processes, and for those to be repeated. */
  pollMs: 5_000,
  /** When to look again while another process sends. */
  busyMs: 500,
  /** How long the process that sends keeps its lease without renewing it: longer than a receiver may take. */
  leaseMs: minuteMs,
  /** The waits before an event is repeated: together about a day. */
  waitsMs: [5_000, 30_000, ...[2, 10, 30, 60, 120, 240, 480, 480].map((one) => one * minuteMs)],
  /** How long the state of a removed subscription is kept. */
  keptMs: 60 * 24 * 60 * minuteMs,
};

const isDone = ({ status = 0 }: Receipt) => status >= 200 && status < 300;
/** HTTP's status for a receiver that wants nothing more. */
const gone = 410;

/**
 * Sends events to those who subscribed, each until its receiver accepts it, in the order of the journal. Of several processes, the one with the
 * lease sends the events of a subscription.
 */
export class Deliveries {
  readonly #by = randomUUID();
  /** The subscriptions that this process works on, and whether to look again afterwards. */
  readonly #working = new Map<string, { isAgain: boolean; work: Promise<void> }>();
  readonly #timer: NodeJS.Timeout;
  #isStopped = false;

  constructor(
    private readonly gateway: Gateway,
    private readonly subscriptions: Subscriptions,
    private readonly log: (sentence: string) => void,
  ) {
    this.#timer = setInterval(() => this.wake(), deliveryLimits.pollMs).unref();
  }

  /** Looks for events to send. */
  wake(): void {
    // The next look finds what this one couldn't read.
    void this.#look().catch(() => {});
  }

  /** @param id the only subscription to look for; all of them by default */
  async #look(id?: string): Promise<void> {
    if (this.#isStopped) return;
    for (const one of await this.subscriptions.all())
      if (!one.off && (id === undefined || one.id === id)) this.#begin(one);
  }

  #begin(subscription: Subscription): void {
    const { id } = subscription;
    const working = this.#working.get(id);
    if (working) working.isAgain = true;
    if (working || this.#isStopped) return;
    const work = this.#send(subscription)
      .catch(() => {})
      .then(() => {
        const { isAgain } = this.#working.get(id) ?? {};
        this.#working.delete(id);
        // Only for its own events: two that look for all would make each other look for ever.
        if (isAgain) void this.#look(id).catch(() => {});
      });
    this.#working.set(id, { isAgain: false, work });
  }

  /** Writes the state; undefined if another process has the lease. */
  async #write(id: string, read: Entry | undefined, value: State): Promise<Entry | undefined> {
    const { store } = this.gateway;
    const isWritten = await writeEntry(store, kind, read, { key: id, value });
    return isWritten ? store.get(kind, id) : undefined;
  }

  async #send(subscription: Subscription): Promise<void> {
    const { store, journal } = this.gateway;
    const { id, events: wanted } = subscription;
    const read = await store.get(kind, id);
    const known = (read?.value ?? { cursor: subscription.from }) as State;
    if (known.nextAt !== undefined && known.nextAt > Date.now()) return;
    if (!(await journal.isAfter(known.cursor))) return;
    if (known.by !== this.#by && Number(known.until) > Date.now()) {
      setTimeout(() => this.wake(), deliveryLimits.busyMs).unref();
      return;
    }
    const leased = (state: State): State => ({
      ...{ cursor: state.cursor, failures: state.failures, since: state.since },
      ...{ by: this.#by, until: Date.now() + deliveryLimits.leaseMs },
    });
    let entry = await this.#write(id, read, leased(known));
    for (let more = true; entry && more && !this.#isStopped; ) {
      const { cursor } = entry.value as State;
      const part = await journal
        .read(cursor, 20, (type) => isIn(wanted, type))
        .catch((error) => {
          // It was switched off for longer than events are kept.
          if ((error as TelephonyError).code !== 'not-found') throw error;
          return { events: [], cursor: 'start', more: true };
        });
      for (const event of part.events) {
        if (!entry || this.#isStopped) break;
        const receipt = await this.#deliver(subscription, event);
        if (!isDone(receipt)) return await this.#fail(subscription, entry, receipt);
        entry = await this.#write(id, entry, leased({ cursor: event.cursor }));
      }
      if (!entry || this.#isStopped) break;
      entry = await this.#write(id, entry, leased({ ...(entry.value as State), ...part }));
      more = part.more;
    }
    if (entry) await this.#write(id, entry, { ...(entry.value as State), until: 0 });
  }

  async #deliver(subscription: Subscription, event: JournalEntry): Promise<Receipt> {
    const { settings } = this.gateway;
    if (await this.subscriptions.isRemoved(subscription.id))
      return { status: gone, problem: 'it was removed' };
    const secret = this.subscriptions.secretOf(subscription);
    if (secret === undefined)
      return { status: gone, problem: 'its secret was encrypted with another key: add it again' };
    try {
      await this.gateway.assertKept(subscription.caller);
    } catch (error) {
      return { status: gone, problem: (error as Error).message };
    }
    const { cursor: _, ...sent } = event;
    const body = JSON.stringify(sent);
    const headers = signedHeaders(event.id, Date.now(), body, secret);
    return sendToReceiver(subscription.url, body, headers, settings.privateWebhooks);
  }

  /** Plans the next attempt, or switches the subscription off after the last. */
  async #fail(
    { id, url }: Subscription,
    entry: Entry,
    { status, problem }: Receipt,
  ): Promise<void> {
    const { cursor, failures = 0, since = new Date().toISOString() } = entry.value as State;
    const { waitsMs } = deliveryLimits;
    const wait = status === gone ? undefined : waitsMs[failures];
    const next: State =
      wait === undefined
        ? { cursor }
        : { cursor, since, failures: failures + 1, nextAt: Date.now() + wait };
    const isOwn = await this.#write(id, entry, next);
    if (wait !== undefined || !isOwn) return;
    const reason = problem ?? `it answers ${status}`;
    const sentence = `Switched off: ${new URL(url).host} has accepted no event since ${since}. Reason: ${reason.replace(/\.$/, '')}. Repair it, then resume the subscription.`;
    await this.subscriptions.switch(id, sentence);
    this.log(`The subscription ${id} was switched off.`);
  }

  /** Deletes the states of removed subscriptions. */
  expire = (): Promise<void> => this.gateway.store.expire(kind, Date.now() - deliveryLimits.keptMs);

  /** Stops once the events in flight were answered. The rest is sent after the next start. */
  async close(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await Promise.all([...this.#working.values()].map(({ work }) => work));
  }
}
