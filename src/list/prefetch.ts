import { follow } from '../follow.ts';

const ignore = () => {};

/**
 * Asks for the next page while the current one is being used. Its error comes up when that page is asked for, and when
 * nobody asks any more, its request is stopped.
 *
 * @param open opens the pages; its signal stops what is under way
 * @param signal stops everything
 */
export async function* prefetch<Of>(
  open: (signal: AbortSignal) => AsyncGenerator<Of>,
  signal?: AbortSignal,
): AsyncGenerator<Of> {
  const stop = new AbortController();
  const pass = () => stop.abort();
  const outer = follow(signal);
  outer.signal?.addEventListener('abort', pass);
  if (outer.signal?.aborted) pass();
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
