import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import {
  type AxiosAdapter,
  AxiosError,
  AxiosHeaders,
  type AxiosResponse,
  CanceledError,
  type InternalAxiosRequestConfig,
} from 'axios';
import { decompressed } from './decompress.ts';
import type { Limits } from './limits.ts';

// Idle sockets are closed before servers commonly close them, so that a write seldom meets a dead one.
const agentOptions = { keepAlive: true, timeout: 4_000 };
const httpAgent = new http.Agent(agentOptions);
const httpsAgent = new https.Agent(agentOptions);

/** What every request of an account has in common. */
interface Common {
  /** The headers, where a request has none of its own. */
  headers: Record<string, string>;
  limits: Limits;
}

function open({ method = 'get', url = '', headers }: InternalAxiosRequestConfig, common: Common) {
  const options = {
    method: method.toUpperCase(),
    headers: { ...common.headers, ...headers },
    timeout: common.limits.silence,
  };
  return url.startsWith('https:')
    ? https.request(url, { ...options, agent: httpsAgent })
    : http.request(url, { ...options, agent: httpAgent });
}

function textOf(chunks: Buffer[]): string {
  const [first] = chunks;
  const bytes = first && chunks.length === 1 ? first : Buffer.concat(chunks);
  const text = bytes.toString();
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}

// Node says of a body that broke off only that its connection did, as of one that never answered.
const bodyError = (error: NodeJS.ErrnoException) =>
  error.code === 'ECONNRESET' ? new AxiosError(error.message, AxiosError.ERR_BAD_RESPONSE) : error;

/** One request and its answer. Whatever comes first ends it: the answer, a failure, a limit or the signal. */
class Exchange {
  readonly #config: InternalAxiosRequestConfig;
  readonly #limits: Limits;
  readonly #resolve: (response: AxiosResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #request: ClientRequest;
  readonly #firstByte: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout | undefined;
  readonly #isStream: boolean;

  constructor(
    config: InternalAxiosRequestConfig,
    common: Common,
    resolve: (response: AxiosResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#config = config;
    this.#limits = common.limits;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#isStream = config.responseType === 'stream';
    this.#firstByte = setTimeout(this.#fallSilent, common.limits.silence);
    if (!this.#isStream) this.#deadline = setTimeout(this.#runLate, common.limits.answer);
    this.#request = open(config, common)
      .on('response', (response) => this.#respond(response))
      .on('timeout', this.#fallSilent)
      .on('error', this.#fail)
      .on('close', () => clearTimeout(this.#firstByte));
    config.signal?.addEventListener?.('abort', this.#stop);
    this.#request.end(config.data);
  }

  readonly #fallSilent = () => this.#fail(new AxiosError('Silence', AxiosError.ETIMEDOUT));
  readonly #runLate = () => this.#fail(new AxiosError('Too late', 'ERR_DEADLINE'));
  readonly #stop = () => this.#fail(new CanceledError());

  readonly #fail = (error: Error) => {
    this.#release();
    this.#reject(error);
    this.#request.destroy();
  };

  #release() {
    clearTimeout(this.#firstByte);
    clearTimeout(this.#deadline);
    this.#config.signal?.removeEventListener?.('abort', this.#stop);
  }

  #respond(response: IncomingMessage) {
    clearTimeout(this.#firstByte);
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
        if (size > this.#limits.size) this.#fail(new AxiosError('Too large', 'ERR_TOO_LARGE'));
        else chunks.push(chunk);
      })
      .on('end', () => {
        this.#release();
        this.#settle(response, textOf(chunks));
      })
      .on('error', (error) => this.#fail(bodyError(error)));
  }

  #settle(response: IncomingMessage, data: string | Readable) {
    this.#resolve({
      data,
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      headers: new AxiosHeaders(response.headers as Record<string, string>),
      config: this.#config,
      request: this.#request,
    });
  }
}

/**
 * How axios sends here: by `node:http` alone, which is all that is needed of it and costs half of what its own way does.
 * It follows no redirect, uses no proxy, keeps connections for the next request, and takes any status for an answer,
 * which is a text, or a stream as it comes over the wire when that is asked for.
 *
 * Its errors hold no request. Besides Node's own codes, such as `ECONNREFUSED` or `HPE_…`, there are `ETIMEDOUT` for
 * silence, `ERR_DEADLINE`, `ERR_TOO_LARGE`, `ERR_CANCELED` and, for a body that broke off, `ERR_BAD_RESPONSE`.
 *
 * @param headers what is sent with every request, where it has none of its own by these names
 * @param limits how long an answer may take, and how large it may be
 */
export const httpAdapter =
  (headers: Record<string, string>, limits: Limits): AxiosAdapter =>
  (config) =>
    new Promise((resolve, reject) => {
      new Exchange(config, { headers, limits }, resolve, reject);
    });
