import { ask, start } from './children.ts';
import type { Effort } from './effort.ts';

/** The rate limit, in requests per second. */
export const perSecond = 50;

export const senderNames = ['plugin', 'fixed-5', 'fixed-20', 'fixed-100', 'official-20'] as const;

export interface LimitedFigures {
  /** The duration, as a ratio to the shortest that the limit allows. */
  time: number;
  /** The share of rejected requests. */
  refused: number;
  /** The number of messages that were given up. */
  lost: number;
}

/** Sends messages to a service with a rate limit: all senders at the same time, each with its own account. */
export async function measureLimited(url: string, { messages }: Effort) {
  const measured = senderNames.map(async (name) => {
    const own = `${url}/limit-${perSecond}-${name}`;
    const { child } = await start('limited-sender', [name, own, String(messages)]);
    const { seconds, lost } = await ask<{ seconds: number; lost: number }>(child, {});
    const { taken, refused } = (await (await fetch(`${own}/count`)).json()) as Record<
      'taken' | 'refused',
      number
    >;
    child.kill();
    const ideal = (messages - lost) / perSecond;
    return [name, { time: seconds / ideal, refused: refused / (taken + refused), lost }] as const;
  });
  return Object.fromEntries(await Promise.all(measured)) as Record<
    (typeof senderNames)[number],
    LimitedFigures
  >;
}
