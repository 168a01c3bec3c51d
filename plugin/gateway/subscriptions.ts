import { randomBytes } from 'node:crypto';
import {
  changeEntry,
  definitions,
  eventDefinition,
  openSecrets,
  sealSecrets,
  TelephonyError,
} from '../../src/builder.ts';
import { type Caller, type Gateway, NotAllowed, owner } from './gateway.ts';
import { assertKnown, isIn, type Some } from './keys.ts';
import { newSecret, readReceiver } from './webhook.ts';

/** Events that are sent to a URL. */
export interface Subscription {
  id: string;
  /** Whose it is. */
  caller: Pick<Caller, 'id' | 'name'>;
  url: string;
  events: Some;
  /** Whether calls and SMS wait for a reply. */
  replies: boolean;
  createdAt: string;
  /** The cursor of its first event. */
  from: string;
  /** Its secret, encrypted. */
  sealed: string;
  /** Why it was switched off. */
  off?: string | undefined;
}

/** A subscription as its owner sees it. */
export type ShownSubscription = Omit<Subscription, 'caller' | 'from' | 'sealed'> & {
  key: string;
  /** How often its next event was refused, since when, and when it is repeated. */
  failing?: { failures: number; since: string; nextAt: string };
};

/** What someone wants to be sent. */
export interface WantedEvents {
  url: unknown;
  events: Some;
  replies?: boolean;
}

const [kind, key] = ['subscriptions', 'all'];

/** The entries of `SendingState`, by the id of the subscription. */
export const stateKind = 'subscription states';

/** How far the events of a subscription were sent. */
export interface SendingState {
  cursor: string;
  /** The process that sends, and until when. */
  by?: string;
  until?: number;
  /** How often the next event failed, since when, and when to repeat it. */
  failures?: number | undefined;
  since?: string | undefined;
  nextAt?: number;
}

/** All of them are read for each event, so there are few, and no key takes them from the others. */
const most = { all: 100, key: 20 };

const shown = ({ caller, from, sealed, ...others }: Subscription): ShownSubscription => ({
  ...{ ...others, key: caller.id },
});

/** The subscriptions to events. All are one entry, so that each change is one step. */
export class Subscriptions {
  constructor(private readonly gateway: Gateway) {}

