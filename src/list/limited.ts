import { TelephonyError } from '../telephony-error.ts';
import type { Page } from './list-pages.ts';

const defaultLimit = 100_000;

/**
 * The pages of a list up to a number of records. When there are more, the last page says so.
 *
 * @param pages the pages
 * @param limit the most records; 100,000 if not given
 * @throws {TelephonyError} with code `input` for what is no limit
 */
export async function* limited(
  pages: AsyncGenerator<Page>,
  limit: number = defaultLimit,
): AsyncGenerator<Page> {
  if (!Number.isInteger(limit) || limit < 1)
    throw new TelephonyError('input', 'The limit must be a whole number above 0.');
  let left = limit;
  for await (const { records, more } of pages) {
    const full = records.length >= left;
    yield { records: records.slice(0, left), more: more || records.length > left };
    left -= records.length;
    if (full) return;
  }
}
