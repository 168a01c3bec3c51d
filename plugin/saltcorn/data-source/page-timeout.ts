import type { PageRequest } from '@saltcorn/data/db';
import { oncePer, sentence, TelephonyError, within } from '../../../src/builder.ts';
import { pageRequest } from './page-notice.ts';

/**
 * How long a page waits for the service in total, in milliseconds. After that, Saltcorn shows it without the missing
 * data.
 */
const timeoutMs = 8_000;

const deadlineOf = oncePer((_: PageRequest) => performance.now() + timeoutMs);

const late = () =>
  new TelephonyError(
    'timeout',
    sentence('The service is slow to respond. Reload the page in a moment.'),
  );

/**
 * Reads something, and waits for as long as the current page can. The read continues, so that a reload of the page
 * waits for the same one. Without a page, as in a trigger, waits without a limit.
 *
 * @throws {TelephonyError} with code `timeout` if the read is too late for the page
 */
export async function withinPageTimeout<T>(read: () => Promise<T>): Promise<T> {
  const request = pageRequest();
  if (!request) return read();
  const leftMs = Math.max(0, deadlineOf(request) - performance.now());
  return within(leftMs, read(), () => Promise.reject(late()));
}
