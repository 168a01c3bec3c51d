import { createHash } from 'node:crypto';
import { RateLimiter } from './rate-limiter.ts';

const paces = new Map<string, RateLimiter>();

function open(key: string): RateLimiter {
  for (const [other, known] of paces) if (known.isIdle()) paces.delete(other);
  const pace = new RateLimiter();
  paces.set(key, pace);
  return pace;
}

/**
 * The pace of an account, one for all who opened it in this process by the same credentials: what the service answers to others does
 * not slow them down.
 *
 * @returns the pace of now, to be asked for whenever it is needed: one that is as new is not kept
 */
export function rateLimiterOf(settings: {
  root: string;
  username: string;
  password: string;
}): () => RateLimiter {
  const { root, username, password } = settings;
  const whole = JSON.stringify([root, username, password]);
  const key = createHash('sha256').update(whole).digest('base64');
  return () => paces.get(key) ?? open(key);
}
