import type { Context, Handler } from './nocobase.ts';

/** Creates a handler that responds with the result of some work. */
export const responding =
  (work: (context: Context) => Promise<unknown>): Handler =>
  async (context, next) => {
    context.body = await work(context);
    await next();
  };
