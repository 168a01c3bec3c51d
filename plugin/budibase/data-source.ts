import { type DataSource, isList, type Telephony } from '../../src/builder.ts';

/** Reads a record, or up to `limit` records of a list. */
export async function read(
  telephony: Telephony,
  source: DataSource,
  input: object,
  limit: number,
  signal: AbortSignal,
): Promise<object[]> {
  if (!isList(source)) return [await telephony.run(source.id, input, { signal })];
  const records: object[] = [];
  for await (const record of telephony.records(source.id, input, { limit, signal }))
    records.push(record);
  return records;
}
