import type { Fault, Sandbox } from '../../demo/sandbox/index.ts';
import { until } from '../support/until.ts';
import { errorPayload, get, post, request, sandboxFor } from './client.ts';

const DRAFT = { From: '+14155550100', To: '+12025550143', Body: 'Hello' };

/** Sends a message, and returns what the client sees and how many messages were stored. */
async function outcome(sandbox: Sandbox) {
  const before = sandbox.messages.length;
  const seen = await request(sandbox, 'POST', '/Messages.json', {
    body: new URLSearchParams(DRAFT),
  })
    .then(async (answer) => ({
      status: answer.status,
      type: answer.headers.get('content-type'),
      retryAfter: answer.headers.get('retry-after'),
      body: await answer.text().catch(() => 'cut off'),
    }))
    .catch(() => 'no answer');
  return { seen, stored: sandbox.messages.length - before };
}

const JSON_TYPE = 'application/json; charset=utf-8';

function refusal(code: number, status: number, message: string, retryAfter: string | null = null) {
  const body = JSON.stringify(errorPayload(code, status, message).body);
  return { status, type: JSON_TYPE, retryAfter, body };
}

const BAD_GATEWAY =
  '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>';
const html = { status: 502, type: 'text/html', retryAfter: null, body: BAD_GATEWAY };
const empty = { status: 200, type: JSON_TYPE, retryAfter: null, body: '' };
const truncated = { status: 201, type: 'application/json', retryAfter: null, body: 'cut off' };
const sent = {
  status: 201,
  type: JSON_TYPE,
  retryAfter: null,
  body: expect.stringContaining('SM'),
};

test.each([
  [{ name: 'rate-limited' }, refusal(20429, 429, 'Too Many Requests'), 0],
  [{ name: 'rate-limited', retryAfter: 2 }, refusal(20429, 429, 'Too Many Requests', '2'), 0],
  [{ name: 'server-error' }, refusal(20500, 500, 'Internal Server Error'), 0],
  [{ name: 'server-error', status: 503 }, refusal(20503, 503, 'Service Unavailable'), 0],
  [{ name: 'reset-before' }, 'no answer', 0],
  [{ name: 'reset-after' }, 'no answer', 1],
  [{ name: 'slow', delayMs: 1 }, sent, 1],
  [{ name: 'truncated' }, truncated, 1],
  [{ name: 'html' }, html, 0],
  [{ name: 'empty' }, empty, 1],
] satisfies [Fault, unknown, number][])(
  'the fault %j has its effect on one request, then ends',
  async (fault, seen, stored) => {
    const sandbox = await sandboxFor();
    sandbox.faults.add(fault);
    expect(await outcome(sandbox)).toEqual({ seen, stored });
    expect(await outcome(sandbox)).toEqual({ seen: sent, stored: 1 });
    const cut = seen === 'no answer';
    expect(
      sandbox.requests.map((one) => [one.fault, one.status === null, one.stored !== null]),
    ).toEqual([
      [fault.name, cut, stored === 1],
      [null, false, true],
    ]);
  },
);

test('a slow response stores its record before the delay ends', async () => {
  const sandbox = await sandboxFor();
  const before = sandbox.messages.length;
  sandbox.faults.add({ name: 'slow', delayMs: 60_000 });
  const given = new AbortController();
  const body = new URLSearchParams(DRAFT);
  const answer = request(sandbox, 'POST', '/Messages.json', { body, signal: given.signal });
  answer.catch(() => {});
  await until(() => sandbox.messages.length > before);
  expect(sandbox.requests[0]?.status).toBeNull();
  given.abort();
  await expect(answer).rejects.toThrow('aborted');
});

test('a fault applies only to its method and path, and faults apply in order', async () => {
  const sandbox = await sandboxFor();
  sandbox.faults.add({ name: 'html', method: 'post', times: 2 });
  sandbox.faults.add({ name: 'server-error', path: 'Calls\\.json\\?.*Page=1' });
  const statuses = [
    (await get(sandbox, '/Calls.json?PageSize=9')).status,
    (await post(sandbox, '/Messages.json', DRAFT)).status,
    (await get(sandbox, '/Calls.json?Page=1')).status,
    (await post(sandbox, '/Messages.json', DRAFT)).status,
    (await post(sandbox, '/Messages.json', DRAFT)).status,
  ];
  expect(statuses).toEqual([200, 502, 500, 502, 201]);
  expect(sandbox.faults.list).toEqual([]);
});

test('the same seed draws the same faults, another seed others', async () => {
  const draws = async (seed: number) => {
    const sandbox = await sandboxFor({ seed });
    sandbox.faults.add({ name: 'server-error', probability: 0.5, times: 100 });
    const statuses: number[] = [];
    for (let i = 0; i < 12; i++)
      statuses.push((await get(sandbox, '/Calls.json?PageSize=1')).status);
    return statuses;
  };
  const first = await draws(7);
  expect(new Set(first)).toEqual(new Set([200, 500]));
  expect(await draws(7)).toEqual(first);
  expect(await draws(8)).not.toEqual(first);
});

test('the sandbox refuses a fault whose path is no regular expression', async () => {
  const sandbox = await sandboxFor();
  expect(() => sandbox.faults.add({ name: 'html', path: '(' })).toThrow(SyntaxError);
});
