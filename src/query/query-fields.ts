import type { Field } from '../../generated/definition-types.ts';
import { isFilter, isList, type Operation, pageSizeField } from '../definition/operation.ts';
import { isBlank } from '../input/check-values.ts';
import { TelephonyError } from '../telephony-error.ts';

/** The field for how many records a list returns. */
export const limitField = 'limit';

/** How many records a list returns if its limit is empty. */
export const usualLimit = 100;

/** A filter's value that matches all records. */
export const wildcard = '*';

/** A field of a query's form, for builders whose queries are forms of texts. */
export interface QueryField {
  key: string;
  label: string;
  /** The operation's field; none for the limit. */
  field?: Field;
}

/** The fields of an operation's query: its own except the page size, and for lists a limit. */
export function queryFields(operation: Operation): QueryField[] {
  const fields = operation.fields.filter((field) => field !== pageSizeField(operation));
  return [
    ...fields.map((field) => {
      const { key, label } = field;
      return {
        key,
        label: isFilter(operation, field) ? `${label} (${wildcard} for all)` : label,
        field,
      };
    }),
    ...(isList(operation)
      ? [{ key: limitField, label: `Limit (${usualLimit} if empty)` } satisfies QueryField]
      : []),
  ];
}

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
