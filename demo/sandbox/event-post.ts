import { randomUUID } from 'node:crypto';
import { type Parameter, signForm } from './signature.ts';

/** A webhook request to an app, and its result. */
export interface PostedEvent {
  url: string;
  parameters: Record<string, string>;
  signature: string;
  /** The result of each attempt: the HTTP status, or why there is none. */
  tries: (number | 'no-connection' | 'no-answer' | 'not-here')[];
}

/** The service's defaults for retries and timeouts, which the fragment of a URL can change. */
const DEFAULTS = { rc: 1, rp: 'ct', rt: 15_000, tt: 15_000 };
const MOST_RETRIES = 5;

const LOOPBACK = /^(127(\.\d+){3}|\[::1\]|localhost)$/;

/** Which results of an attempt are retried, by the words of the fragment. */
const POLICIES: Record<string, (end: PostedEvent['tries'][number]) => boolean> = {
  ct: (end) => end === 'no-connection',
  rt: (end) => end === 'no-answer',
  '4xx': (end) => Number(end) >= 400 && Number(end) < 500,
  '5xx': (end) => Number(end) >= 500,
  all: (end) => !(Number(end) < 400),
};

/** A request to send, signed for its URL without the fragment. */
export function eventTo(
  address: string,
  parameters: readonly Parameter[],
  token: string,
): PostedEvent {
  const [url = ''] = address.split('#');
  return {
    ...{ url: address, parameters: Object.fromEntries(parameters), tries: [] },
    signature: signForm(token, url, parameters),
  };
}

/**
 * Sends a request like the service: for up to 15 seconds in total, with one retry if it cannot connect. The fragment of the URL
 * changes that, such as `#rc=2&rp=5xx,ct`. Nothing leaves this machine.
 *
 * @returns the body of the last response, empty without one
 */
export async function postEvent(event: PostedEvent): Promise<string> {
  const [url = '', fragment = ''] = event.url.split('#');
  const given = Object.fromEntries(new URLSearchParams(fragment));
  const { rc, rp, rt, tt } = { ...DEFAULTS, ...given };
  const end = performance.now() + Number(tt);
  const token = randomUUID();
  const policies = String(rp).split(',');
  for (let tries = 0; tries <= Math.min(Number(rc), MOST_RETRIES); tries += 1) {
    const timeoutMs = Math.min(Number(rt), end - performance.now());
    if (timeoutMs <= 0) break;
    const { ended, answer = '' } = await attempt(url, event, token, timeoutMs);
    event.tries.push(ended);
    if (!policies.some((policy) => POLICIES[policy]?.(ended))) return answer;
  }
  return '';
}

async function attempt(
  url: string,
  event: PostedEvent,
  token: string,
  timeoutMs: number,
): Promise<{ ended: PostedEvent['tries'][number]; answer?: string }> {
  if (!URL.canParse(url) || !LOOPBACK.test(new URL(url).hostname)) return { ended: 'not-here' };
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'x-twilio-signature': event.signature,
        'i-twilio-idempotency-token': token,
      },
      body: new URLSearchParams(event.parameters).toString(),
      signal: AbortSignal.timeout(Math.ceil(timeoutMs)),
    });
    return { answer: await response.text(), ended: response.status };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string } };
    return { ended: cause?.code === 'ECONNREFUSED' ? 'no-connection' : 'no-answer' };
  }
}