  /** The key of their secrets isn't in the store. */
  get #secretsKey(): string {
    const { secretsKey, account } = this.gateway.settings;
    return secretsKey || String(account.password);
  }

  async all(): Promise<Subscription[]> {
    const entry = await this.gateway.store.get(kind, key);
    return (entry?.value ?? []) as Subscription[];
  }

  /** Those of a key, or all of them for the person on the command line. */
  async of({ id }: Caller): Promise<Subscription[]> {
    return (await this.all()).filter(({ caller }) => id === owner.id || caller.id === id);
  }

  #change(next: (known: Subscription[]) => Subscription[]): Promise<boolean> {
    return changeEntry(this.gateway.store, kind, key, (value) =>
      next((value ?? []) as Subscription[]),
    );
  }

  /**
   * Subscribes to the events from now on.
   *
   * @returns the secret that signs them, which is shown only once
   * @throws {TelephonyError} with code `input`, or a `NotAllowed`
   */
  async add(caller: Caller, { url, events, replies = false }: WantedEvents) {
    const { rights } = caller;
    if (!rights.subscribe)
      throw new NotAllowed('input', `The key "${caller.name}" may not subscribe to events.`);
    assertKnown('events', events);
    if (events.length === 0)
      throw new TelephonyError('input', 'Name the events, or all.', { field: 'events' });
    const isAllowed =
      events === 'all' ? rights.events === 'all' : events.every((id) => isIn(rights.events, id));
    if (!isAllowed)
      throw new NotAllowed('input', `The key "${caller.name}" may not read these events.`, {
        field: 'events',
      });
    const mayReply = ({ id, replies: forms }: (typeof definitions.events)[number]) =>
      !forms || !isIn(events, id) || isIn(rights.reply ?? [], id);
    // The service would wait, and a caller hear nothing, for a reply that no one may give.
    if (replies && !definitions.events.every(mayReply))
      throw new NotAllowed('input', `The key "${caller.name}" may not reply to these events.`, {
        field: 'replies',
      });
    const id = `sub_${randomBytes(8).toString('hex')}`;
    const secret = newSecret();
    const added: Subscription = {
      ...{ id, url: readReceiver(url, this.gateway.settings.privateWebhooks), events, replies },
      caller: { id: caller.id, name: caller.name },
      createdAt: new Date().toISOString(),
      from: (await this.gateway.journal.read('now', 1, () => false)).cursor,
      sealed: sealSecrets({ secret }, this.#secretsKey, [id]),
    };
    await this.#change((known) => {
      const own = known.filter((one) => one.caller.id === caller.id);
      if (caller.id !== owner.id && own.length >= most.key)
        throw new TelephonyError(
          'input',
          `The key "${caller.name}" has ${most.key} subscriptions already. Remove others.`,
        );
      if (known.length < most.all) return [...known, added];
      throw new TelephonyError(
        'input',
        `There are ${most.all} subscriptions already. Remove others.`,
      );
    });
    return { subscription: added, secret };
  }

  /** Returns a subscription as its owner sees it, with how it goes. */
  async show(one: Subscription): Promise<ShownSubscription> {
    const entry = await this.gateway.store.get(stateKind, one.id);
    const { failures, since = '', nextAt } = (entry?.value ?? {}) as Partial<SendingState>;
    if (!failures || nextAt === undefined) return shown(one);
    const failing = { failures, since, nextAt: new Date(nextAt).toISOString() };
    return { ...shown(one), failing };
  }

  /** The secret of a subscription; undefined if it was encrypted with another key. */
  secretOf({ id, sealed }: Subscription): string | undefined {
    const { secret } = openSecrets(sealed, this.#secretsKey, [id]) ?? {};
    return secret === undefined ? undefined : String(secret);
  }

  /** Whether a subscription was removed. */
  async isRemoved(id: string): Promise<boolean> {
    return !(await this.all()).some((one) => one.id === id);
  }

  /** @throws {TelephonyError} with code `not-found` if the caller has no such subscription */
  async find(caller: Caller, id: string): Promise<Subscription> {
    const found = (await this.of(caller)).find((one) => one.id === id);
    if (found) return found;
    throw new TelephonyError('not-found', `There is no subscription ${id}.`);
  }

  /** @throws {TelephonyError} with code `not-found` if the caller has no such subscription */
  async remove(caller: Caller, id: string): Promise<void> {
    await this.find(caller, id);
    await this.#change((known) => known.filter((one) => one.id !== id));
  }

  /**
   * Switches a subscription on again, and ends its wait. Its events are sent from where it was switched off.
   *
   * @throws {TelephonyError} with code `not-found` if the caller has no such subscription
   */
  async resume(caller: Caller, id: string): Promise<void> {
    await this.find(caller, id);
    await changeEntry(this.gateway.store, stateKind, id, (value) => {
      const { nextAt, failures: _, ...state } = (value ?? {}) as SendingState;
      return nextAt === undefined ? undefined : state;
    });
    await this.switch(id, undefined);
  }

  /** Switches a subscription off with a sentence that says why, or on without one. */
  async switch(id: string, off: string | undefined): Promise<void> {
    await this.#change((known) => known.map((one) => (one.id === id ? { ...one, off } : one)));
  }

  /** Whether an event waits for a reply, because someone is sent it who may reply. */
  async isAwaited(type: string): Promise<boolean> {
    const { replies = [] } = eventDefinition(type);
    if (replies.length === 0) return false;
    return (await this.all()).some((one) => one.replies && !one.off && isIn(one.events, type));
  }
}
