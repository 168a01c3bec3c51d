import { randomUUID } from 'node:crypto';
import type { Fault } from '../../demo/sandbox/index.ts';
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
  body?: unknown;
  path?: string;
  by?: 'another caller' | 'another process';
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
const lost: Fault = { name: 'reset-after', method: 'POST' };
const fault = (one: Fault) => () => sandbox.faults.add(one);

const cases: [name: string, steps: Step[], answers: unknown[][], recipients: string[]][] = [
  // The draft of the header field
  ['a missing key is refused', [{}], [required], []],
  ['an empty key is refused', [{ key: ' ' }], [required], []],
  ['a key of 256 characters is refused', [{ key: `${long}k` }], [required], []],
  ['a key with other characters is refused', [{ key: 'schlüssel' }], [required], []],
  ['a first request is carried out', [{ key: 'k' }], [sent], [to]],
  ['a key of 255 characters is one', [{ key: long }, { key: long }], [sent, again], [to]],
  ['a repetition gets the first answer', [{ key: 'k' }, { key: 'k' }], [sent, again], [to]],
  ['a key in quotes is the same', [{ key: 'k' }, { key: '"k"' }], [sent, again], [to]],
  [
    'a repetition with its fields in another order gets the first answer',
    [{ key: 'k' }, { key: 'k', body: { body: sms.body, to, from: sms.from } }],
    [sent, again],
    [to],
  ],
  [
    'another input with the same key is refused',
    [{ key: 'k' }, { key: 'k', body: smsTo(elsewhere) }],
    [sent, reused],
    [to],
  ],
  [
    'another action with the same key is refused',
    [{ key: 'k' }, { key: 'k', path: '/v1/actions/send-a-message' }],
    [sent, reused],
    [to],
  ],
  ['another key is another action', [{ key: 'k' }, { key: 'l' }], [sent, sent], [to, to]],
  // Stripe's documentation, and whose a key is
  [
    'a key belongs to its caller',
    [{ key: 'k' }, { key: 'k', by: 'another caller' }],
    [sent, sent],
    [to, to],
  ],
  [
    'an input that is refused leaves its key free',
    [{ key: 'k', body: { ...sms, to: 'no number' } }, { key: 'k' }],
    [[400, 'input', 'first'], sent],
    [to],
  ],
  [
    'a body that is no object leaves its key free',
    [{ key: 'k', body: [] }, { key: 'k' }],
    [[400, 'bad-request', 'first'], sent],
    [to],
  ],
  [
    'a failure that sent nothing is tried again',
    [{ key: 'k', before: fault({ name: 'missing', method: 'POST' }) }, { key: 'k' }],
    [[404, 'not-found', 'first'], sent],
    [to],
  ],
  [
    'a failure that sent nothing keeps its key for its input',
    [
      { key: 'k', before: fault({ name: 'missing', method: 'POST' }) },
      { key: 'k', body: smsTo(elsewhere) },
    ],
    [[404, 'not-found', 'first'], reused],
    [],
  ],
  [
    'a lost answer that the log shows is a success',
    [{ key: 'k', before: fault(lost) }, { key: 'k' }],
    [sent, again],
    [to],
  ],
  [
    'an unknown outcome stays unknown until the log shows it, and is sent once',
    [
      {
        key: 'k',
        before() {
          sandbox.faults.add(lost);
          sandbox.faults.add(shownNowhere);
        },
      },
      { key: 'k' },
      { key: 'k', before: () => sandbox.faults.clear() },
      // From now on, it needs no log.
      { key: 'k', before: fault(shownNowhere) },
    ],
    [[502, 'unknown-outcome', 'first'], [502, 'unknown-outcome', 'replayed'], again, again],
    [to],
  ],
  [
    'a key holds across processes and restarts',
    [
      { key: 'k', by: 'another caller' },
      { key: 'k', by: 'another process' },
    ],
    [sent, again],
    [to],
  ],
];

/** Returns how a step calls. */
async function callOf(by: Step['by']): Promise<Call> {
  if (by === undefined) return running.call;
  return by === 'another caller' ? other : callerAt((await openServer(settings())).url, other.text);
}

test.each(cases)('%s', async (name, steps, answers, recipients) => {
  const got: unknown[][] = [];
  for (const { key, body = sms, path = sendPath, by, before } of steps) {
    await before?.();
    const call = await callOf(by);
    const headers = key === undefined ? {} : { 'idempotency-key': keyIn(name, key) };
    got.push(seen(await call(path, { body, headers })));
  }
  expect({ got, recipients: sandbox.messages.map((one) => one.to) }).toEqual({
    ...{ got: answers, recipients },
  });
});

/** A key of a case, which no other case uses. */
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

test('a repetition of a refusal by a limit is sent once the limit allows it', async () => {
  const call = await running.callWith({ ...everything, limits: { perHour: 1 } });
  await act(call, sendPath, sms);
  const key = randomUUID();
  const refused = await act(call, sendPath, sms, key);
  expect(seen(refused)).toEqual([429, 'limit-reached', 'first']);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60);
  expect(refused.body.detail).toContain('Nothing was sent.');
  expect(sandbox.messages).toHaveLength(1);
});
