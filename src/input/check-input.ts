import type { Operation } from '../definition/operation.ts';
import type { CleanPhone } from '../field-types/clean-phone.ts';
import { checkValues, type Values } from './check-values.ts';

/**
 * The values that an operation would send, in the order of its fields: cleaned, defaults filled in, empty ones left out.
 * Two inputs that ask for the same have the same values, however they were typed.
 *
 * @param operation the definition
 * @param input the values by key, as typed
 * @param clean what cleans phone numbers, where national ones are to be completed
 * @throws {TelephonyError} with code `input` and the `field` to change
 */
export function checkInput(operation: Operation, input: object, clean?: CleanPhone): Values {
  const values = checkValues(operation, input, 'input', clean);
  const sent = operation.fields.filter(({ key }) => values[key] !== undefined);
  return Object.fromEntries(sent.map(({ key }) => [key, values[key] as string | number]));
}
