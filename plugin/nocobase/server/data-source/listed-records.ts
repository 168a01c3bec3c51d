import {
  type DataSource,
  freePageSize,
  keyColumn,
  type Telephony,
  type TelephonyRecord,
} from '../../../../src/builder.ts';
import { listOf } from '../../relations.ts';

/** Up to this many records are fetched one by one. */
const maxSingleReads = 10;

/**
 * How many list records to read for each wanted record. In pages of a thousand, this takes a tenth of the requests that
 * fetching them one by one takes.
 */
const readsPerKey = 100;

/** The maximum number of list records to search. */
const maxReads = 20_000;

/**
 * Searches the list of all records for many keys: one request reads up to a thousand records.
 *
 * @param source a data source with these records
 * @param keys the keys of the wanted records
 * @returns the records found, by key; empty if there are only a few keys
 */
export async function listedRecords(
  telephony: Telephony,
  source: DataSource,
  keys: string[],
  signal: AbortSignal,
): Promise<Map<string, TelephonyRecord>> {
  const found = new Map<string, TelephonyRecord>();
  const list = keys.length > maxSingleReads ? listOf(source.result.of) : undefined;
  const size = list && freePageSize(list);
  if (!list || !size) return found;
  const wanted = new Set(keys);
  const limit = Math.min(keys.length * readsPerKey, maxReads);
  const pages = telephony.pages(list.id, { [size.key]: size.maximum }, { limit, signal });
  for await (const { records } of pages) {
    for (const record of records) {
      const key = String(record[keyColumn(list)]);
      if (wanted.delete(key)) found.set(key, record);
    }
    if (wanted.size === 0) break;
  }
  return found;
}
