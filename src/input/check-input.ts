import type { Operation } from '../definition/operation.ts';
import { checkValues, type Values } from './check-values.ts';

/**
 * The values that an operation would send, in the order of its fields: cleaned, defaults filled in, empty ones left out.
 * Two inputs that ask for the same have the same values, however they were typed.
 *
 * @param operation the definition
 * @param input the values by key, as typed
 * @throws {TelephonyError} with code `input` and the `field` to change
 */
export function checkInput(operation: Operation, input: object): Values {
  const values = checkValues(operation, input, 'input');
  const sent = operation.fields.filter(({ key }) => values[key] !== undefined);
  return Object.fromEntries(sent.map(({ key }) => [key, values[key] as string | number]));
}
