import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import { serveHttp } from '../serve-http.ts';

/** A way to a service that lets nothing through until it is opened. */
export interface Gate {
  url: string;
  /** Resolves when so many requests stand before it. */
  holds(count: number): Promise<void>;
  open(): void;
}

/** Puts a gate in front of a service, until the tests that it is for have ended. */
export async function gateTo(service: string): Promise<Gate> {
  const events = new EventEmitter();
  events.setMaxListeners(0);
  let held = 0;
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
    held += 1;
    events.emit('held');
    if (isOpen) pass();
    else events.once('open', pass);
  });
  return {
    url,
    holds: async (count) => {
      while (held < count) await once(events, 'held');
    },
    open: () => {
      isOpen = true;
      events.emit('open');
    },
  };
}
