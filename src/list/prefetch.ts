import { follow } from '../async/follow.ts';

const ignore = () => {};

/**
 * Requests the next page while the caller uses the current one. Throws a page's error when the caller requests that
 * page, and aborts its request when the caller stops iterating.
 *
 * @param open opens the pages; its signal aborts a request in progress
 * @param signal aborts everything
 */
export async function* prefetch<Of>(
  open: (signal: AbortSignal) => AsyncGenerator<Of>,
  signal?: AbortSignal,
): AsyncGenerator<Of> {
  const stop = new AbortController();
  const abort = () => stop.abort();
  const outer = follow(signal);
  outer.signal?.addEventListener('abort', abort);
  if (outer.signal?.aborted) abort();
  const pages = open(stop.signal);
  try {
    let next = pages.next();
    for (let page = await next; !page.done; page = await next) {
      next = pages.next();
      next.catch(ignore);
      yield page.value;
    }
  } finally {
    outer.release();
    stop.abort();
  }
}
