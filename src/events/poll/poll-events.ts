import { definitions } from '../../../generated/definitions.ts';
import { notify } from '../../async/notify.ts';
import { within } from '../../async/within.ts';
import { eventDefinition, listSource } from '../../definition/operation.ts';
import { skippedRecords } from '../../list/hints.ts';
import { checkOptions, runOptions } from '../../settings/check-options.ts';
import type { RunOptions, Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { sentence } from '../../text/sentence.ts';
import { EventDelivery } from '../deliver/event-delivery.ts';
import { type EventOutcome, handlerOptions } from '../deliver/event-options.ts';
import { memoryDeliveryLog } from '../deliver/stored-delivery-log.ts';
import { advance, isReadable, markFailed, markSeen, newCursor, readCursors } from './cursor.ts';
import { groupByList, type NewEvents, readNewEvents } from './new-events.ts';
import type { CursorStore, PollOptions } from './poll-options.ts';
import type { PolledEvent } from './polled-event.ts';
import { replySender } from './send-reply.ts';
import { withFiles } from './with-files.ts';

/**
 * Polls once and delivers the new events. Resolves when `onEvent` has ended for each of them. A call during a poll joins it. The signal ends
 * the poll after the event that is being delivered; the next poll delivers the rest.
 *
 * @throws {TelephonyError} if a list could not be read. Events of other lists were delivered, and the next poll reads that list from the
 *   same point
 */
export type PollEvents = (options?: RunOptions) => Promise<void>;

const pollOptions = { ...handlerOptions, events: 'list', cursor: ['read', 'write'] } as const;

/** The cursor is stored after so many events. */
const eventsPerSave = 1_000;

const unreadableCursor =
  'The stored polling cursor is unreadable. Polling starts from now; events since the last poll are skipped.';

const tooManyEvents = (name: string) =>
  `There are too many new events “${name}” for one poll. The oldest are delivered now, the others with the next polls.`;

/** The events that can be polled because a list shows them. */
export const polledEvents = definitions.events.filter(({ polled }) => polled);

function assertPollable(id: string) {
  const { name, polled } = eventDefinition(id);
  if (!polled)
    throw new TelephonyError(
      'input',
      sentence('“{name}” cannot be polled, because no list shows it.', { name: { text: name } }),
    );
}

function memoryCursorStore(): CursorStore {
  let stored: string | undefined;
  return {
    read: () => stored,
    write: (cursor) => {
      stored = cursor;
    },
  };
}

/**
 * Returns a function that polls for events, for an app that the service can't reach. It reads the lists that show the events and delivers
 * each event once, oldest first, with the record as it is now. Events from before the first poll are not delivered. A reply to an SMS is sent
 * as an SMS, once; other events can't be replied to. Costs at least one request per list and poll.
 *
 * With the delivery log of `receiveEvents`, events that also arrive by webhook are delivered once.
 *
 * @param telephony the account
 * @param options which events, their handler, and where the cursor is stored
 * @throws {TelephonyError} with code `input` for an unknown event, or one that can't be polled
 */
export function pollEvents(telephony: Telephony, options: PollOptions): PollEvents {
  const checked = checkOptions<PollOptions>(options, pollOptions, ['onEvent']);
  if (typeof telephony?.pages !== 'function')
    throw new TelephonyError('input', 'The first argument must be what connect() returns.');
  const {
    deliveryLog = memoryDeliveryLog(),
    timeoutMs = 10_000,
    cursor = memoryCursorStore(),
  } = checked;
  // A hole in the list is no event either.
  const ids = Array.from(checked.events ?? polledEvents.map(({ id }) => id));
  ids.forEach(assertPollable);

  const onOutcome = (outcome: EventOutcome) => notify(checked.onOutcome, outcome);

  /** Reports once, although each of the list's events has a cursor. */
  function reportUnreadable(ofList: NewEvents[]) {
    const one = ofList.find(({ unreadable }) => unreadable > 0);
    if (!one) return;
    const list = listSource(one.definition.polled?.source ?? '');
    onOutcome({ outcome: 'unreadable', message: skippedRecords(list, one.unreadable) });
  }

  const onEvent: PollOptions['onEvent'] = async (event, context) => {
    const complete = await withFiles(telephony, event, { signal: context.signal });
    return checked.onEvent(complete, context);
  };

  /** Delivers an event. */
  function deliverOne(
    { cursor, pending, now }: NewEvents,
    one: PolledEvent,
    save: () => Promise<void>,
  ) {
    const markDelivered = () => {
      markSeen(cursor, one);
      pending.delete(one);
    };
    // Once the cursor is stored, no other poll delivers the event and sends its reply again.
    const beforeSend = async () => {
      markDelivered();
      await save();
    };
    const delivery = new EventDelivery(one.event, one.identity, deliveryLog, {
      ...{ onEvent, onOutcome, timeoutMs },
      prepareReply: (event, reply) => {
        const send = replySender(telephony, event, reply);
        return () => send({ beforeSend });
      },
    });
    const ended = delivery.run().then(({ status }) => {
      if (status === 200) markDelivered();
      if (status === 500) markFailed(cursor, one, now);
      if (one.identity.key in cursor.seen) pending.delete(one);
    });
    return { delivery, ended };
  }

  async function deliverAll(found: NewEvents[], save: () => Promise<void>, { signal }: RunOptions) {
    const all = found.flatMap((of) => [...of.pending].map((one) => ({ of, one })));
    all.sort((a, b) => a.one.createdAt - b.one.createdAt);
    const unfinished = new Set<Promise<void>>();
    for (const [index, { of, one }] of all.entries()) {
      if (signal?.aborted) break;
      const { delivery, ended } = deliverOne(of, one, save);
      unfinished.add(ended);
      void ended.then(() => unfinished.delete(ended));
      // A slow handler doesn't delay the next events. Whether it succeeds is known only when it ends.
      const endedInTime = within(timeoutMs, ended, () => delivery.late.abort());
      await Promise.race([endedInTime, delivery.accepted]);
      if (index % eventsPerSave === eventsPerSave - 1) await save();
    }
    if (unfinished.size > 0) await save();
    await Promise.all(unfinished);
  }

  async function poll(run: RunOptions): Promise<void> {
    let stored = (await cursor.read()) ?? undefined;
    const { account } = telephony;
    if (stored !== undefined && !isReadable(stored))
      onOutcome({ outcome: 'cursor-reset', message: unreadableCursor });
    const known = readCursors(account, stored);
    const begin = () => newCursor(account, Date.now());
    const cursors = Object.fromEntries(ids.map((id) => [id, known[id] ?? begin()]));
    const found: NewEvents[] = [];
    const errors: unknown[] = [];
    async function write() {
      for (const { definition, cursor, pending, ...times } of found)
        advance(definition, cursor, [...pending], times);
      const text = JSON.stringify(cursors);
      if (text !== stored) await cursor.write(text);
      stored = text;
    }
    let last = Promise.resolve();
    // Two writes at once would take each other for another poll's.
    const save = () => {
      last = last.catch(() => {}).then(write);
      return last;
    };
    // Stores when polling of each event began, even if this poll ends before it has read anything.
    await save();
    for (const subscriptions of groupByList(cursors))
      try {
        const ofList = await readNewEvents(telephony, subscriptions, run);
        reportUnreadable(ofList);
        found.push(...ofList);
      } catch (error) {
        errors.push(error);
      }
    for (const { definition } of found.filter(({ isCapped }) => isCapped))
      onOutcome({ outcome: 'postponed', message: tooManyEvents(definition.name) });
    await deliverAll(found, save, run);
    await save();
    if (errors.length > 0) throw errors[0];
  }

  let inProgress: Promise<void> | undefined;
  return async (run) => {
    const checkedRun = checkOptions(run, runOptions);
    inProgress ??= poll(checkedRun).finally(() => {
      inProgress = undefined;
    });
    return inProgress;
  };
}
