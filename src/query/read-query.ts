import { isFilter, type Operation, pageSizeField } from '../definition/operation.ts';
import { isBlank } from '../input/check-values.ts';
import { TelephonyError } from '../telephony-error.ts';
import { limitField, usualLimit, wildcard } from './query-fields.ts';

/**
 * Reads the input of an operation from a query. Builders fill in an empty text, or nothing, for a binding without a value, so an empty filter is an
 * error: without it, the list would have everyone's records.
 *
 * @throws {TelephonyError} with the `field` that is empty
 */
export function readInput(operation: Operation, query: Record<string, unknown>): object {
  const input: Record<string, unknown> = {};
  for (const field of operation.fields) {
    const { key, label } = field;
    if (field === pageSizeField(operation) || !Object.hasOwn(query, key)) continue;
    const value = query[key];
    if (isFilter(operation, field)) {
      if (value === wildcard) continue;
      if (isBlank(value))
        throw new TelephonyError(
          'input',
          `“${label}” is empty. Enter a value, or ${wildcard} for all.`,
          {
            field: key,
          },
        );
    }
    if (!isBlank(value)) input[key] = value;
  }
  return input;
}

/**
 * Returns how many records a query asks for.
 *
 * @throws {TelephonyError} if that isn't a positive whole number
 */
export function readLimit({ [limitField]: limit }: Record<string, unknown>): number {
  if (isBlank(limit)) return usualLimit;
  const isNumber =
    typeof limit === 'number' || (typeof limit === 'string' && /^[\d\s]+$/.test(limit));
  const count = isNumber ? Number(limit) : 0;
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new TelephonyError('input', '“Limit” must be a whole number, such as 100.', {
    field: limitField,
  });
}
