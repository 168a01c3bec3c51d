import { EventEmitter, once } from 'node:events';
import { request, type ServerResponse } from 'node:http';
import { serveHttp } from './serve-http.ts';

/** A way to a service that holds requests back until it is opened. */
export interface Gate {
  url: string;
  /** Resolves when so many requests stand before it. */
  holds(count: number): Promise<void>;
  /** Lets all through, and resolves when those that stood before it are answered. */
  open(): Promise<void>;
}

/**
 * Puts a gate in front of a service, until the tests that it is for have ended.
 *
 * @param isHeld which requests it holds back
 */
export async function gateTo(
  service: string,
  isHeld: (path: string) => boolean = () => true,
): Promise<Gate> {
  const events = new EventEmitter();
  events.setMaxListeners(0);
  const held: ServerResponse[] = [];
  let isOpen = false;
  const { url } = await serveHttp((from, to) => {
    const pass = () => {
      const options = { method: from.method, headers: from.headers };
      const onward = request(service + from.url, options, (answer) => {
        to.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(to);
      });
      onward.on('error', () => to.destroy());
      from.pipe(onward);
    };
    if (isOpen || !isHeld(from.url ?? '')) return pass();
    held.push(to);
    events.once('open', pass);
    events.emit('held');
  });
  return {
    url,
    holds: async (count) => {
      while (held.length < count) await once(events, 'held');
    },
    open: async () => {
      isOpen = true;
      const answered = held.map((answer) => once(answer, 'close'));
      events.emit('open');
      await Promise.all(answered);
    },
  };
}
