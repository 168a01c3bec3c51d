import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { Readable } from 'node:stream';
import { urlToHttpOptions } from 'node:url';
import {
  type AxiosAdapter,
  AxiosError,
  AxiosHeaders,
  type AxiosResponse,
  CanceledError,
  type InternalAxiosRequestConfig,
} from 'axios';
import type { Limits } from '../settings/limits.ts';
import { decompressed } from './decompress.ts';

// Idle sockets are closed before servers commonly close them, so that a write seldom meets a dead one.
const agentOptions = { keepAlive: true, timeout: 4_000 };
const httpAgent = new http.Agent(agentOptions);
const httpsAgent = new https.Agent(agentOptions);

/** What the requests of an account have in common. */
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

/** Opens requests to an origin, whose address is taken apart once. */
function opener({ origin, headers, limits }: Common) {
  const target = urlToHttpOptions(new URL(origin));
  const isSecure = target.protocol === 'https:';
  const agent = isSecure ? httpsAgent : httpAgent;
  return ({ method = 'get', url = '', headers: own }: InternalAxiosRequestConfig) => {
    if (!url.startsWith(`${origin}/`)) throw new RangeError('A request to another origin');
    const request = {
      ...target,
      agent,
      method: method.toUpperCase(),
      path: url.slice(origin.length),
      headers: { ...headers, ...own },
      timeout: limits.silence,
    };
    return isSecure ? https.request(request) : http.request(request);
  };
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

// Node says of a body that broke off only that its connection did, as of one that never answered.
const bodyError = (error: Error & { code?: string }) =>
  error.code === 'ECONNRESET' ? new AxiosError(error.message, AxiosError.ERR_BAD_RESPONSE) : error;

/** One request and its answer. Whatever comes first ends it: the answer, a failure, a limit or the signal. */
class Exchange {
  readonly #config: InternalAxiosRequestConfig;
  readonly #common: Common;
  readonly #resolve: (response: AxiosResponse) => void;
  readonly #reject: (error: Error) => void;
  readonly #request: ClientRequest;
  readonly #firstByte: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout | undefined;
  readonly #isStream: boolean;

  constructor(
    config: InternalAxiosRequestConfig,
    common: Common,
    request: ClientRequest,
    resolve: (response: AxiosResponse) => void,
    reject: (error: Error) => void,
  ) {
    this.#config = config;
    this.#common = common;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#isStream = config.responseType === 'stream';
    this.#request = request;
    this.#firstByte = setTimeout(this.#fallSilent, common.limits.silence);
    if (!this.#isStream) this.#deadline = setTimeout(this.#runLate, common.limits.answer);
    this.#request
      .on('response', (response) => this.#respond(response))
      .on('timeout', this.#fallSilent)
      .on('error', this.#fail)
      .on('close', () => clearTimeout(this.#firstByte))
      .end(config.data);
    config.signal?.addEventListener?.('abort', this.#stop);
  }

  readonly #fallSilent = () => this.#fail(new AxiosError('Silence', AxiosError.ETIMEDOUT));
  readonly #runLate = () => this.#fail(new AxiosError('Too late', 'ERR_DEADLINE'));
  readonly #stop = () => this.#fail(new CanceledError());

  readonly #fail = (error: Error) => {
    this.#release();
    this.#reject(error);
    this.#request.destroy();
  };

  readonly #breakOff = (error: Error) => this.#fail(bodyError(error));

  #release() {
    clearTimeout(this.#firstByte);
    clearTimeout(this.#deadline);
    this.#config.signal?.removeEventListener?.('abort', this.#stop);
  }

  #respond(response: IncomingMessage) {
    clearTimeout(this.#firstByte);
    // Some Nodes say of a body that broke off on the request first, others on the answer.
    this.#request.off('error', this.#fail).on('error', this.#breakOff);
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
        if (size > this.#common.limits.size)
          this.#fail(new AxiosError('Too large', 'ERR_TOO_LARGE'));
        else chunks.push(chunk);
      })
      .on('end', () => {
        this.#release();
        this.#settle(response, textOf(chunks));
      })
      .on('error', this.#breakOff);
  }

  #settle(response: IncomingMessage, data: string | Readable) {
    this.#resolve({
      data,
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? '',
      headers: keep(this.#common.kept, response),
      config: this.#config,
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
 * @param common what the requests have in common
 */
export function httpAdapter(common: Common): AxiosAdapter {
  const open = opener(common);
  return (config) =>
    new Promise((resolve, reject) => {
      new Exchange(config, common, open(config), resolve, reject);
    });
}
