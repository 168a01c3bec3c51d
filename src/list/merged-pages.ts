import type { RecordShape } from '../../generated/definition-types.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import type { Page } from './list-pages.ts';

/** A list that is being read. */
class Reading {
  /** The records that were read but not yet taken. */
  records: TelephonyRecord[] = [];
  more = true;

  constructor(private readonly pages: AsyncGenerator<Page>) {}

  /** Whether the next record can only be known after another request. */
  get isWaiting(): boolean {
    return this.more && this.records.length === 0;
  }

  async readPage(): Promise<void> {
    const { done, value } = await this.pages.next();
    this.more = !done && value.more;
    this.records = done ? [] : [...value.records];
  }
}

/**
 * Merges lists of the same records into one, newest first. A record that changed meanwhile, and so is in two of them, is yielded once.
 * Keeps one page of each list in memory. A page can be empty.
 *
 * @param lists each sorted by the time of creation, newest first
 */
export async function* mergedPages(
  lists: AsyncGenerator<Page>[],
  { key, createdAt }: RecordShape,
): AsyncGenerator<Page> {
  const [only] = lists;
  if (only && lists.length === 1) return yield* only;
  const readings = lists.map((pages) => new Reading(pages));
  const timeOf = (record: TelephonyRecord | undefined) =>
    record ? Number(createdAt && record[createdAt]) || 0 : Number.NEGATIVE_INFINITY;
  /** The keys of the records of one moment. */
  const yielded = new Set<unknown>();
  let moment = Number.NaN;

  /** Takes the newest record, unless it was yielded before. */
  function takeNewest(): TelephonyRecord[] {
    const times = readings.map(({ records }) => timeOf(records[0]));
    const newest = Math.max(...times);
    const record = readings[times.indexOf(newest)]?.records.shift();
    if (newest !== moment) yielded.clear();
    moment = newest;
    if (!record || yielded.has(record[key])) return [];
    yielded.add(record[key]);
    return [record];
  }

  for (let more = true; more; ) {
    await Promise.all(readings.filter((one) => one.isWaiting).map((one) => one.readPage()));
    const records: TelephonyRecord[] = [];
    while (readings.some((one) => one.records.length > 0) && !readings.some((one) => one.isWaiting))
      records.push(...takeNewest());
    more = readings.some((one) => one.more);
    yield { records, more };
  }
}
