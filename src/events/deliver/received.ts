import type { EventDefinition } from '../../../generated/definition-types.ts';
import type { TelephonyRecord } from '../../response/read-record.ts';

/** A record with the time of receipt in those of its dates that mean it, where the service gave none. */
export function received(
  { receivedAt }: EventDefinition,
  record: TelephonyRecord,
  at: Date,
): TelephonyRecord {
  const missing = (receivedAt ?? []).filter((key) => record[key] === null);
  return { ...record, ...Object.fromEntries(missing.map((key) => [key, at])) };
}
