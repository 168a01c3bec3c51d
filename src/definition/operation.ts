import type {
  Action,
  DataSource,
  EventDefinition,
  Field,
  RecordField,
  RecordShape,
} from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { Events, Operations } from '../../generated/operations.ts';
import { fieldTypes } from '../field-types/field-types.ts';
import { TelephonyError } from '../telephony-error.ts';
import { inEnglish } from '../text/sentence.ts';

export type Operation = DataSource | Action;

/** A data source that returns a list. */
export type ListSource = DataSource & { result: { list: string } };

/** The type of an operation's definition, by its id. */
export type DefinitionOf<Id extends string> = Id extends keyof Operations
  ? { id: Id } & (Operations[Id]['action'] extends true
      ? Action
      : Operations[Id]['list'] extends true
        ? ListSource
        : DataSource)
  : Operation;

/** Every operation, in the order of the manifest. */
export const operations: readonly Operation[] = [
  ...definitions.dataSources,
  ...definitions.actions,
];

const findOperation = finder('operation', operations);

/**
 * Returns the definition of an operation, to build forms from. Makes no request.
 *
 * @param id the operation's id: the name of its file
 * @throws {TelephonyError} with code `input` if there is none
 */
export function operation<Id extends string>(id: IdOf<KeysOf<Operations>, Id>): DefinitionOf<Id>;
export function operation(id: string): Operation {
  return findOperation(id);
}

/**
 * Returns the list with an id that a definition refers to.
 *
 * @throws {RangeError} if there is none, which the rules for definitions prevent
 */
export function listSource(id: string): ListSource {
  const source = operation(id);
  if (!isList(source)) throw new RangeError(`"${id}" is not a list`);
  return source;
}

/** Whether an operation is an action, which changes something at the service. */
export const isAction = (one: Operation): one is Action =>
  one?.request?.method === 'POST' || one?.request?.method === 'DELETE';

/** Whether an action deletes a record. It can be repeated: what is deleted stays deleted. */
export const isDeletion = (one: Operation): one is Action => one.request.method === 'DELETE';

/** The actions that builders offer for several rows: those that can be undone, and those that say how. */
export const batchActions: readonly Action[] = definitions.actions.filter(
  ({ asks, batch }) => asks === undefined || batch !== undefined,
);

/** Whether an operation returns a list. */
export const isList = (one: Operation): one is ListSource =>
  !isAction(one) && one?.result?.list !== undefined;

/** Whether a field only filters what an operation reads. */
export const isFilter = (one: Operation, { required }: Pick<Field, 'required'>): boolean =>
  !isAction(one) && !required;

/**
 * The action of an id.
 *
 * @throws {TelephonyError} with code `input` if there is none
 */
export function actionOf(id: string): Action {
  const one = operation(id);
  if (!isAction(one)) throw new TelephonyError('input', `"${one.name}" is not an action.`);
  return one;
}

/** Whether there is an action with an id. What an earlier version stored can name one that was removed since. */
export const hasAction = (id: string): boolean => definitions.actions.some((one) => one.id === id);

/** Returns the field for the page size of a list, if it has one. */
export const pageSizeField = ({ fields }: Operation): Field | undefined =>
  fields.find(({ purpose }) => purpose === 'page-size');

/** The service's page size if none is requested. */
export const usualPageSize = 50;

/** Returns the method and the path below the account, for logs. */
export const requestOf = ({ request: { method, path } }: Operation): string => `${method} ${path}`;

/** The same object. Named so that the error of a misspelt field lists the fields: compilers write a type's name with its arguments. */
export type Fields<Of, _Names = Extract<KeysOf<Of>, string>> = { [Key in keyof Of]: Of[Key] };

/** Returns the fields of a data source's records. */
export const recordFields = ({ result }: DataSource): RecordField[] =>
  recordShape(result.of).fields.filter(({ eventsOnly }) => !eventsOnly);

/** Returns the column that identifies a record of a data source. */
export const keyColumn = ({ result }: DataSource): string => recordShape(result.of).key;

/** Returns the field for the page size, if the builder chooses it. */
export function freePageSize(source: DataSource): Field | undefined {
  const field = pageSizeField(source);
  return field?.default === undefined ? field : undefined;
}

/** Returns the fields of a data source that filter records. */
export const filters = ({ fields }: DataSource): Field[] =>
  fields.filter((field) => field.purpose !== 'page-size');

/** Returns the column of a field, or the one that it filters by. */
export const columnOf = ({ key, column }: Pick<Field, 'key' | 'column'>): string => column ?? key;

