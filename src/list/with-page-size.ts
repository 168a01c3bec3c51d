import { type Operation, pageSizeField, usualPageSize } from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';
import { defaultLimit } from './with-limit.ts';

/**
 * Adds the page size that needs the fewest requests for a number of records, unless the values or the definition have one.
 *
 * @param limit how many records are read at most
 */
export function withPageSize(source: Operation, values: Values, limit = 0): Values {
  const field = pageSizeField(source);
  if (!field || field.default !== undefined || values[field.key] !== undefined) return values;
  // A caller without a real limit, such as a poll, chooses its own page size.
  if (limit <= usualPageSize || limit > defaultLimit) return values;
  return { ...values, [field.key]: Math.min(limit, field.maximum ?? usualPageSize) };
}
