import { TelephonyError } from '../telephony-error.ts';
import { sentenceOf, withSentence } from '../text/sentence-of.ts';
import type { Page } from './list-pages.ts';

export const defaultLimit = 100_000;

/**
 * Ends a list after a number of records. If there are more, the last page has `more: true`.
 *
 * @param limit the most records; 100,000 if not given
 * @throws {TelephonyError} with code `input` if the limit isn't a whole number above 0
 */
export async function* withLimit(
  pages: AsyncGenerator<Page>,
  limit: number = defaultLimit,
): AsyncGenerator<Page> {
  if (!Number.isInteger(limit) || limit < 1)
    throw new TelephonyError('input', 'The limit must be a whole number above 0.', {
      field: 'limit',
    });
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