/** Returns the columns that must have a filter; without it the table is empty. */
export const requiredColumns = ({ fields }: DataSource): string[] =>
  fields.filter((field) => field.required).map(columnOf);

/** Returns the filters whose column isn't among the fields of the records. */
export function filterOnlyFields(source: DataSource): Field[] {
  const columns = new Set(recordFields(source).map((field) => field.key));
  return filters(source).filter((field) => !columns.has(columnOf(field)));
}

/** Returns the fields of a data source's table: those of its records, then the filters whose column these lack. */
export const tableFields = (source: DataSource): (RecordField | Field)[] => [
  ...recordFields(source),
  ...filterOnlyFields(source),
];

/** The id of an event: the name of its file. */
export type EventId = keyof Events;

const findEvent = finder('event', definitions.events);

/**
 * Returns the definition of an event. Makes no request.
 *
 * @param id the event's id: the name of its file
 * @throws {TelephonyError} with code `input` if there is none
 */
export const eventDefinition = (id: string): EventDefinition => findEvent(id);

const findShape = finder('record type', definitions.records);

/**
 * Returns the shape of a kind of record. Its `key` names the field that identifies a record.
 *
 * @param id the shape's id, such as the `of` of an operation's result
 * @throws {TelephonyError} with code `input` if there is none
 */
export const recordShape = (id: string): RecordShape => findShape(id);

/**
 * Returns the column of a data source's records that holds the SID a field expects, such as that of a recording's call.
 *
 * @returns undefined if the records have none
 */
export function sidColumn({ key, type }: Field, source: DataSource): string | undefined {
  if (type !== 'sid') return undefined;
  const shape = recordShape(source.result.of);
  const name = shape.id.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase());
  if (key === `${name}Sid`) return shape.key;
  return recordFields(source).find((field) => field.key === key)?.key;
}

const { requirement, schema } = fieldTypes.sid;
const format = new RegExp(schema.pattern ?? '');
const isSid = (value: unknown): value is string =>
  typeof value === 'string' && format.test(value) && value.length <= (schema.maxLength ?? 0);

/**
 * Returns the SID of a record.
 *
 * @param shapeId the id of the record's shape
 * @param record the record, or its SID
 * @param key the field with the SID, or with that of another record
 * @throws {TelephonyError} with code `input` if it isn't valid
 */
export function sidOf(
  shapeId: string,
  record: string | object,
  key = recordShape(shapeId).key,
): string {
  if (typeof record !== 'string' && (typeof record !== 'object' || record === null))
    throw new TelephonyError('input', 'The record must be an object, or the SID of one.');
  const value: unknown = typeof record === 'string' ? record : Reflect.get(record, key);
  if (!isSid(value))
    throw new TelephonyError('input', `The SID of a record ${inEnglish(requirement({}))}.`);
  return value;
}

/**
 * Returns a function that finds a definition by its id.
 *
 * @param kind what they are, for the error
 * @param all the definitions
 */
export function finder<Of extends { id: string }>(kind: string, all: readonly Of[]) {
  const byId = new Map<unknown, Of>(all.map((one) => [one.id, one]));

  /** @throws {TelephonyError} with code `input` if there is none */
  return (id: unknown): Of => {
    const found = byId.get(id);
    if (found) return found;
    // A JavaScript program may pass any value, even one that can't be converted to text.
    const given = typeof id === 'string' ? id : id === null ? 'null' : typeof id;
    const ids = all.map((one) => one.id).join(', ');
    throw new TelephonyError('input', `Unknown ${kind} "${given}". Choose one of: ${ids}.`);
  };
}

// Written so that the error of a misspelt id lists the ids.
export type KeysOf<Table> = { [Key in keyof Table]-?: Key } extends infer Keys
  ? Keys[keyof Keys]
  : never;

/** The known ids that begin like a misspelt one, or all if none does. Of many ids, an error lists only some, so it should list these. */
type Alike<Known extends string, Id extends string> =
  KeysOf<{
    [One in Known as Id extends `${infer First}${string}`
      ? One extends `${First}${string}`
        ? One
        : never
      : never]: One;
  }> extends infer Found extends string
    ? [Found] extends [never]
      ? Known
      : Found
    : never;

type IsKnown<Known extends string, Id extends string> = { id: Id } extends { id: Known }
  ? true
  : false;

/**
 * A literal id must be a known one. An id that is known only at run time can be any text. A type parameter that extends the known ids is
 * accepted too: for it, compilers compare only the branches that `any` reaches.
 */
export type IdOf<Known extends string, Id extends string> =
  IsKnown<Known, Id> extends false ? (string extends Id ? Id : Alike<Known, Id>) : Id & Known;
