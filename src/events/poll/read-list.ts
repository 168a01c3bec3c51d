import type { EventDefinition } from '../../../generated/definition-types.ts';
import type { TelephonyRecord } from '../../answer/read-record.ts';
import { type ListSource, requestOf, usualPageSize } from '../../definition/operation.ts';
import { largestPageSize } from '../../list/largest-page-size.ts';
import type { RunOptions, Telephony } from '../../telephony.ts';
import { TelephonyError } from '../../telephony-error.ts';
import { type Cursor, readFrom } from './cursor.ts';
import { changedAt, madeAt } from './polled-event.ts';

/** A polled event and its cursor. */
export interface Polled {
  definition: EventDefinition;
  cursor: Cursor;
}

/** What a page of a list showed, the newest first, and what time it then was at the service. */
export interface Shown {
  records: TelephonyRecord[];
  now: number;
}

/** A list that has more to read in one poll is one that never ends. */
const mostPages = 5_000;
const mostRecords = 200_000;

/** When the newest of records was made, in milliseconds since 1970; -Infinity where none says so. */
const newestOf = (polled: Polled[], records: TelephonyRecord[]): number =>
  polled
    .flatMap(({ definition }) => records.map((record) => madeAt(definition, record)))
    .filter(Number.isFinite)
    .reduce((a, b) => Math.max(a, b), -Infinity);

/**
 * Reads a list page by page, one in memory at a time, as far back as one of its events needs. A list is not asked by date: what was not sent, or was not answered, has
 * none of the dates that services filter by.
 *
 * @param polled the events that show in it
 * @throws {TelephonyError} `bad-answer` for a list that never ends
 */
export async function* readList(
  telephony: Telephony,
  source: ListSource,
  polled: Polled[],
  options: RunOptions,
): AsyncGenerator<Shown> {
  // Few records take a small page, so that little is sent where little happens.
  const isLarge = polled.some(({ cursor }) => cursor.records >= usualPageSize);
  let now = Date.now();
  let newest = -Infinity;
  let [pages, records] = [0, 0];
  for await (const page of telephony.pages(source.id, isLarge ? largestPageSize(source) : {}, {
    ...options,
    // What is behind the most that is read unless asked for would never be told.
    limit: Number.MAX_SAFE_INTEGER,
  })) {
    pages += 1;
    records += page.records.length;
    newest = Math.max(newest, newestOf(polled, page.records));
    // An answer can be dated far behind, and then all that is there would look as if it came just now.
    now = Math.max((await telephony.now()).getTime(), newest);
    yield { records: page.records, now };
    if (polled.every((one) => isPast(one, page.records, now))) return;
    if (pages >= mostPages || records >= mostRecords) throw endless();
  }

  function endless() {
    const most = `${mostRecords.toLocaleString('en-US')} records or ${mostPages.toLocaleString('en-US')} pages`;
    return new TelephonyError(
      'bad-answer',
      `“${source.name}” has more than ${most} to read in one poll. Polling it stopped and none of its events were delivered; the next poll starts again.`,
      { request: requestOf(source) },
    );
  }

  function isPast({ definition, cursor }: Polled, page: TelephonyRecord[], at: number): boolean {
    const times = page.map((record) => madeAt(definition, record));
    if (times.length > 0 && times.every(Number.isNaN))
      throw new TelephonyError(
        'bad-answer',
        `The service's records have no creation time, so “${definition.name}” cannot be polled.`,
        { request: requestOf(source) },
      );
    const last = page.at(-1);
    // What was made long before it was sent can stand among what was made when it was sent.
    return last !== undefined && changedAt(last) < readFrom(definition, cursor, at);
  }
}
