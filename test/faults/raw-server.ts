import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { selfSigned } from './certificate.ts';

/** A request that arrived completely. */
export interface Received {
  method: string;
  path: string;
  /** The header lines, without the request line. */
  headers: string;
  body: string;
}

/** A server on this machine that answers with any bytes. */
export interface RawServer {
  url: string;
  received: Received[];
  /** How many connections were opened. */
  connections: number;
  /** The open connections. */
  open: Set<net.Socket>;
  /** Lets the process end despite open connections. */
  unref(): void;
  close(): Promise<void>;
}

export interface RawServerOptions {
  /** Called with each new connection. */
  connected?: (socket: net.Socket) => void;
  /** TLS with the test's certificate, or with an untrusted one. */
  secure?: boolean | tls.TlsOptions;
  allowHalfOpen?: boolean;
}

function takeRequest(bytes: Buffer): [request: Received, rest: Buffer] | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return undefined;
  const [line = '', ...headers] = bytes.subarray(0, end).toString('latin1').split('\r\n');
  const [method = '', path = ''] = line.split(' ');
  const text = headers.join('\n');
  const length = Number(/^content-length: (\d+)$/im.exec(text)?.[1] ?? 0);
  const start = end + 4;
  if (bytes.length < start + length) return undefined;
  const body = bytes.subarray(start, start + length).toString();
  return [{ method, path, headers: text, body }, bytes.subarray(start + length)];
}

/**
 * Listens on a free port of this machine.
 *
 * @param answer called for each complete request
 */
export async function listen(
  answer: (socket: net.Socket, request: Received) => void,
  { connected, secure = false, allowHalfOpen = false }: RawServerOptions = {},
): Promise<RawServer> {
  const received: Received[] = [];
  const open = new Set<net.Socket>();
  const rawServer: RawServer = { url: '', received, connections: 0, open, unref, close };
  let isReferenced = true;

  function read(socket: net.Socket) {
    let bytes: Buffer = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (let taken = takeRequest(bytes); taken; taken = takeRequest(bytes)) {
        bytes = taken[1];
        received.push(taken[0]);
        answer(socket, taken[0]);
      }
    });
  }
  function accept(socket: net.Socket) {
    rawServer.connections += 1;
    open.add(socket);
    if (!isReferenced) socket.unref();
    socket.on('error', () => {}).on('close', () => open.delete(socket));
    connected?.(socket);
    if (!secure) read(socket);
  }
  const server = secure
    ? tls.createServer(secure === true ? selfSigned() : secure, read)
    : net.createServer({ allowHalfOpen });
  server.on('connection', accept).on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  rawServer.url = `http${secure ? 's' : ''}://127.0.0.1:${port}`;

  function unref() {
    isReferenced = false;
    server.unref();
    for (const socket of open) socket.unref();
  }
  async function close() {
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  }
  return rawServer;
}

/** The bytes of a response. Omits headers that are `null`. */
export function answer(
  status: number | string,
  body: string | Buffer,
  headers: Record<string, string | null> = {},
): Buffer {
  const all = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === null ? [] : [`${name}: ${value}\r\n`],
  );
  return Buffer.concat([
    Buffer.from(`HTTP/1.1 ${status} x\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ]);
}
