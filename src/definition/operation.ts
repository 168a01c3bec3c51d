import type { Action, DataSource, Field } from '../../generated/definition-types.ts';
import { definitions } from '../../generated/definitions.ts';
import type { Operations } from '../../generated/operations.ts';
import { TelephonyError } from '../telephony-error.ts';
import { finder } from './finder.ts';
import type { IdOf, KeysOf } from './id-of.ts';

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

const find = finder('operation', operations);

/**
 * Returns the definition of an operation, to build forms from. Makes no request.
 *
 * @param id the operation's id: the name of its file
 * @throws {TelephonyError} with code `input` if there is none
 */
export function operation<Id extends string>(id: IdOf<KeysOf<Operations>, Id>): DefinitionOf<Id>;
export function operation(id: string): Operation {
  return find(id);
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
export const isAction = (one: Operation): one is Action => one?.request?.method === 'POST';

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
