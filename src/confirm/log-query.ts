import type { Action, ConfirmedBy } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import { oncePer } from '../async/once.ts';
import {
  type ListSource,
  listSource,
  pageSizeField,
  recordShape,
} from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';
import type { TelephonyRecord } from '../response/read-record.ts';
import { storeHash } from '../store/row-store.ts';

/** One page usually suffices, because the record is among the newest. */
const pageSize = 100;

/** How to find the record of an action in the service's log. */
export interface LogQuery {
  /** The list that is the log. */
  source: ListSource;
  /** The filter of the list. */
  values(): Values;
  /** Whether a record has the values of the action, whenever it was created. */
  matches(record: TelephonyRecord): boolean;
  /** When the service created a record. */
  createdAt(record: TelephonyRecord): Date | undefined;
  keyOf(record: TelephonyRecord): string;
  /** A hash that is the same for all actions of the log whose records could be confused. */
  hash: string;
  /** Of these, a hash of those that mean the same. */
  identity: string;
  /** Whether the record of any of these could be the one of the action, because its inputs don't identify it. */
  isVague: boolean;
}

/** The fields that some actions with the same log all require. */
function commonFields(source: string, isWanted: (log: ConfirmedBy) => boolean = () => true) {
  const logs = definitions.actions.flatMap(({ confirmedBy }: Action) => confirmedBy ?? []);
  const [first = [], ...rest] = logs
    .filter((log) => log.source === source && isWanted(log))
    .map(({ fields }) => fields);
  return first.filter((field) => rest.every((fields) => fields.includes(field))).sort();
}

/** Of all actions with the same log, and of those whose inputs identify their record. */
const fieldsOf = oncePer((source: string) => ({
  all: commonFields(source),
  identifying: commonFields(source, ({ alone }) => !alone),
}));

const hashOf = (source: string, fields: string[], values: Values) =>
  storeHash(source, ...fields.map((one) => JSON.stringify(values[one])));

// Compares exactly: a number in another notation could be someone else's.
function matcherOf(keys: string[], { unless }: ConfirmedBy, values: Values) {
  return (record: TelephonyRecord) =>
    keys.every((key) => record[key] === values[key]) &&
    !unless?.values.some((value) => record[unless.field] === value);
}

/**
 * Returns the query that finds the record of an action.
 *
 * @param action the definition
 * @param values the checked values of its fields
 * @returns undefined if the action can't be confirmed in a log
 */
export function logQueryOf({ confirmedBy, result }: Action, values: Values): LogQuery | undefined {
  if (!confirmedBy?.fields.every((key) => values[key] !== undefined)) return undefined;
  const { also = [], fields } = confirmedBy;
  const keys = [...fields, ...also.filter((one) => values[one] !== undefined)];
  const source = listSource(confirmedBy.source);
  const { all, identifying } = fieldsOf(source.id);
  const isVague = confirmedBy.alone ?? false;
  const { key } = recordShape(result.of);
  return {
    source,
    values() {
      const filters = source.fields.filter((field) => keys.includes(field.key));
      const size = pageSizeField(source);
      return {
        ...Object.fromEntries(filters.map((field) => [field.key, values[field.key] ?? ''])),
        ...(size && { [size.key]: pageSize }),
      };
    },
    matches: matcherOf(keys, confirmedBy, values),
    createdAt(record) {
      const date = record[confirmedBy.since];
      return date instanceof Date ? date : undefined;
    },
    keyOf: (record) => String(record[key]),
    hash: hashOf(source.id, all, values),
    identity: hashOf(source.id, isVague ? Object.keys(values).sort() : identifying, values),
    isVague,
  };
}
