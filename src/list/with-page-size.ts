import { type Operation, pageSizeField, usualPageSize } from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';
import { defaultLimit } from './limited.ts';

/**
 * Adds the page size that takes the fewest requests to read a number of records, unless the values or the definition have one.
 *
 * @param limit how many records are to be read
 */
export function withPageSize(source: Operation, values: Values, limit = 0): Values {
  const field = pageSizeField(source);
  if (!field || field.default !== undefined || values[field.key] !== undefined) return values;
  // Whoever reads without an end, such as a poll, chooses the size of its pages itself.
  if (limit <= usualPageSize || limit > defaultLimit) return values;
  return { ...values, [field.key]: Math.min(limit, field.maximum ?? usualPageSize) };
}
