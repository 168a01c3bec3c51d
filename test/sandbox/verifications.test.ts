import type { Sandbox } from '../support/open-sandbox.ts';
import { sandboxFor } from './client.ts';
import { hostRequest } from './host-request.ts';

const To = '+12025550143';
const path = '/v2/Services/VA1';
const start = (sandbox: Sandbox, form: object = {}) =>
  hostRequest(sandbox, `${path}/Verifications`, { To, Channel: 'sms', ...form });
const check = (sandbox: Sandbox, Code: string) =>
  hostRequest(sandbox, `${path}/VerificationCheck`, { To, Code });

test('a code is pending until the right one is checked, and is then gone', async () => {
  const sandbox = await sandboxFor();
  expect(await start(sandbox)).toMatchObject({ status: 201, body: { to: To, status: 'pending' } });
  expect((await check(sandbox, '000000')).body.status).toBe('pending');
  expect((await check(sandbox, '123456')).body.status).toBe('approved');
  expect(await check(sandbox, '123456')).toMatchObject({ status: 404, body: { code: 20404 } });
});

test('a code can be checked and sent five times, for ten minutes', async () => {
  const sandbox = await sandboxFor();
  for (let count = 0; count < 5; count += 1) {
    expect((await start(sandbox)).status).toBe(201);
    expect((await check(sandbox, '1')).status).toBe(201);
  }
  expect(await start(sandbox)).toMatchObject({ status: 429, body: { code: 60203 } });
  expect(await check(sandbox, '123456')).toMatchObject({ status: 429, body: { code: 60202 } });
  sandbox.pass(600);
  expect(await check(sandbox, '123456')).toMatchObject({ status: 404 });
  expect((await start(sandbox)).status).toBe(201);
});

test.each([[{ To: 'ada' }], [{ Channel: 'fax' }]])('the sandbox refuses %j', async (form) => {
  expect(await start(await sandboxFor(), form)).toMatchObject({ body: { code: 60200 } });
});
