import {
  type ListSource,
  type Operation,
  pageSizeField,
  usualPageSize,
} from '../definition/operation.ts';
import type { Values } from '../input/check-values.ts';
import { sentenceOf, withSentence } from '../text/sentence.ts';
import type { Page } from './list-pages.ts';

const defaultLimit = 100_000;

/**
 * Ends a list after a number of records. If there are more, the last page has `more: true`.
 *
 * @param limit the most records, a whole number above 0; 100,000 if not given
 */
export async function* withLimit(
  pages: AsyncGenerator<Page>,
  limit: number = defaultLimit,
): AsyncGenerator<Page> {
  let left = limit;
  for await (const page of pages) {
    const { records, more } = page;
    const isFull = records.length >= left;
    const said = sentenceOf(page);
    const cut = { ...page, records: records.slice(0, left), more: more || records.length > left };
    yield said ? withSentence(cut, said) : cut;
    left -= records.length;
    if (isFull) return;
  }
}

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

/** Returns the value that requests the largest pages of a list. */
export function largestPageSize(source: ListSource): Values {
  const size = pageSizeField(source);
  return size?.maximum === undefined ? {} : { [size.key]: size.maximum };
}
