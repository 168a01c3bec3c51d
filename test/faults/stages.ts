import { once } from 'node:events';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import type { Stage } from './meet.ts';
import { openWire } from './open-wire.ts';
import { callSid } from './service.ts';
import { answer, type Received, type WireOptions } from './wire.ts';

/** What both operations are content with. */
export const record = JSON.stringify({ sid: callSid, status: 'completed' });
export const good = answer(200, record);

type Answer = (socket: net.Socket, request: Received, count: number) => void;

/** Something on the wire that answers its requests in order, the last answer over and over. */
export const wire = (answers: Answer | Answer[], options?: WireOptions) =>
  async function start(): Promise<Stage> {
    const list = [answers].flat();
    let count = 0;
    const server = await openWire((socket, request) => {
      (list[count] ?? list.at(-1))?.(socket, request, count);
      count += 1;
    }, options);
    return { url: server.url, arrived: () => server.received };
  };

/** Writes bytes, and leaves the connection as it is. */
export const says =
  (bytes: Buffer | string): Answer =>
  (socket) =>
    socket.write(bytes);
/** Writes bytes, and closes the connection in the orderly way. */
export const saysAndEnds =
  (bytes: Buffer | string): Answer =>
  (socket) =>
    socket.end(bytes);
/** Writes bytes, and breaks the connection. */
export const saysAndBreaks =
  (bytes: Buffer | string): Answer =>
  (socket) =>
    socket.write(bytes, () => socket.resetAndDestroy());

/** Writes the same over and over, faster than the client loses its patience. */
export const drips =
  (first: string, drop: string, milliseconds: number): Answer =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(drop), milliseconds);
    socket.on('close', () => clearInterval(timer));
  };

/** The whole answer compressed, or less of it. */
export const gzipped = (body: string | Buffer, length?: number) =>
  answer(200, gzipSync(body).subarray(0, length), { 'Content-Encoding': 'gzip' });

/** Nothing listens there. */
export async function refused(): Promise<Stage> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return { url: `http://127.0.0.1:${port}`, arrived: () => [] };
}

/** `.invalid` is nobody's, by RFC 2606. */
export const unknownHost = async (): Promise<Stage> => ({
  url: 'https://telephony.invalid',
  arrived: () => [],
});

/** Asked by another scheme than the one that is spoken there. */
export const wrongScheme = (scheme: 'http' | 'https', options: WireOptions) =>
  async function start(): Promise<Stage> {
    const stage = await wire(says(''), options)();
    return { ...stage, url: stage.url.replace(/^https?/, scheme) };
  };
