import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, failure } from './answers.ts';
import { seededRandom } from './random.ts';

/** Which requests a fault hits, and how often. */
export interface Hit {
  /** Only requests of this method. */
  method?: string;
  /** Only requests whose path and query match this regular expression. */
  path?: string;
  /** How many requests it hits before it is used up; 1 by default. */
  times?: number;
  /** The probability that it hits a matching request; 1 by default. The same seed causes the same hits. */
  probability?: number;
}

/** A fault: which one, for which requests, and how often. */
export interface Fault extends Hit {
  name: FaultName;
  /** `server-error`: 500 by default. */
  status?: 500 | 503;
  /** `rate-limited`: seconds in the `Retry-After` header, which is absent by default. */
  retryAfter?: number;
  /** `slow`: milliseconds before the response; 1000 by default. */
  delayMs?: number;
}

export type FaultName = keyof typeof FAULTS;

/** The response instead of that of `handle`. Nothing is stored unless it calls `handle`. */
type Effect = (handle: () => Answer, fault: Fault) => Answer | Promise<Answer>;

const HTML = { 'content-type': 'text/html' };

/** Every fault by name. */
export const FAULTS = {
  'rate-limited': (_, { retryAfter }) => withRetryAfter(failure(20429), retryAfter),
  'server-error': (_, { status }) => failure(status === 503 ? 20503 : 20500),
  'reset-before': () => ({ status: 0, headers: {}, body: '', cut: 'at-once' }),
  'reset-after': (handle) => ({ ...handle(), cut: 'at-once' }),
  slow: async (handle, { delayMs = 1000 }) => {
    const answer = handle();
    await delay(delayMs, undefined, { ref: false });
    return answer;
  },
  truncated: (handle) => ({ ...handle(), cut: 'in-body' }),
  html: () => ({
    status: 502,
    headers: HTML,
    body: '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>',
  }),
  missing: () => failure(20404, { path: 'here' }),
  empty: (handle) => ({ ...handle(), status: 200, body: '' }),
} satisfies Record<string, Effect>;

/** The response to a request that a fault hits. */
export function withFault(fault: Fault, handle: () => Answer): Answer | Promise<Answer> {
  const effect: Effect = FAULTS[fault.name];
  return effect(handle, fault);
}

/** The faults, in the order in which they were added. */
export class FaultQueue<One extends Hit = Fault> {
  /** The faults that are not used up; `times` counts down. */
  readonly list: One[] = [];
  #random: () => number;

  /** @param seed for faults with a `probability` */
  constructor(private readonly seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Adds a fault. Throws a `SyntaxError` for a `path` that is no regular expression. */
  add(fault: One): void {
    new RegExp(fault.path ?? '');
    this.list.push({ times: 1, ...fault });
  }

  /** Removes all faults and restarts the random numbers. */
  clear(): void {
    this.list.length = 0;
    this.#random = seededRandom(this.seed);
  }

  /** The first fault that hits this request, used up by one. */
  take(method: string, url: string): One | undefined {
    const fault = this.list.find((one) => this.#hits(one, method, url));
    if (fault?.times !== undefined && --fault.times <= 0) {
      this.list.splice(this.list.indexOf(fault), 1);
    }
    return fault;
  }

  #hits({ method = '', path = '', probability = 1 }: Hit, asked: string, url: string): boolean {
    return (
      (method === '' || method.toUpperCase() === asked) &&
      new RegExp(path).test(url) &&
      this.#random() < probability
    );
  }
}

function withRetryAfter(answer: Answer, seconds: number | undefined): Answer {
  if (seconds !== undefined) answer.headers['retry-after'] = String(seconds);
  return answer;
}
