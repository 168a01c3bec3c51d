import {
  type DataSource,
  definitions,
  freePageSize,
  isList,
  keyColumn,
  type Telephony,
  type TelephonyRecord,
} from '../../../../src/builder.ts';

/** So few records are quickly asked for one by one. */
const few = 10;

/** Reading so many more records of a list is worth it to find one of them: of the requests for each, it takes a tenth. */
const worthOne = 100;

/** How many records of a list are searched. */
const farthest = 20_000;

/** A list of the same kind of records that needs no filter, in pages of any size. */
const listOf = (source: DataSource): DataSource | undefined =>
  definitions.dataSources.find(
    (other) =>
      isList(other) &&
      other.result.of === source.result.of &&
      freePageSize(other) !== undefined &&
      !other.fields.some(({ required }) => required),
  );

/**
 * Looks for many records in the list of all of them, where one request finds up to a thousand.
 *
 * @param source a data source of the records
 * @param keys the keys of the records
 * @returns those that were found, by their keys; none when there are only a few to be found
 */
export async function listedRecords(
  telephony: Telephony,
  source: DataSource,
  keys: string[],
  signal: AbortSignal,
): Promise<Map<string, TelephonyRecord>> {
  const found = new Map<string, TelephonyRecord>();
  const list = keys.length > few ? listOf(source) : undefined;
  const size = list && freePageSize(list);
  if (!list || !size) return found;
  const wanted = new Set(keys);
  const limit = Math.min(keys.length * worthOne, farthest);
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
