import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import { constants, createBrotliDecompress, createUnzip } from 'node:zlib';
import { agentFor } from './agent-for.ts';
import type { Endpoint } from './connection.ts';
import { type Exchanged, type ExchangeRequest, NoResponse } from './exchanged.ts';
import { bodyHeaders, pickHeaders } from './headers.ts';
import { type Watch, watch } from './watch.ts';

// Flushing yields the decompressed part of a truncated body instead of an error. Its reader notices that it is incomplete.
const unzip = () => createUnzip({ finishFlush: constants.Z_SYNC_FLUSH });
const unbrotli = () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH });

const zlibHeader = Buffer.of(0x78, 0x9c);

// `deflate` means the zlib format, but some servers leave out its header.
async function* withZlibHeader(chunks: AsyncIterable<Buffer>) {
  let isFirst = true;
  for await (const chunk of chunks) {
    if (isFirst && chunk[0] !== zlibHeader[0]) yield zlibHeader;
    isFirst = false;
    yield chunk;
  }
}

const ignore = () => {};
const gunzip = (response: IncomingMessage): Readable => pipeline(response, unzip(), ignore);

const decoders = new Map<string, (response: IncomingMessage) => Readable>([
  ...['gzip', 'x-gzip'].map((name) => [name, gunzip] as const),
  ['deflate', (response) => pipeline(response, withZlibHeader, unzip(), ignore)],
  ['br', (response) => pipeline(response, unbrotli(), ignore)],
]);

/**
 * Returns the decompressed body of a response. An error of the response is also an error of the body.
 *
 * @param response a response that hasn't been read yet
 */
export function decompressed(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding'];
  if (encoding === undefined) return response;
  return decoders.get(encoding.toLowerCase())?.(response) ?? response;
}

/** What all requests of a sender share: the only origin that they may go to, the limits and the default headers. */
interface SenderOptions extends Pick<Endpoint, 'origin' | 'limits'> {
  headers: Record<string, string>;
}

/** The body is a stream only with `responseType: 'stream'`. */
type Send = <Data extends string | Readable>(request: ExchangeRequest) => Promise<Exchanged<Data>>;

/** Returns a function that opens requests. It parses the origin and chooses the agent only once. */
function requestOpener({ origin, headers }: SenderOptions) {
  const { protocol, hostname, port } = urlToHttpOptions(new URL(origin));
  const client = protocol === 'https:' ? https : http;
  const sharedHeaders = { 'Accept-Encoding': 'gzip, deflate, br', ...headers };
  const withBody = { ...sharedHeaders, ...bodyHeaders };
  let agent: http.Agent | undefined;
  return ({ method, url, headers: own, data }: ExchangeRequest) => {
    if (!url.startsWith(`${origin}/`)) throw new RangeError('A request to another origin');
    agent ??= agentFor(origin);
    return client.request({
      protocol,
      hostname,
      port,
      agent,
      method,
      path: url.slice(origin.length),
      headers: { ...(data === undefined ? sharedHeaders : withBody), ...own },
    });
  };
}

// Node throws before it sends anything if a request is invalid, for example because of a header.
function toNotSent(error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new NoResponse(code, false);
}

function textOf(chunks: Buffer[]): string {
  const [first] = chunks;
  const bytes = first && chunks.length === 1 ? first : Buffer.concat(chunks);
  const text = bytes.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** A request in progress. The first of these ends it: the response, an error, a limit or the signal. */
class Exchange {
  readonly #maxBytes: number;
  readonly #resolve: (response: Exchanged<never>) => void;
  readonly #reject: (reason: NoResponse) => void;
  readonly #request: ClientRequest;
  readonly #watch: Watch;
  readonly #isStream: boolean;
  #isConnected = false;
  #hasResponse = false;

  constructor(
    sent: ExchangeRequest,
    { limits }: SenderOptions,
    request: ClientRequest,
    resolve: (response: Exchanged<never>) => void,
    reject: (reason: NoResponse) => void,
  ) {
    this.#maxBytes = limits.maxResponseBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#isStream = sent.responseType === 'stream';
    this.#request = request;
    this.#watch = watch({ limits }, sent, (code) => this.#fail(code));
    this.#request
      .on('socket', (socket) => this.#watchConnect(socket))
      .on('response', (response) => this.#handleResponse(response))
      .on('error', this.#handleError)
      .on('close', this.#handleClose)
      .end(sent.data);
  }

  // If a body breaks off, Node reports the same ECONNRESET as without a response. Depending on its version, the error arrives first
  // on the request or on the response.
  readonly #handleError = ({ code = 'ERR_UNKNOWN' }: NodeJS.ErrnoException) =>
    this.#fail(this.#hasResponse && code === 'ECONNRESET' ? 'ERR_BAD_RESPONSE' : code);

  // If the response upgrades to another protocol, as one from a proxy can, Node emits neither `response` nor `error`.
  readonly #handleClose = () => {
    if (!this.#hasResponse) this.#fail('ECONNRESET');
  };

  #fail(code: string) {
    this.#watch.release();
    this.#reject(new NoResponse(code, this.#isConnected));
    this.#request.destroy();
  }

  // Node sends nothing before the socket is connected and, with TLS, secured.
  #watchConnect(socket: Socket) {
    const setConnected = () => {
      this.#isConnected = true;
    };
    if (this.#request.reusedSocket) setConnected();
    else
      socket.once(this.#request.protocol === 'https:' ? 'secureConnect' : 'connect', setConnected);
  }

  #handleResponse(response: IncomingMessage) {
    this.#hasResponse = true;
    this.#watch.restartIdle();
    const body = decompressed(response);
    if (!this.#isStream) return this.#readBody(response, body);
    // From here on, only the signal and errors end it.
    this.#request.on('error', (error) => body.destroy(error));
    for (const event of ['end', 'close']) response.on(event, () => this.#watch.release());
    return this.#succeed(response, body);
  }

  #readBody(response: IncomingMessage, body: Readable) {
    const chunks: Buffer[] = [];
    let size = 0;
    body
      .on('data', (chunk: Buffer) => {
        this.#watch.restartIdle();
        size += chunk.length;
        if (size > this.#maxBytes) this.#fail('ERR_TOO_LARGE');
        else chunks.push(chunk);
      })
      .on('end', () => {
        this.#watch.release();
        this.#succeed(response, textOf(chunks));
      })
      .on('error', this.#handleError);
  }

  #succeed({ statusCode = 0, headers }: IncomingMessage, data: string | Readable) {
    this.#resolve({ status: statusCode, headers: pickHeaders(headers), data: data as never });
  }
}

/**
 * Returns a function that sends requests with `node:http` alone. It follows no redirects, uses the proxy that the environment sets,
 * and keeps connections alive. Every status is a response, not an error. The body is decompressed text or, with
 * `responseType: 'stream'`, a decompressed stream.
 *
 * It rejects with a {@link NoResponse}.
 */
export function nodeSender(options: SenderOptions): Send {
  const openRequest = requestOpener(options);
  return (request) =>
    new Promise((resolve, reject) => {
      if (request.abortSignal?.aborted) return reject(new NoResponse('ERR_CANCELED', false));
      try {
        return new Exchange(request, options, openRequest(request), resolve, reject);
      } catch (error) {
        return reject(toNotSent(error));
      }
    });
}
