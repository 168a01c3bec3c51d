import { post, sandboxFor } from './client.ts';
import { hostRequest } from './host-request.ts';

const shipped = 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002';
const send = { From: '+14155550100', To: '+12025550143', ContentSid: shipped };

test('the sandbox lists its templates in pages with absolute URLs', async () => {
  const sandbox = await sandboxFor({ basePath: '/api/laml' });
  const names: string[] = [];
  let path: string | null = '/v1/Content?PageSize=2';
  for (let pages = 0; path !== null && pages < 5; pages += 1) {
    const { body } = await hostRequest(sandbox, path);
    names.push(...body.contents.map((one: { friendly_name: string }) => one.friendly_name));
    const next: string | null = body.meta.next_page_url;
    expect(next === null || next.startsWith(`${sandbox.url}/v1/Content?`)).toBe(true);
    path = next?.slice(sandbox.url.length) ?? null;
  }
  expect(names).toEqual(['appointment_reminder', 'order_shipped', 'welcome']);
});

test.each([
  ['/v1/Content?PageSize=0', 20007],
  ['/v1/Content?Page=9', 21481],
])('the sandbox refuses %s', async (path, code) => {
  expect((await hostRequest(await sandboxFor(), path)).body).toMatchObject({ code });
});

// Source: the service's documentation of variables in templates, "Using Variables with Content Templates".
test.each([
  [{ 1: 'Bo', 2: '7' }, 'Hi Bo, your order 7 is on its way.'],
  [{ 1: 'Bo' }, 'Hi Bo, your order 1001 is on its way.'],
  [{}, 'Hi Ada, your order 1001 is on its way.'],
])('the sandbox sends the text of a template with %j, or its examples', async (values, text) => {
  const sandbox = await sandboxFor();
  const ContentVariables = JSON.stringify(values);
  const { status, body } = await post(sandbox, '/Messages.json', { ...send, ContentVariables });
  expect([status, body.body]).toEqual([201, text]);
});

test.each([
  [{ ContentSid: 'HX1' }, 21655],
  [{ ContentVariables: '{"1":"Bo","2":""}' }, 21656],
  [{ ContentVariables: '1=Bo' }, 21656],
  [{ ContentVariables: '[]' }, 21656],
])('the sandbox refuses a template with %j', async (given, code) => {
  const { status, body } = await post(await sandboxFor(), '/Messages.json', { ...send, ...given });
  expect([status, body.code]).toEqual([400, code]);
});
