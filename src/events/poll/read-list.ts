import type { EventDefinition } from '../../../generated/definition-types.ts';
import { type ListSource, requestOf, usualPageSize } from '../../definition/operation.ts';
import { largestPageSize } from '../../list/limit.ts';
import type { TelephonyRecord } from '../../response/read-record.ts';
import type { RunOptions, Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { sentence } from '../../text/sentence.ts';
import { type Cursor, readFrom } from './cursor.ts';
import { creationTime, lastChange } from './polled-event.ts';

/** A polled event and its cursor. */
export interface Subscription {
  definition: EventDefinition;
  cursor: Cursor;
}

/** A page of a list, newest record first, and the service's time when it was read. */
export interface ListPage {
  records: TelephonyRecord[];
  /** How many records of the list, up to this page, can't be read. */
  unreadable: number;
  now: number;
}

/** The most that one poll reads of a list, in case the list never ends. */
const maxPages = 5_000;
const maxRecords = 200_000;

/** Returns when the newest record was created, in milliseconds since 1970; -Infinity if no record says. */
const newestOf = (subscriptions: Subscription[], records: TelephonyRecord[]): number =>
  subscriptions
    .flatMap(({ definition }) => records.map((record) => creationTime(definition, record)))
    .filter(Number.isFinite)
    .reduce((a, b) => Math.max(a, b), -Infinity);

/**
 * Reads a list page by page, one in memory at a time, as far back as its events need. Doesn't filter by date, because messages that weren't
 * sent and calls that weren't answered lack the dates that the service filters by.
 *
 * @param subscriptions the polled events that the list shows
 * @throws {TelephonyError} of a request; `bad-answer` if the list doesn't end or its records have no creation time
 */
export async function* readList(
  telephony: Telephony,
  source: ListSource,
  subscriptions: Subscription[],
  options: RunOptions,
): AsyncGenerator<ListPage> {
  // Small pages suffice, and transfer less, if the last poll had few records.
  const needsLargePages = subscriptions.some(({ cursor }) => cursor.records >= usualPageSize);
  const input = needsLargePages ? largestPageSize(source) : {};
  let now = Date.now();
  let newest = -Infinity;
  let [pages, records] = [0, 0];
  for await (const page of telephony.pages(source.id, input, {
    ...options,
    // The events of records behind the default limit would never be delivered.
    limit: Number.MAX_SAFE_INTEGER,
  })) {
    pages += 1;
    records += page.records.length;
    newest = Math.max(newest, newestOf(subscriptions, page.records));
    // A response can be dated far in the past. By that clock, all records would look new.
    now = Math.max((await telephony.now()).getTime(), newest);
    yield { records: page.records, unreadable: page.unreadable ?? 0, now };
    if (subscriptions.every((one) => isPast(one, page.records, now))) return;
    if (pages >= maxPages || records >= maxRecords) throw endlessList();
  }

  function endlessList() {
    return new TelephonyError(
      'bad-answer',
      sentence(
        '“{name}” is too long to poll: it has more than {records} records or {pages} pages. None of its events were delivered; the next poll starts again.',
        { name: { text: source.name }, records: maxRecords, pages: maxPages },
      ),
      { request: requestOf(source) },
    );
  }

  /** Whether a page ends before the records that an event needs. */
  function isPast(
    { definition, cursor }: Subscription,
    page: TelephonyRecord[],
    at: number,
  ): boolean {
    const times = page.map((record) => creationTime(definition, record));
    if (times.length > 0 && times.every(Number.isNaN))
      throw new TelephonyError(
        'bad-answer',
        sentence("The service's records have no creation time, so “{name}” cannot be polled.", {
          name: { text: definition.name },
        }),
        { request: requestOf(source) },
      );
    const last = page.at(-1);
    // A record that was sent long after its creation can be among newer ones. So its last change counts.
    return last !== undefined && lastChange(last) < readFrom(definition, cursor, at);
  }
}
