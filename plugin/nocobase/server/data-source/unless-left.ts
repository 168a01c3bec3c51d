import type { Context } from '../nocobase.ts';

/**
 * Does work that a browser waits for.
 *
 * @param context of its request, if there is one
 * @param leave is called if the browser leaves before the end
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
