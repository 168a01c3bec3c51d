import { once } from 'node:events';
import net from 'node:net';
import tls from 'node:tls';
import { selfSigned } from './certificate.ts';

/** A request as it arrived, whole. */
export interface Received {
  method: string;
  path: string;
  /** As they came, without the request line. */
  headers: string;
  body: string;
}

/** Something that listens on this machine and answers byte by byte. */
export interface Wire {
  url: string;
  received: Received[];
  /** How often someone connected. */
  connections: number;
  /** The connections that stand now. */
  open: Set<net.Socket>;
  /** Lets the process end, whoever is connected. */
  unref(): void;
  close(): Promise<void>;
}

export interface WireOptions {
  /** What happens to a connection before it says anything. */
  connected?: (socket: net.Socket) => void;
  /** Whether it speaks TLS, by a certificate that nobody vouches for or by one of the test's own. */
  secure?: boolean | tls.TlsOptions;
  /** Keeps its half of a connection when the client closes the other one. */
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
 * @param answer what a whole request is answered with
 */
export async function listen(
  answer: (socket: net.Socket, request: Received) => void,
  { connected, secure = false, allowHalfOpen = false }: WireOptions = {},
): Promise<Wire> {
  const received: Received[] = [];
  const open = new Set<net.Socket>();
  const wire: Wire = { url: '', received, connections: 0, open, unref, close };
  let isHeld = true;

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
    wire.connections += 1;
    open.add(socket);
    if (!isHeld) socket.unref();
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
  wire.url = `http${secure ? 's' : ''}://127.0.0.1:${port}`;

  function unref() {
    isHeld = false;
    server.unref();
    for (const socket of open) socket.unref();
  }
  async function close() {
    const closed = once(server, 'close');
    server.close();
    for (const socket of open) socket.destroy();
    await closed;
  }
  return wire;
}

/** The bytes of an answer. A header that is `null` is left out. */
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
