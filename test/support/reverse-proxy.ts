import { once } from 'node:events';
import { type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serveHttp } from './serve-http.ts';

/** Forwards a request to the service, now or later, or answers it itself. */
export type Handler = (from: IncomingMessage, to: ServerResponse, forward: () => void) => void;

/** A reverse proxy whose handler a test can replace. */
export interface ReverseProxy {
  url: string;
  /** Forwards each request by default. */
  handler: Handler;
  /** Closes the port until `open`. */
  stop(): Promise<void>;
  open(): Promise<void>;
}

function forwardTo(service: string, from: IncomingMessage, to: ServerResponse) {
  // The client disconnected while it waited.
  if (to.closed) return;
  const { method, headers, url } = from;
  const onward = request(service + url, { method, headers }, (answer) => {
    to.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(to);
  });
  onward.on('error', () => to.destroy());
  to.once('close', () => onward.destroy());
  from.pipe(onward);
}

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Starts a reverse proxy in front of a service. It is closed after its tests. */
export async function proxyTo(service: string): Promise<ReverseProxy> {
  const { server, url } = await serveHttp((from, to) =>
    proxy.handler(from, to, () => forwardTo(service, from, to)),
  );
  const port = portOf(server);
  const proxy: ReverseProxy = {
    url,
    handler: (_from, _to, forward) => forward(),
    stop: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
    open: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
  return proxy;
}
