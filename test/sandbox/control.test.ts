import type { Sandbox } from '../../demo/sandbox/index.ts';
import { get, post, sandboxFor } from './client.ts';

async function steer(sandbox: Sandbox, method: string, path: string, value?: unknown) {
  const headers = { 'content-type': 'application/json' };
  const init = value === undefined ? {} : { headers, body: JSON.stringify(value) };
  const answer = await fetch(`${sandbox.origin}/sandbox${path}`, { method, ...init });
  const text = await answer.text();
  return { status: answer.status, body: text ? JSON.parse(text) : null };
}

const DRAFT = { From: '+14155550100', To: '+12025550143', Body: 'Hello' };

test('the control API reads the state and the messages, changes settings and resets', async () => {
  const sandbox = await sandboxFor({ basePath: '/api/laml' });
  const fresh = {
    account: sandbox.username,
    ...{ calls: 118, recordings: sandbox.recordings.length, messages: 25 },
    ...{ requests: 0, faults: 0 },
    settings: { ignoreRecordingsFrom: true, publicMedia: false },
  };
  expect(await steer(sandbox, 'GET', '/state')).toEqual({ status: 200, body: fresh });

  const settings = { ignoreRecordingsFrom: false, publicMedia: false };
  expect(await steer(sandbox, 'PATCH', '/settings', { ignoreRecordingsFrom: false })).toEqual({
    status: 200,
    body: settings,
  });
  sandbox.faults.add({ name: 'html', method: 'DELETE' });
  const { body: message } = await post(sandbox, '/Messages.json', DRAFT);
  const changed = { ...fresh, messages: 26, requests: 1, faults: 1, settings };
  expect((await steer(sandbox, 'GET', '/state')).body).toEqual(changed);
  expect((await steer(sandbox, 'GET', '/messages')).body[0]).toEqual(message);

  const { messages } = sandbox;
  expect(await steer(sandbox, 'POST', '/reset')).toEqual({ status: 200, body: fresh });
  expect(messages).toHaveLength(25);
});

test('the request log records everything but the password', async () => {
  const sandbox = await sandboxFor();
  const { body } = await post(sandbox, '/Messages.json?a=1&b=%20', DRAFT);
  const { body: log } = await steer(sandbox, 'GET', '/requests');
  expect(log).toEqual([
    {
      method: 'POST',
      path: `/2010-04-01/Accounts/${sandbox.username}/Messages.json`,
      query: 'a=1&b=%20',
      body: 'From=%2B14155550100&To=%2B12025550143&Body=Hello',
      headers: expect.not.objectContaining({ authorization: expect.anything() }),
      user: sandbox.username,
      fault: null,
      status: 201,
      stored: body.sid,
    },
  ]);
  expect(JSON.stringify(log)).not.toContain(sandbox.password);
  expect(await steer(sandbox, 'DELETE', '/requests')).toEqual({ status: 204, body: null });
  expect(sandbox.requests).toEqual([]);
});

test('the request log keeps the last 1,000 requests', async () => {
  const sandbox = await sandboxFor();
  await get(sandbox, '/Calls.json');
  sandbox.requests.push(...Array(999).fill(sandbox.requests[0]));
  await get(sandbox, '/Calls/CA1.json');
  expect([sandbox.requests.length, sandbox.requests.at(-1)?.status]).toEqual([1000, 404]);
});

test('the control API adds, lists and clears faults', async () => {
  const sandbox = await sandboxFor();
  const fault = { name: 'slow', method: 'GET', path: 'Calls', times: 3, delayMs: 5 };
  expect(await steer(sandbox, 'POST', '/faults', fault)).toEqual({ status: 201, body: [fault] });
  await get(sandbox, '/Calls.json');
  expect(await steer(sandbox, 'GET', '/faults')).toEqual({
    status: 200,
    body: [{ ...fault, times: 2 }],
  });
  expect(await steer(sandbox, 'DELETE', '/faults')).toEqual({ status: 204, body: null });
  expect(sandbox.faults.list).toEqual([]);
});

test.each([
  ['/faults', 'POST', { name: 'meteor' }],
  ['/faults', 'POST', { name: 'html', path: '(' }],
  ['/faults', 'POST', { name: 'html', often: true }],
  ['/settings', 'PATCH', { ignoreRecordingsFrom: 'perhaps' }],
])('%s refuses %s of %j', async (path, method, value) => {
  const sandbox = await sandboxFor();
  expect((await steer(sandbox, method, path, value)).status).toBe(400);
  expect([sandbox.faults.list, sandbox.settings.ignoreRecordingsFrom]).toEqual([[], true]);
});

test('the sandbox neither logs control requests nor applies faults to them', async () => {
  const sandbox = await sandboxFor();
  sandbox.faults.add({ name: 'reset-before' });
  expect((await steer(sandbox, 'GET', '/nothing')).status).toBe(404);
  expect((await fetch(sandbox.origin)).status).toBe(200);
  expect([sandbox.faults.list.length, sandbox.requests]).toEqual([1, []]);
});
