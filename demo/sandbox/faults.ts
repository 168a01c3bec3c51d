import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, failure } from './answers.ts';
import { seededRandom } from './random.ts';

/** With which requests something goes wrong, and how often. */
export interface Hit {
  /** Only requests of this method. */
  method?: string;
  /** Only requests whose path and query match this regular expression. */
  path?: string;
  /** How many requests it hits before it is used up; 1 unless given. */
  times?: number;
  /** Chance, 0 to 1, that it hits a matching request; 1 unless given. Same seed, same hits. */
  probability?: number;
}

/** What goes wrong, with which request, and how often. */
export interface Fault extends Hit {
  name: FaultName;
  /** `server-error`: 500 unless given. */
  status?: 500 | 503;
  /** `rate-limited`: seconds in the `Retry-After` header, which is absent unless given. */
  retryAfter?: number;
  /** `slow`: milliseconds before the answer; 1000 unless given. */
  delayMs?: number;
}

export type FaultName = keyof typeof FAULTS;

/** The answer instead of the one of `handle`. Nothing is stored unless `handle` is called. */
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

/** The answer to a request that a fault hits. */
export function withFault(fault: Fault, handle: () => Answer): Answer | Promise<Answer> {
  const effect: Effect = FAULTS[fault.name];
  return effect(handle, fault);
}

/** Faults that wait for the requests they apply to, in the order they were added. */
export class FaultQueue<One extends Hit = Fault> {
  /** Faults not used up yet; `times` counts down. */
  readonly list: One[] = [];
  #random: () => number;

  /** @param seed of the chances of faults with a `probability` */
  constructor(private readonly seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Adds a fault. Throws a `SyntaxError` for a `path` that is no regular expression. */
  add(fault: One): void {
    new RegExp(fault.path ?? '');
    this.list.push({ times: 1, ...fault });
  }

  /** Forgets all faults and starts the chances over. */
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
