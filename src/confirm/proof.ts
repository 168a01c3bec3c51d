import type { Action, ConfirmedBy } from '../../generated/definition-types.ts';
import type { TelephonyRecord } from '../answer/read-record.ts';
import { type ListSource, listSource, pageSizeField } from '../definition/operation.ts';
import { recordShape } from '../definition/record-shape.ts';
import type { Values } from '../input/check-values.ts';

/** The page size: the record is among the newest. */
const pageSize = 100;

/** Where the record of something done is, and how it is known. */
export interface Proof {
  source: ListSource;
  /** The filter of the list. */
  values: Values;
  /** Whether a record fits the action, whenever it was created. */
  fits(record: TelephonyRecord): boolean;
  /** When the service made a record. */
  madeAt(record: TelephonyRecord): Date | undefined;
  /** What tells a record from all others. */
  keyOf(record: TelephonyRecord): string;
}

// To the letter: a number that the service wrote in another way may be somebody else's.
function sameBy(keys: string[], { unless }: ConfirmedBy, values: Values) {
  return (record: TelephonyRecord) =>
    keys.every((key) => record[key] === values[key]) &&
    !unless?.values.some((value) => record[unless.field] === value);
}

/**
 * What would prove that an action was done; undefined for one that leaves nothing to look for.
 *
 * @param action the definition
 * @param values the checked values of its fields
 */
export function proofOf({ confirmedBy, result }: Action, values: Values): Proof | undefined {
  if (!confirmedBy?.fields.every((key) => values[key] !== undefined)) return undefined;
  const { also = [], fields } = confirmedBy;
  const keys = [...fields, ...also.filter((one) => values[one] !== undefined)];
  const source = listSource(confirmedBy.source);
  const { key } = recordShape(result.of);
  const asked = source.fields.filter((field) => keys.includes(field.key));
  const size = pageSizeField(source);
  return {
    source,
    values: {
      ...Object.fromEntries(asked.map((field) => [field.key, values[field.key] ?? ''])),
      ...(size && { [size.key]: pageSize }),
    },
    fits: sameBy(keys, confirmedBy, values),
    madeAt(record) {
      const date = record[confirmedBy.since];
      return date instanceof Date ? date : undefined;
    },
    keyOf: (record) => String(record[key]),
  };
}
