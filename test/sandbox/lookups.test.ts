import { sandboxFor } from './client.ts';
import { hostRequest } from './host-request.ts';

test.each([
  ['+12025550143', true, 'mobile'],
  ['+12025550149', true, 'landline'],
  ['+12025550148', true, 'nonFixedVoip'],
  ['+18005550143', true, 'tollFree'],
  ['+15005550001', false, undefined],
  ['+1202', false, undefined],
])('the sandbox looks up %s', async (number, valid, type) => {
  const sandbox = await sandboxFor();
  const path = `/v2/PhoneNumbers/${encodeURIComponent(number)}`;
  const { status, body } = await hostRequest(sandbox, `${path}?Fields=line_type_intelligence`);
  expect(status).toBe(200);
  expect(body).toMatchObject({ phone_number: number, valid });
  expect(body.line_type_intelligence?.type).toBe(type);
  expect((await hostRequest(sandbox, path)).body.line_type_intelligence).toBeNull();
});

test('the sandbox finds no number that is none', async () => {
  const { status, body } = await hostRequest(await sandboxFor(), '/v2/PhoneNumbers/ada');
  expect([status, body.code]).toEqual([404, 20404]);
});

test.each(['', '/api/laml'])(
  'the sandbox looks up a number only with its credentials, below the base path “%s”',
  async (basePath) => {
    const sandbox = await sandboxFor({ basePath });
    const path = '/v2/PhoneNumbers/%2B12025550143';
    const of = (password: string) => hostRequest({ ...sandbox, password }, path);
    expect((await of(sandbox.password)).body.valid).toBe(true);
    expect(await of('wrong')).toMatchObject({ status: 401, body: { code: 20003 } });
  },
);
