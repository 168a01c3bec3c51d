import {
  actionLike,
  changeEntry,
  checkReply,
  type EventContext,
  type FilledReply,
  type KeyedAnswer,
  sleep,
  storeHash,
  TelephonyError,
  type TelephonyEvent,
  type TelephonyRecord,
  writeEntry,
} from '../../src/builder.ts';
import type { JournalEntry } from './event-journal.ts';
import { type Caller, type Gateway, NotAllowed } from './gateway.ts';
import { all, isIn } from './keys.ts';

const kind = 'event replies';
const dayMs = 24 * 3_600_000;
const keptMs = 30 * dayMs;
/** How long a reply that is sent as a message can be repeated: for less long than the keys of actions are kept, or it would be sent again. */
const repeatedMs = 6 * dayMs;

/** How often the process with the event looks for a reply, and the other for what it did, in milliseconds. */
const lookMs = 100;
/** How long before the service gets its response a reply must have come, in milliseconds. */
const marginMs = 500;

const repliedTo = () => new TelephonyError('rejected', 'This event already has another reply.');

/** A reply that someone gives. */
interface Offer {
  caller: Caller;
  /** A hash of who replies what. */
  of: string;
  filled: FilledReply;
  /** Whether the service got it, it came too late for that, or a limit refused it. */
  state: 'offered' | 'given' | 'late' | 'refused';
  error?: { code: TelephonyError['code']; message: string };
}

/**
 * The replies to events. The process in which the service waits need not be the one that gets the reply, so they meet in the store. A swap decides
 * whether the service gets the reply or it is sent as a message: never both.
 */
export class Replies {
  constructor(private readonly gateway: Gateway) {}

  /** Waits for the reply to an event for as long as the service does. */
  async wait(
    id: string,
    { signal, deadline, checkReply: check, countReply }: EventContext,
  ): Promise<FilledReply | undefined> {
    const { store } = this.gateway;
    let isGiven: boolean | undefined = false;
    for (; !signal.aborted && performance.now() < deadline - marginMs; await sleep(lookMs)) {
      // A database that is away for a moment must not fail the event.
      const entry = await store.get(kind, id).catch(() => undefined);
      const offer = entry?.value as Offer | undefined;
      // Only this process gives it, even if the answer of the database was lost.
      if (offer?.state === 'given' && isGiven === undefined) return offer.filled;
      if (!entry || offer?.state !== 'offered') continue;
      try {
        check(offer.filled);
        await countReply(offer.filled, this.gateway.telephonyOf(offer.caller));
      } catch (error) {
        const { code, message } = error as TelephonyError;
        const refused = { ...offer, state: 'refused', error: { code, message } };
        await store.swap(kind, entry, refused).catch(() => {});
        continue;
      }
      isGiven = await store.swap(kind, entry, { ...offer, state: 'given' }).catch(() => undefined);
      if (isGiven !== undefined) return isGiven ? offer.filled : undefined;
    }
    return undefined;
  }

  /**
   * Replies to an event once: while the service waits for it, else by the action that sends the same.
   *
   * @returns undefined if the service got it, or the outcome of the action
   * @throws {TelephonyError} if the reply can't be sent
   */
  async reply(
    caller: Caller,
    id: string,
    filled: FilledReply,
  ): Promise<KeyedAnswer<TelephonyRecord> | undefined> {
    const { store, journal } = this.gateway;
    const { events, reply = [] } = caller.rights;
    const found = await journal.find(id);
    if (!found || !isIn(events, found.type))
      throw new TelephonyError('not-found', `There is no event ${id}.`);
    if (!isIn(reply, found.type))
      throw new NotAllowed('input', `The key "${caller.name}" may not reply to this event.`);
    const event = { id: found.type, record: found.record, parameters: {} } as TelephonyEvent;
    const { cleanPhone } = this.gateway.telephonyOf(caller);
    const { form, values } = checkReply(event, filled, cleanPhone);
    const of = storeHash(caller.id, form.id, JSON.stringify(values));
    const read = await store.get(kind, id);
    const known = read?.value as Offer | undefined;
    if (!known || known.state === 'refused')
      await writeEntry(store, kind, read, {
        key: id,
        value: { caller, of, filled, state: 'offered' } satisfies Offer,
      });
    const { state, error, at } = await this.#outcome(found, of);
    if (state === 'given') return undefined;
    if (error) throw new TelephonyError(error.code, error.message);
    if (at < Date.now() - repeatedMs)
      throw new TelephonyError(
        'rejected',
        'This event was replied to days ago. Check the message log; if it has no reply, send a message.',
      );
    const same = actionLike(event, form, values, cleanPhone);
    if (!same)
      throw new TelephonyError(
        'input',
        'The reply is too late: the service no longer waits for it.',
      );
    // Who may reply may send this one message, from the number that received the other.
    const rights = { ...caller.rights, act: [same.action.id], senders: all } as const;
    const once = `reply ${id}`;
    const acts = { ...caller, rights };
    const answer = await this.gateway.act(acts, same.action.id, of, same.input, { once });
    if (answer.state === 'other input') throw repliedTo();
    return answer;
  }

  /** Waits until the reply has an outcome. */
  async #outcome({ id, waitsUntil = 0 }: JournalEntry, of: string) {
    const { store } = this.gateway;
    for (;;) {
      const entry = await store.get(kind, id);
      const offer = entry?.value as Offer;
      // Of those that come too late for the service, the action decides.
      if (offer.of !== of && offer.state !== 'late') throw repliedTo();
      if (offer.state !== 'offered') return { ...offer, at: Number(entry?.at) };
      if (Date.now() < waitsUntil) await sleep(lookMs);
      else
        await changeEntry(store, kind, id, (value) =>
          (value as Offer).state === 'offered' ? { ...(value as Offer), state: 'late' } : undefined,
        );
    }
  }

  /** Deletes expired replies. */
  expire = (): Promise<void> => this.gateway.store.expire(kind, Date.now() - keptMs);
}
