import { createHash } from 'node:crypto';
import { Pace } from './pace.ts';

const paces = new Map<string, Pace>();

function open(key: string): Pace {
  for (const [other, known] of paces) if (known.isAsNew()) paces.delete(other);
  const pace = new Pace();
  paces.set(key, pace);
  return pace;
}

/**
 * The pace of an account, one for all who opened it in this process by the same credentials: what the service answers to others does
 * not slow them down.
 *
 * @returns the pace of now, to be asked for whenever it is needed: one that is as new is not kept
 */
export function paceOf(settings: { root: string; username: string; password: string }): () => Pace {
  const { root, username, password } = settings;
  const whole = JSON.stringify([root, username, password]);
  const key = createHash('sha256').update(whole).digest('base64');
  return () => paces.get(key) ?? open(key);
}
