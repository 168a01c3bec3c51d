import type { Context } from '../nocobase.ts';

/**
 * Does work that a browser waits for.
 *
 * @param context the browser's request, if there is one
 * @param leave called if the browser disconnects before the end
 */
export async function unlessLeft<Result>(
  context: Context | undefined,
  leave: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  context?.res.once('close', leave);
  try {
    return await work();
  } finally {
    context?.res.off('close', leave);
  }
}
