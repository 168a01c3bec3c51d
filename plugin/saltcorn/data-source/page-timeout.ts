import type { PageRequest } from '@saltcorn/data/db';
import { TelephonyError } from '../../../src/builder.ts';
import { pageRequest } from './page-notice.ts';

/** How long a page waits for the service in all, in milliseconds, before it is shown without what is missing. */
const timeoutMs = 8_000;

const deadlines = new WeakMap<PageRequest, number>();

const late = () =>
  new TelephonyError('timeout', 'The service is slow to respond. Reload the page in a moment.');

/**
 * Reads something for as long as the page that is being made can wait for it. It goes on being read, and who loads the page
 * again meanwhile waits for the same. What is no page, such as a trigger, waits for as long as it takes.
 *
 * @throws {TelephonyError} with code `timeout` when it comes too late for the page
 */
export async function withinPageTimeout<T>(read: () => Promise<T>): Promise<T> {
  const request = pageRequest();
  if (!request) return read();
  const deadline = deadlines.get(request) ?? performance.now() + timeoutMs;
  deadlines.set(request, deadline);
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([read(), end]);
  } finally {
    clearTimeout(timer);
  }
}
