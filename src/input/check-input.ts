import type { Operation } from '../definition/operation.ts';
import type { CleanPhone } from '../field-types/clean-phone.ts';
import { checkValues, type Values } from './check-values.ts';

/**
 * Returns the values that an operation would send, in the order of its fields: cleaned, with defaults, without empty ones. Inputs that mean
 * the same have the same values, however they were entered.
 *
 * @param operation the definition
 * @param input the values by key, as entered
 * @param clean cleans phone numbers, if national ones are to be completed
 * @throws {TelephonyError} with code `input` and the `field` to change
 */
export function checkInput(operation: Operation, input: object, clean?: CleanPhone): Values {
  const values = checkValues(operation, input, 'input', clean);
  const sent = operation.fields.filter(({ key }) => values[key] !== undefined);
  return Object.fromEntries(sent.map(({ key }) => [key, values[key] as string | number]));
}
