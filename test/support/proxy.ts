import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { closeAfterwards } from './close-afterwards.ts';

/** How a proxy handles a request for a tunnel. */
export type Tunnel = (socket: Duplex, open: () => void) => void;

export interface Proxy {
  url: string;
  /** The requested tunnels, with the credentials. */
  requested: { to: string | undefined; credentials: string | undefined }[];
  /** All that clients sent through it, as it arrived. */
  passed: () => string;
}

/**
 * Starts an HTTP proxy on this machine. It is closed after its tests.
 *
 * @param tunnel opens a tunnel, or does something else
 */
export async function openProxy(tunnel: Tunnel = (_, open) => open()): Promise<Proxy> {
  const requested: Proxy['requested'] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Duplex>();
  const server = http.createServer((_, response) => response.writeHead(400).end());
  server.on('connect', ({ url = '', headers }, socket, head) => {
    requested.push({ to: url, credentials: headers['proxy-authorization'] });
    sockets.add(socket.on('error', () => {}));
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    tunnel(socket, () => {
      const { hostname, port } = new URL(`http://${url}`);
      const service = net.connect(Number(port), hostname, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
        service.write(head);
        socket.pipe(service).pipe(socket);
      });
      sockets.add(service.on('error', () => socket.destroy()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  closeAfterwards({
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      server.closeAllConnections();
    },
  });
  return {
    url: `http://127.0.0.1:${port}`,
    requested,
    passed: () => Buffer.concat(chunks).toString('latin1'),
  };
}
