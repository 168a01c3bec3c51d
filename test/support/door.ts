import { once } from 'node:events';
import { type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveHttp } from './serve-http.ts';

/** Decides what becomes of a request: lets it through, now or later, or answers it in the service's place. */
export type Keeper = (from: IncomingMessage, to: ServerResponse, letThrough: () => void) => void;

/** A way to a service, with someone at the door. */
export interface Door {
  url: string;
  /** Lets everything through at first. */
  keeper: Keeper;
  /** Nothing listens there any more, until it is opened again. */
  shut(): Promise<void>;
  open(): Promise<void>;
}

function passOn(service: string, from: IncomingMessage, to: ServerResponse) {
  // Who left while they waited asks for nothing any more.
  if (to.closed) return;
  const { method, headers, url } = from;
  const onward = request(service + url, { method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  });
  // A service that breaks off breaks off here, too.
  onward.on('error', () => to.destroy());
  to.once('close', () => onward.destroy());
  from.pipe(onward);
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Puts a door in front of a service, until the tests that it is for have ended. */
export async function doorTo(service: string): Promise<Door> {
  const { server, url } = await serveHttp((from, to) =>
    door.keeper(from, to, () => passOn(service, from, to)),
  );
  const port = portOf(server);
  const door: Door = {
    url,
    keeper: (_from, _to, letThrough) => letThrough(),
    shut: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
    open: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
  return door;
}
