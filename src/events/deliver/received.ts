import type { EventDefinition } from '../../../generated/definition-types.ts';
import type { TelephonyRecord } from '../../response/read-record.ts';

/** Sets the dates of a record that mean the time of receipt, if the service sent none. */
export function received(
  { receivedAt }: EventDefinition,
  record: TelephonyRecord,
  at: Date,
): TelephonyRecord {
  const missing = (receivedAt ?? []).filter((key) => record[key] === null);
  return { ...record, ...Object.fromEntries(missing.map((key) => [key, at])) };
}
