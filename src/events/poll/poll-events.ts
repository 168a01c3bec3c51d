import { definitions } from '../../../generated/definitions.ts';
import { eventDefinition } from '../../definition/event-definition.ts';
import { listSource } from '../../definition/operation.ts';
import { checkOptions, runOptions } from '../../input/check-options.ts';
import type { RunOptions, Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { EventDelivery } from '../deliver/event-delivery.ts';
import type { EventOutcome } from '../deliver/event-options.ts';
import { memoryDeliveryLog } from '../deliver/stored-delivery-log.ts';
import { within } from '../deliver/within.ts';
import { handlerOptions } from '../receive/receive-events.ts';
import {
  advance,
  type Cursors,
  fail,
  isWhole,
  newCursor,
  newsOf,
  readCursors,
  readFrom,
  settle,
} from './cursor.ts';
import { PendingEvents } from './pending-events.ts';
import type { CursorStore, PollOptions } from './poll-options.ts';
import { madeAt, type PolledEvent, polledEvent } from './polled-event.ts';
import { type Polled, readList, type Shown } from './read-list.ts';
import { withFiles } from './with-files.ts';

/**
 * Polls once and delivers what is new. Resolves when `onEvent` has ended for each new event. A call during another one joins it.
 * Its signal ends it after the event that is being delivered; the next poll delivers the rest.
 *
 * @throws {TelephonyError} if a list could not be read: events of other lists were delivered, and the next call continues where this
 *   one began
 */
export type PollEvents = (options?: RunOptions) => Promise<void>;

const pollOptions = { ...handlerOptions, events: 'list', cursor: ['read', 'write'] } as const;

/** After how many events the cursor is stored. */
const atATime = 1_000;

const unread =
  'The stored polling cursor is unreadable. Polling starts from now; events since the last poll are skipped.';

const tooMany = (name: string) =>
  `There are too many new events “${name}” for one poll. The oldest are delivered now, the others with the next polls.`;

/** The events that can be polled, because a list shows them. */
export const polledEvents = definitions.events.filter(({ polled }) => polled);

function assertPollable(id: string) {
  const { name, polled } = eventDefinition(id);
  if (!polled)
    throw new TelephonyError('input', `“${name}” shows in no list: it cannot be asked for.`);
}

/** What is new of an event, and not yet told. */
interface News extends Polled {
  pending: Set<PolledEvent>;
  /** What time it was at the service. */
  now: number;
  /** When the newest record was made of those that need not be read again; where there is none, what time it was here. */
  newest: number;
  /** Whether some wait for the next poll, so that memory suffices. */
  isCapped: boolean;
}

function inThisProcess(): CursorStore {
  let kept: string | undefined;
  return {
    read: () => kept,
    write: (soFar) => {
      kept = soFar;
    },
  };
}

/** The events by the list that they show in: one that shows several is read once. */
function byList(cursors: Cursors): Polled[][] {
  const lists = new Map<string, Polled[]>();
  for (const [id, cursor] of Object.entries(cursors)) {
    const definition = eventDefinition(id);
    const list = definition.polled?.source ?? '';
    lists.set(list, [...(lists.get(list) ?? []), { definition, cursor }]);
  }
  return [...lists.values()];
}

/** What one event finds in a list, page by page. */
class Finds {
  readonly pending = new PendingEvents();
  #now = Date.now();
  #newest = -Infinity;
  #records = 0;

  constructor(private readonly polled: Polled) {}

  add({ records, now }: Shown) {
    const { definition, cursor } = this.polled;
    this.#now = now;
    const from = readFrom(definition, cursor, now);
    for (const record of records) {
      const made = madeAt(definition, record);
      if (made >= from) this.#records += 1;
      if (made > this.#newest) this.#newest = made;
    }
    const shown = records.flatMap((record) => polledEvent(definition, record) ?? []);
    for (const one of newsOf(definition, cursor, shown, now).reverse()) this.pending.add(one);
  }

  news(): News {
    const { cursor } = this.polled;
    cursor.records = this.#records;
    const { postponedFrom } = this.pending;
    const newest = Number.isFinite(this.#newest) ? this.#newest : Date.now();
    return {
      ...{ ...this.polled, pending: new Set(this.pending.all()), now: this.#now },
      // What is postponed is to be found again.
      newest: Math.min(newest, postponedFrom - 1),
      isCapped: Number.isFinite(postponedFrom),
    };
  }
}

async function readNews(
  telephony: Telephony,
  list: Polled[],
  options: RunOptions,
): Promise<News[]> {
  const source = listSource(list[0]?.definition.polled?.source ?? '');
  const seen = list.map(({ cursor }) => ({ ...cursor.seen }));
  const finds = list.map((polled) => new Finds(polled));
  try {
    for await (const shown of readList(telephony, source, list, options))
      for (const one of finds) one.add(shown);
  } catch (fault) {
    // What was read of a list that can't be read to its end would pile up.
    list.forEach(({ cursor }, index) => {
      cursor.seen = seen[index] ?? {};
    });
    throw fault;
  }
  return finds.map((one) => one.news());
}

/**
 * Returns a function that polls for events, for an app that the service can't reach. It reads the lists in which events appear and
 * delivers each event once, the oldest first, with the record as it is now. What was there before the first poll is not delivered.
 * A reply goes to no one. Costs one request per list and poll.
 *
 * With the delivery log of `receiveEvents`, events that also arrive by webhook are delivered once.
 *
 * @param telephony the account
 * @param options which events, their handler, and where the cursor is stored
 * @throws {TelephonyError} with code `input` for what is no event
 */
export function pollEvents(telephony: Telephony, options: PollOptions): PollEvents {
  const checked = checkOptions<PollOptions>(options, pollOptions, ['onEvent']);
  if (typeof telephony?.pages !== 'function')
    throw new TelephonyError('input', 'The first argument must be what connect() returns.');
  const {
    deliveryLog = memoryDeliveryLog(),
    timeoutMs = 10_000,
    cursor = inThisProcess(),
  } = checked;
  const ids = checked.events ?? polledEvents.map(({ id }) => id);
  ids.forEach(assertPollable);

  function onOutcome(what: EventOutcome) {
    try {
      checked.onOutcome?.(what);
    } catch {
      // A log that fails takes no event away.
    }
  }

  const onEvent: PollOptions['onEvent'] = async (event, about) => {
    const complete = await withFiles(telephony, event, { signal: about.signal });
    return checked.onEvent(complete, about);
  };

  /** Resolves when the event was delivered, or could not be. */
  async function tellOne(
    { cursor, pending, now }: News,
    one: PolledEvent,
    delivery: EventDelivery,
  ) {
    const { status } = await delivery.run();
    if (status === 200) settle(cursor, one);
    if (status === 500) fail(cursor, one, now);
    if (one.note.key in cursor.seen) pending.delete(one);
  }

  async function tellAll(news: News[], save: () => Promise<void>, { signal }: RunOptions) {
    const all = news.flatMap((of) => [...of.pending].map((one) => ({ of, one })));
    all.sort((a, b) => a.one.made - b.one.made);
    const slow: Promise<void>[] = [];
    for (const [index, { of, one }] of all.entries()) {
      if (signal?.aborted) break;
      const delivery = new EventDelivery(one.event, one.note, deliveryLog, {
        onEvent,
        onOutcome,
        timeoutMs,
      });
      const told = tellOne(of, one, delivery);
      // The next events need not wait for a slow one. Only its own end says whether it was delivered.
      await within(timeoutMs, told, () => {
        delivery.late.abort();
        slow.push(told);
      });
      if (index % atATime === atATime - 1) await save();
    }
    if (slow.length > 0) await save();
    await Promise.all(slow);
  }

  async function poll(run: RunOptions): Promise<void> {
    let kept = (await cursor.read()) ?? undefined;
    const { account } = telephony;
    if (kept !== undefined && !isWhole(kept))
      onOutcome({ outcome: 'cursor-reset', message: unread });
    const known = readCursors(account, kept);
    const begin = () => newCursor(account, Date.now());
    const cursors = Object.fromEntries(ids.map((id) => [id, known[id] ?? begin()]));
    const news: News[] = [];
    const faults: unknown[] = [];
    async function save() {
      for (const { definition, cursor, pending, ...times } of news)
        advance(definition, cursor, [...pending], times);
      const text = JSON.stringify(cursors);
      if (text !== kept) await cursor.write(text);
      kept = text;
    }
    // The start of polling an event counts for other polls too, even if this one ends before it has read.
    await save();
    for (const list of byList(cursors))
      try {
        news.push(...(await readNews(telephony, list, run)));
      } catch (fault) {
        faults.push(fault);
      }
    for (const { definition } of news.filter(({ isCapped }) => isCapped))
      onOutcome({ outcome: 'postponed', message: tooMany(definition.name) });
    await tellAll(news, save, run);
    await save();
    if (faults.length > 0) throw faults[0];
  }

  let underWay: Promise<void> | undefined;
  return async (run) => {
    const checkedRun = checkOptions(run, runOptions);
    underWay ??= poll(checkedRun).finally(() => {
      underWay = undefined;
    });
    return underWay;
  };
}
