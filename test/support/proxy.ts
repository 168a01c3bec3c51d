import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { Duplex } from 'node:stream';
import { closeAfterwards } from './close-afterwards.ts';

/** What a proxy does with a request for a tunnel, by the number of it. */
export type Tunnel = (socket: Duplex, open: () => void) => void;

export interface Proxy {
  url: string;
  /** What it was asked for, with the credentials that it was given. */
  asked: { to: string | undefined; credentials: string | undefined }[];
  /** All that clients sent through it, encrypted or not. */
  passed: () => string;
}

/**
 * A proxy on this machine, which ends after the tests.
 *
 * @param tunnel opens a tunnel, or does something else
 */
export async function openProxy(tunnel: Tunnel = (_, open) => open()): Promise<Proxy> {
  const asked: Proxy['asked'] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Duplex>();
  const server = http.createServer((_, response) => response.writeHead(400).end());
  server.on('connect', ({ url = '', headers }, socket, head) => {
    asked.push({ to: url, credentials: headers['proxy-authorization'] });
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
    asked,
    passed: () => Buffer.concat(chunks).toString('latin1'),
  };
}
