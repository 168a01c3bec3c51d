import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeAfterwards } from './close-afterwards.ts';

/**
 * Serves HTTP on a free port of this machine. The server is closed after its tests.
 *
 * @returns the server, and its URL
 */
export async function serveHttp(
  listener: RequestListener,
  options: ServerOptions = {},
): Promise<{ server: Server; url: string }> {
  // A connection that closes just as a busy process uses it again would fail a test by chance.
  const server = createServer({ keepAliveTimeout: 0, ...options }, listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closeAfterwards({
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
