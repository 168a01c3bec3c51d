import type { Context } from '../nocobase.ts';

/**
 * Does work that a browser waits for.
 *
 * @param context the browser's request, if there is one
 * @param work its signal aborts if the browser disconnects before the end
 */
export async function unlessLeft<Result>(
  context: Context | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const left = new AbortController();
  const leave = () => left.abort();
  context?.res.once('close', leave);
  try {
    return await work(left.signal);
  } finally {
    context?.res.off('close', leave);
  }
}
