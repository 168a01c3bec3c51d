import type { TelephonyRecord } from '../response/read-record.ts';

/** The outcome of a row. */
export interface RowEnd {
  outcome: 'done' | 'already-done' | 'failed' | 'opted-out' | 'unknown' | 'not-run';
  record?: TelephonyRecord;
  error?: unknown;
}
