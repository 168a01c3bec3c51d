import { randomUUID } from 'node:crypto';
import type { Fault } from '../../demo/sandbox/index.ts';
import { keyedActions } from '../../src/builder.ts';
import { gateIn } from '../support/gate.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { proxyTo, type ReverseProxy } from '../support/reverse-proxy.ts';
import { shownNowhere } from '../support/shown-nowhere.ts';
import {
  type Answer,
  act,
  type Call,
  callerAt,
  databaseFile,
  everything,
  type OpenGateway,
  openServer,
  sendPath,
  smsTo,
} from './open-gateway.ts';

let sandbox: Sandbox;
let proxy: ReverseProxy;
let forward: ReverseProxy['handler'];
let running: OpenGateway;
let other: Awaited<ReturnType<OpenGateway['callWith']>>;
const file = databaseFile();

const settings = () => ({
  databaseFile: file,
  account: { username: sandbox.username, password: sandbox.password, baseUrl: proxy.url },
  limits: { confirmTimeoutMs: 1_000 },
});

beforeAll(async () => {
  sandbox = await openSandbox();
  proxy = await proxyTo(sandbox.url);
  forward = proxy.handler;
  running = await openServer(settings());
  other = await running.callWith(everything, 'another caller');
});
beforeEach(() => {
  sandbox.reset();
  sandbox.messages.length = 0;
  proxy.handler = forward;
});

/** What a caller sees of an answer: its status, its code or the number of the message, and whether it is a repetition. */
const seen = ({ status, body, headers }: Answer) => [
  status,
  body.code ?? body.to,
  headers.get('idempotent-replayed') === 'true' ? 'replayed' : 'first',
];

/** A request with a key. */
interface Step {
  key?: string;
  /** Its body; null for a GET. */
  body?: unknown;
  path?: string;
  by?: 'another caller' | 'another process';
  /** Whether the service gets it only once the next one has its answer. */
  isSlow?: boolean;
  /** What happens before it. */
  before?(): unknown;
}

const [to, elsewhere] = ['+12025550110', '+12025550111'];
const sms = smsTo(to);
const long = 'k'.repeat(255);
const sent = [200, to, 'first'];
const again = [200, to, 'replayed'];
const required = [400, 'idempotency-key-required', 'first'];
const reused = [422, 'idempotency-key-reused', 'first'];
const inProgress = [409, 'in-progress', 'first'];
const missing = [404, 'not-found', 'first'];
const unknown = [502, 'unknown-outcome', 'first'];
const lost: Fault = { name: 'reset-after', method: 'POST' };
const fault = (one: Fault) => () => sandbox.faults.add(one);
const refusal = fault({ name: 'missing', method: 'POST' });
const stopped = (isStopped: boolean) => () => running.gateway.setStopped(isStopped);

/** Deletes the keys that have expired some hours from now. */
const purgeIn = (hours: number) => async () => {
  const later = Date.now() + hours * 3_600_000;
  const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
  await keyedActions(running.gateway.store).expire();
  clock.mockRestore();
};

/**
 * The scenarios of draft-ietf-httpapi-idempotency-key-header-07, by section, and of the documentation of Stripe's API on idempotent requests.
 * Those of the gateway are where the two say nothing, or where it does more: it repeats what certainly sent nothing, and never what may have.
 */
