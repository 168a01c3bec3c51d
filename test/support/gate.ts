import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type Door, doorTo } from './door.ts';

/** What holds requests back until it is opened. */
export interface Gate {
  url: string;
  /** Resolves when so many requests stand before it. */
  holds(count: number): Promise<void>;
  /** Lets all through, and resolves when those that stood before it are answered. */
  open(): Promise<void>;
}

/**
 * Puts a gate into the door of a service.
 *
 * @param isHeld which requests it holds back
 */
export function gateIn(door: Door, isHeld: (path: string) => boolean = () => true): Gate {
  const events = new EventEmitter();
  events.setMaxListeners(0);
  const held: ServerResponse[] = [];
  let isOpen = false;
  door.keeper = (from, to, letThrough) => {
    if (isOpen || !isHeld(from.url ?? '')) return letThrough();
    held.push(to);
    events.once('open', letThrough);
    events.emit('held');
  };
  return {
    url: door.url,
    holds: async (count) => {
      while (held.length < count) await once(events, 'held');
    },
    open: async () => {
      isOpen = true;
      const waiting = held.filter(({ closed }) => !closed);
      const answered = waiting.map((answer) => once(answer, 'close'));
      events.emit('open');
      await Promise.all(answered);
    },
  };
}

/** Puts a gate in front of a service, until the tests that it is for have ended. */
export const gateTo = async (service: string, isHeld?: (path: string) => boolean): Promise<Gate> =>
  gateIn(await doorTo(service), isHeld);
