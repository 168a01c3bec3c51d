import { createHash } from 'node:crypto';
import { RateLimiter } from './rate-limiter.ts';

const rateLimiters = new Map<string, RateLimiter>();

function create(key: string): RateLimiter {
  for (const [other, limiter] of rateLimiters) if (limiter.isIdle()) rateLimiters.delete(other);
  const limiter = new RateLimiter();
  rateLimiters.set(key, limiter);
  return limiter;
}

/**
 * Returns the rate limiter of an account. All connections of this process with the same credentials share it; others aren't slowed
 * down.
 *
 * @returns a function to call for each request, because idle rate limiters are dropped and replaced
 */
export function rateLimiterOf(settings: {
  root: string;
  username: string;
  password: string;
}): () => RateLimiter {
  const { root, username, password } = settings;
  const identity = JSON.stringify([root, username, password]);
  const key = createHash('sha256').update(identity).digest('base64');
  return () => rateLimiters.get(key) ?? create(key);
}
