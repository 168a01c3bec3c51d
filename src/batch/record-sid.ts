import type { Action } from '../../generated/definition-types.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { TelephonyRecord } from '../response/read-record.ts';

/** Returns the SID of the record that an action created. */
export const sidIn = ({ result }: Action, record: TelephonyRecord): string =>
  String(record[recordShape(result.of).key]);
