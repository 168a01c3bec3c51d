import { once } from 'node:events';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { openRawServer } from './open-raw-server.ts';
import { answer, type RawServerOptions, type Received } from './raw-server.ts';
import type { FaultyService } from './run-against-fault.ts';
import { callSid } from './service.ts';

/** A body that both operations accept. */
export const record = JSON.stringify({ sid: callSid, status: 'completed' });
export const good = answer(200, record);

type Answer = (socket: net.Socket, request: Received, count: number) => void;

/** A raw server that answers its requests in order, and repeats the last answer. */
export const rawService = (answers: Answer | Answer[], options?: RawServerOptions) =>
  async function start(): Promise<FaultyService> {
    const list = [answers].flat();
    let count = 0;
    const server = await openRawServer((socket, request) => {
      (list[count] ?? list.at(-1))?.(socket, request, count);
      count += 1;
    }, options);
    return { url: server.url, arrived: () => server.received };
  };

/** Writes bytes, and keeps the connection open. */
export const writes =
  (bytes: Buffer | string): Answer =>
  (socket) =>
    socket.write(bytes);
/** Writes bytes, and closes the connection. */
export const writesAndEnds =
  (bytes: Buffer | string): Answer =>
  (socket) =>
    socket.end(bytes);
/** Writes bytes, and resets the connection. */
export const writesAndResets =
  (bytes: Buffer | string): Answer =>
  (socket) =>
    socket.write(bytes, () => socket.resetAndDestroy());

/** Writes the same bytes again and again, within the client's idle timeout. */
export const trickling =
  (first: string, drop: string, milliseconds: number): Answer =>
  (socket) => {
    socket.write(first);
    const timer = setInterval(() => socket.write(drop), milliseconds);
    socket.on('close', () => clearInterval(timer));
  };

/** A compressed response, or its first bytes. */
export const gzipped = (body: string | Buffer, length?: number) =>
  answer(200, gzipSync(body).subarray(0, length), { 'Content-Encoding': 'gzip' });

/** A port on which nothing listens. */
export async function refused(): Promise<FaultyService> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return { url: `http://127.0.0.1:${port}`, arrived: () => [] };
}

/** RFC 2606 reserves `.invalid`. */
export const unknownHost = async (): Promise<FaultyService> => ({
  url: 'https://telephony.invalid',
  arrived: () => [],
});

/** A server whose URL has the wrong scheme. */
export const wrongScheme = (scheme: 'http' | 'https', options: RawServerOptions) =>
  async function start(): Promise<FaultyService> {
    const service = await rawService(writes(''), options)();
    return { ...service, url: service.url.replace(/^https?/, scheme) };
  };
