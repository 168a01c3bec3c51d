import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import {
  type AxiosAdapter,
  AxiosHeaders,
  type AxiosResponse,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { Limits } from '../settings/limits.ts';
import { agentFor } from './agent-for.ts';
import { decompressed } from './decompress.ts';
import { NoAnswer } from './no-answer.ts';

declare module 'axios' {
  interface AxiosRequestConfig {
    /** What stops it. axios's own `signal` would also take away an answer that has come. */
    stop?: AbortSignal;
  }
}

/** What the requests of a connection have in common. */
interface Common {
  /** The only place they go to. */
  origin: string;
  /** What is sent with every request, where it has no header of its own by that name. */
  headers: Record<string, string>;
  /** Which headers of an answer are kept, in lower case: AxiosHeaders takes its time over each. */
  kept: readonly string[];
  /** How long an answer may take, and how large it may be. */
  limits: Limits;
}

/** Opens requests to an origin, whose address is taken apart once, as is what leads there. */
function opener({ origin, headers, limits }: Common) {
  const target = urlToHttpOptions(new URL(origin));
  const isSecure = target.protocol === 'https:';
  let agent: http.Agent | undefined;
  return ({ method, url = '', headers: own }: InternalAxiosRequestConfig) => {
    if (!url.startsWith(`${origin}/`)) throw new RangeError('A request to another origin');
    agent ??= agentFor(origin);
    const request = {
      ...target,
      agent,
      method,
      path: url.slice(origin.length),
      headers: { ...headers, ...own },
      timeout: limits.idleTimeoutMs,
    };
    return isSecure ? https.request(request) : http.request(request);
  };
}

// What Node takes for no request, such as one with a header that is none, was not sent.
function notSent(error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new NoAnswer(code, false);
}

function keep(names: readonly string[], { headers }: IncomingMessage): AxiosHeaders {
  const kept = new AxiosHeaders();
  for (const name of names) if (headers[name] !== undefined) kept[name] = headers[name];
  return kept;
}

function textOf(chunks: Buffer[]): string {
  const [first] = chunks;
  const bytes = first && chunks.length === 1 ? first : Buffer.concat(chunks);
  const text = bytes.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

/** One request and its answer. Whatever comes first ends it: the answer, a failure, a limit or the signal. */
class Exchange {
  readonly #config: InternalAxiosRequestConfig;
  readonly #common: Common;
  readonly #resolve: (response: AxiosResponse) => void;
  readonly #reject: (reason: NoAnswer) => void;
  readonly #request: ClientRequest;
  readonly #firstByte: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout | undefined;
  readonly #isStream: boolean;
  #isConnected = false;
  #isAnswered = false;

  constructor(
    config: InternalAxiosRequestConfig,
    common: Common,
    request: ClientRequest,
    resolve: (response: AxiosResponse) => void,
    reject: (reason: NoAnswer) => void,
  ) {
    this.#config = config;
    this.#common = common;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#isStream = config.responseType === 'stream';
    this.#request = request;
    this.#firstByte = setTimeout(this.#fallSilent, common.limits.idleTimeoutMs);
    if (!this.#isStream) this.#deadline = setTimeout(this.#runLate, common.limits.timeoutMs);
    this.#request
      .on('socket', (socket) => this.#watch(socket))
      .on('response', (response) => this.#respond(response))
      .on('timeout', this.#fallSilent)
      .on('error', this.#break)
      .on('close', this.#close)
      .end(config.data);
    config.stop?.addEventListener('abort', this.#stop);
  }

  readonly #fallSilent = () => this.#fail('ETIMEDOUT');
  readonly #runLate = () => this.#fail('ERR_DEADLINE');
  readonly #stop = () => this.#fail('ERR_CANCELED');

  // Of a body that broke off Node says only that its connection did, as of one that never answered: some Nodes say so of the
  // request first, others of the answer.
  readonly #break = ({ code = 'ERR_UNKNOWN' }: NodeJS.ErrnoException) =>
    this.#fail(this.#isAnswered && code === 'ECONNRESET' ? 'ERR_BAD_RESPONSE' : code);

  // Of an answer that changes to another protocol, such as that of a proxy, Node says nothing.
  readonly #close = () => {
    if (!this.#isAnswered) this.#fail('ECONNRESET');
  };

  #fail(code: string) {
    this.#release();
    this.#reject(new NoAnswer(code, this.#isConnected));
    this.#request.destroy();
  }

  // Node holds back what is to be sent until the connection stands and, by TLS, is secured.
  #watch(socket: Socket) {
    const connect = () => {
      this.#isConnected = true;
    };
    if (this.#request.reusedSocket) connect();
    else socket.once(this.#request.protocol === 'https:' ? 'secureConnect' : 'connect', connect);
  }

  #release() {
    clearTimeout(this.#firstByte);
    clearTimeout(this.#deadline);
    this.#config.stop?.removeEventListener('abort', this.#stop);
  }

  #respond(response: IncomingMessage) {
    clearTimeout(this.#firstByte);
    this.#isAnswered = true;
    if (!this.#isStream) return this.#read(response, decompressed(response));
    // Whoever reads the stream may take breaks; only the signal still ends it.
    this.#request.off('timeout', this.#fallSilent);
    response.on('close', () => this.#release());
    return this.#settle(response, response);
  }

  #read(response: IncomingMessage, body: Readable) {
    const chunks: Buffer[] = [];
    let size = 0;
    body
      .on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > this.#common.limits.maxResponseBytes) this.#fail('ERR_TOO_LARGE');
        else chunks.push(chunk);
      })
      .on('end', () => {
        this.#release();
        this.#settle(response, textOf(chunks));
      })
      .on('error', this.#break);
  }

  #settle(response: IncomingMessage, data: string | Readable) {
    this.#resolve({
      data,
      status: response.statusCode ?? 0,
      statusText: '',
      headers: keep(this.#common.kept, response),
      config: this.#config,
    });
  }
}

/**
 * How axios sends here: by `node:http` alone, which is all that is needed of it and costs half of what its own way does.
 * It follows no redirect, goes through a proxy where the environment names one, keeps connections for the next request, and takes any status for an answer,
 * which is a text, or a stream as it comes over the wire when that is asked for.
 *
 * What it rejects with is a {@link NoAnswer}.
 *
 * @param common what the requests have in common
 */
export function httpAdapter(common: Common): AxiosAdapter {
  const open = opener(common);
  return (config) =>
    new Promise((resolve, reject) => {
      if (config.stop?.aborted) return reject(new NoAnswer('ERR_CANCELED', false));
      try {
        return new Exchange(config, common, open(config), resolve, reject);
      } catch (error) {
        return reject(notSent(error));
      }
    });
}