const scenarios: [
  of: string,
  scenario: string,
  steps: Step[],
  answers: unknown[][],
  recipients: string[],
][] = [
  ['draft 2.1', 'a key is a string in quotes', [{ key: '"k"' }], [sent], [to]],
  ['draft 2.1', 'an empty key is none', [{ key: ' ' }], [required], []],
  ['draft 2.1', 'a key with other characters is none', [{ key: 'schlüssel' }], [required], []],
  [
    'draft 2.2',
    'another key is another action',
    [{ key: 'k' }, { key: 'l' }],
    [sent, sent],
    [to, to],
  ],
  [
    'draft 2.3',
    'a key that has expired is a new one',
    [{ key: 'k' }, { key: 'k', before: purgeIn(8 * 24) }],
    [sent, sent],
    [to, to],
  ],
  [
    'draft 2.4',
    'the fingerprint is that of the values, in any order',
    [{ key: 'k' }, { key: 'k', body: { body: sms.body, to, from: sms.from } }],
    [sent, again],
    [to],
  ],
  ['draft 2.6', 'a first request is carried out', [{ key: 'k' }], [sent], [to]],
  [
    'draft 2.6',
    'a repetition gets the first answer',
    [{ key: 'k' }, { key: 'k' }],
    [sent, again],
    [to],
  ],
  [
    'draft 2.6',
    'a repetition while the first is in progress is a conflict',
    [{ key: 'k', isSlow: true }, { key: 'k' }, { key: 'k' }],
    [sent, inProgress, again],
    [to],
  ],
  ['draft 2.7', 'a missing key is a bad request', [{}], [required], []],
  [
    'draft 2.7',
    'other values under the same key are refused',
    [{ key: 'k' }, { key: 'k', body: smsTo(elsewhere) }],
    [sent, reused],
    [to],
  ],
  [
    'draft 2.7',
    'another action under the same key is refused',
    [{ key: 'k' }, { key: 'k', path: '/v1/actions/send-a-message' }],
    [sent, reused],
    [to],
  ],
  ['Stripe', 'a key has up to 255 characters', [{ key: long }, { key: long }], [sent, again], [to]],
  ['Stripe', 'a key of 256 characters is refused', [{ key: `${long}k` }], [required], []],
  [
    'Stripe',
    'a key is kept for a day, and longer',
    [{ key: 'k' }, { key: 'k', before: purgeIn(6 * 24) }],
    [sent, again],
    [to],
  ],
  [
    'Stripe',
    'an input that is refused leaves its key free',
    [{ key: 'k', body: { ...sms, to: 'no number' } }, { key: 'k' }],
    [[400, 'input', 'first'], sent],
    [to],
  ],
  [
    'Stripe',
    'a conflict leaves its key to the first request',
    [{ key: 'k', isSlow: true }, { key: 'k', body: smsTo(elsewhere) }, { key: 'k' }],
    [sent, reused, again],
    [to],
  ],
  [
    'Stripe',
    'a failure that may have sent something is kept',
    // To another recipient: its message would make those of others uncertain.
    [
      { key: 'k', body: smsTo(elsewhere), before: unknownOutcome },
      { key: 'k', body: smsTo(elsewhere) },
    ],
    [unknown, [502, 'unknown-outcome', 'replayed']],
    [elsewhere],
  ],
  [
    'Stripe',
    'a key has no effect on a read',
    Array(2).fill({ key: 'k', path: '/v1/data-sources/account-messages?to=*', body: null }),
    Array(2).fill([200, undefined, 'first']),
    [],
  ],
  [
    'gateway',
    'a key belongs to its caller',
    [{ key: 'k' }, { key: 'k', by: 'another caller' }],
    [sent, sent],
    [to, to],
  ],
  [
    'gateway',
    'a key is the same with and without quotes',
    [{ key: 'k' }, { key: '"k"' }],
    [sent, again],
    [to],
  ],
  [
    'gateway',
    'a body that is no object leaves its key free',
    [{ key: 'k', body: [] }, { key: 'k' }],
    [[400, 'bad-request', 'first'], sent],
    [to],
  ],
  [
    'gateway',
    'a failure that certainly sent nothing is tried again',
    [{ key: 'k', before: refusal }, { key: 'k' }],
    [missing, sent],
    [to],
  ],
  [
    'gateway',
    'a failure that certainly sent nothing keeps its key for its values',
    [
      { key: 'k', before: refusal },
      { key: 'k', body: smsTo(elsewhere) },
    ],
    [missing, reused],
    [],
  ],
  [
    'gateway',
    'a refusal by a limit is tried again',
    [
      { key: 'k', before: stopped(true) },
      { key: 'k', before: stopped(false) },
    ],
    [[429, 'limit-reached', 'first'], sent],
    [to],
  ],
  [
    'gateway',
    'a lost answer that the log shows is a success',
    [{ key: 'k', before: fault(lost) }, { key: 'k' }],
    [sent, again],
    [to],
  ],
  [
    'gateway',
    'an unknown outcome stays unknown until the log shows it',
    [
      { key: 'k', before: unknownOutcome },
      { key: 'k', before: () => sandbox.faults.clear() },
      // From now on, it needs no log.
      { key: 'k', before: fault(shownNowhere) },
    ],
    [unknown, again, again],
    [to],
  ],
  [
    'gateway',
    'a key holds across processes and restarts',
    [
      { key: 'k', by: 'another caller' },
      { key: 'k', by: 'another process' },
    ],
    [sent, again],
    [to],
  ],
];

