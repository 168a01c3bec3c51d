import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { proxyTo, type ReverseProxy } from './reverse-proxy.ts';

/** Holds requests until it is opened. */
export interface Gate {
  url: string;
  /** Resolves once it holds so many requests. */
  holds(count: number): Promise<void>;
  /** Forwards all requests, and resolves once those that it held are answered. */
  open(): Promise<void>;
}

/**
 * Makes a reverse proxy hold requests.
 *
 * @param isHeld which requests it holds, given their path
 */
export function gateIn(proxy: ReverseProxy, isHeld: (path: string) => boolean = () => true): Gate {
  const events = new EventEmitter();
  events.setMaxListeners(0);
  const held: ServerResponse[] = [];
  let isOpen = false;
  proxy.handler = (from, to, forward) => {
    if (isOpen || !isHeld(from.url ?? '')) return forward();
    held.push(to);
    events.once('open', forward);
    events.emit('held');
  };
  return {
    url: proxy.url,
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

/** Starts a gate in front of a service. It is closed after its tests. */
export const gateTo = async (service: string, isHeld?: (path: string) => boolean): Promise<Gate> =>
  gateIn(await proxyTo(service), isHeld);