/** Loses the next answer, and hides its message from the log. */
function unknownOutcome() {
  sandbox.faults.add(lost);
  sandbox.faults.add(shownNowhere);
}

/** Returns how a step calls. */
async function callOf(by: Step['by']): Promise<Call> {
  if (by === undefined) return running.call;
  return by === 'another caller' ? other : callerAt((await openServer(settings())).url, other.text);
}

test.each(scenarios)('%s: %s', async (of, scenario, steps, answers, recipients) => {
  const got: unknown[][] = [];
  let endSlow: (() => Promise<void>) | undefined;
  for (const [index, { key, body = sms, path = sendPath, by, isSlow, before }] of steps.entries()) {
    await before?.();
    const call = await callOf(by);
    const headers = key === undefined ? {} : { 'idempotency-key': keyIn(`${of} ${scenario}`, key) };
    const gate = isSlow && gateIn(proxy, (one) => one.endsWith('/Messages.json'));
    const answer = call(path, { ...(body !== null && { body }), headers });
    if (gate) {
      await gate.holds(1);
      endSlow = async () => {
        await gate.open();
        got[index] = seen(await answer);
      };
      continue;
    }
    got[index] = seen(await answer);
    await endSlow?.();
    endSlow = undefined;
  }
  expect({ got, recipients: sandbox.messages.map((one) => one.to) }).toEqual({
    ...{ got: answers, recipients },
  });
});

/** A key of a scenario, which no other one uses. */
function keyIn(name: string, key: string): string {
  if (!/^"?[kl]"?$/.test(key)) return key;
  const unique = `${name} ${key.replaceAll('"', '')}`;
  return key.startsWith('"') ? `"${unique}"` : unique;
}

test('of simultaneous requests with a key one is sent, and the others get its answer later', async () => {
  const gate = gateIn(proxy, (path) => path.endsWith('/Messages.json'));
  const key = randomUUID();
  const first = act(running.call, sendPath, sms, key);
  await gate.holds(1);
  const others = await Promise.all(
    Array.from({ length: 9 }, () => act(running.call, sendPath, sms, key)),
  );
  expect(others.map(seen)).toEqual(Array(9).fill([409, 'in-progress', 'first']));
  expect(others.map(({ headers }) => headers.get('retry-after'))).toEqual(Array(9).fill('1'));
  await gate.open();
  expect(seen(await first)).toEqual(sent);
  const later = await act(running.call, sendPath, sms, key);
  expect([seen(later), later.body]).toEqual([again, (await first).body]);
  expect(sandbox.messages).toHaveLength(1);
});

test('a refusal by a limit says when to repeat it', async () => {
  const call = await running.callWith({ ...everything, limits: { perHour: 1 } });
  await act(call, sendPath, sms);
  const key = randomUUID();
  const refused = await act(call, sendPath, sms, key);
  expect(seen(refused)).toEqual([429, 'limit-reached', 'first']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  expect(refused.body.detail).toContain('Nothing was sent.');
  expect(sandbox.messages).toHaveLength(1);
});
