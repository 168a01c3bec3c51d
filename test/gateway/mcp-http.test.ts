import type { AddressInfo } from 'node:net';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { openGateway } from '../../plugin/gateway/gateway.ts';
import { createServer } from '../../plugin/gateway/http/server.ts';
import { addKey, type Rights, revokeKey } from '../../plugin/gateway/keys.ts';
import { readSettings } from '../../plugin/gateway/settings.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { everything } from './open-gateway.ts';
import { createClient, type Era, environmentOf, Person, yes } from './open-mcp.ts';

const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello.', idempotencyKey: 'one' };

/** Opens a sandbox and a gateway over HTTP. */
async function open(settings: Record<string, string> = {}, shared?: Sandbox) {
  const sandbox = shared ?? (await openSandbox());
  const gateway = openGateway(readSettings({ ...environmentOf(sandbox), ...settings }));
  closeAfterwards(gateway);
  const server = closeAfterwards(await createServer(gateway));
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const before = sandbox.messages.length;
  const keyFor = (rights: Partial<Rights> = {}) =>
    addKey(gateway.store, 'agent', { ...everything, ...rights });
  async function connect(era: Era, text: string, person?: Person) {
    const client = closeAfterwards(createClient(era, person));
    const headers = { authorization: `Bearer ${text}` };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    return client;
  }
  return {
    sandbox,
    gateway,
    server,
    url,
    keyFor,
    connect,
    sent: () => sandbox.messages.length - before,
  };
}

describe.each<Era>([2025, 2026])('a client of %s over HTTP', (era) => {
  test('asks the person', async () => {
    const { keyFor, connect, sent } = await open();
    const person = new Person(yes);
    const { text } = await keyFor();
    const client = await connect(era, text, person);
    for (const repeated of [undefined, true])
      expect(await client.callTool({ name: 'send-sms', arguments: sms })).toMatchObject({
        structuredContent: { status: 'done', ...(repeated && { repeated }) },
      });
    expect(person.asked).toHaveLength(1);
    expect(sent()).toBe(1);
  });

  test('is refused if it can ask no one', async () => {
    const { keyFor, connect, sent } = await open();
    const client = await connect(era, (await keyFor()).text);
    expect(await client.callTool({ name: 'send-sms', arguments: sms })).toMatchObject({
      structuredContent: { code: 'settings', field: 'mcpTwoCalls' },
    });
    expect(sent()).toBe(0);
  });

  test('has the rights and limits of its key', async () => {
    const { keyFor, connect, sent } = await open({ TELEPHONY_MCP_UNASKED: 'send-sms' });
    const { text } = await keyFor({
      ...{ read: ['account-messages'], act: ['send-sms'], senders: [sms.from] },
      limits: { perHour: 1 },
    });
    const client = await connect(era, text);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['account-messages', 'send-sms']);
    const send = (values: object) =>
      client.callTool({ name: 'send-sms', arguments: { ...sms, ...values } });
    expect(await send({ from: '+14155550101' })).toMatchObject({ isError: true });
    expect(await send({})).toMatchObject({ structuredContent: { status: 'done' } });
    expect(await send({ idempotencyKey: 'two' })).toMatchObject({
      structuredContent: { code: 'limit-reached' },
    });
    expect(sent()).toBe(1);
  });
});

test('no one gets in without a key, with a wrong one or a revoked one', async () => {
  const { gateway, url, keyFor, connect } = await open();
  const { text, key } = await keyFor();
  await connect(2026, text);
  await revokeKey(gateway.store, key.id);
  for (const authorization of ['', 'Bearer x', `Bearer ${text}`])
    for (const method of ['GET', 'POST', 'DELETE']) {
      const { status } = await fetch(url, { method, headers: { authorization } });
      expect(status).toBe(401);
    }
});

test('a session belongs to the key that opened it', async () => {
  const { url, keyFor } = await open();
  const [own, other] = [await keyFor(), await keyFor()];
  const send = (text: string, body: object, headers: Record<string, string> = {}) =>
    fetch(url, {
      ...{ method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) },
      headers: {
        ...{ authorization: `Bearer ${text}`, 'content-type': 'application/json' },
        ...{ accept: 'application/json, text/event-stream', ...headers },
      },
    });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const opened = await send(own.text, { method: 'initialize', params });
  await opened.body?.cancel();
  const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
  const statusOf = async (text: string, headers?: Record<string, string>) => {
    const { status, body } = await send(text, { method: 'tools/list' }, headers);
    await body?.cancel();
    return status;
  };
  expect(await statusOf(own.text, session)).toBe(200);
  expect(await statusOf(other.text, session)).toBe(404);
  expect(await statusOf(own.text)).toBe(400);
});

test('the server closes although clients are connected', async () => {
  const { server, keyFor, connect } = await open();
  for (const era of [2025, 2026] as const) await connect(era, (await keyFor()).text);
  await expect(server.close()).resolves.toBeUndefined();
});

test('the session that was not used for longest ends if a key opens too many', async () => {
  const { keyFor, connect } = await open();
  const { text } = await keyFor();
  const clients = [];
  for (let count = 0; count < 21; count += 1) {
    clients.push(await connect(2025, text));
    await clients[0]?.listTools();
  }
  await expect(clients[0]?.listTools()).resolves.toBeDefined();
  await expect(clients[1]?.listTools()).rejects.toThrow('There is no such session.');
});

test('the token of a preview counts once in all processes that share a PostgreSQL', async () => {
  const settings = {
    ...{ DATABASE_URL: await startPostgres(), TELEPHONY_MCP_TWO_CALLS: 'send-sms' },
  };
  const one = await open(settings);
  const other = await open(settings, one.sandbox);
  const { text } = await one.keyFor();
  const clients = await Promise.all([one, other].map(({ connect }) => connect(2026, text)));
  const send = (index: number, more: object = {}) =>
    clients[index]?.callTool({ name: 'send-sms', arguments: { ...sms, ...more } });
  const preview = await send(0);
  const { confirmationToken } = Object(preview?.structuredContent);
  expect(await send(1, { confirmationToken })).toMatchObject({
    structuredContent: { status: 'done' },
  });
  expect(await send(0, { confirmationToken })).toMatchObject({
    structuredContent: { status: 'done', repeated: true },
  });
  for (const index of [0, 1])
    expect(await send(index, { confirmationToken, idempotencyKey: 'two' })).toMatchObject({
      structuredContent: { code: 'input', field: 'confirmationToken' },
    });
  expect(one.sent()).toBe(1);
});

test('the state of a question is no token of a preview', async () => {
  const { keyFor, connect, sent } = await open({ TELEPHONY_MCP_TWO_CALLS: 'send-sms' });
  const { text } = await keyFor();
  const asking = await connect(2026, text, new Person(yes));
  const asked = await asking.callTool(
    { name: 'send-sms', arguments: sms },
    { allowInputRequired: true },
  );
  const confirmationToken = Reflect.get(asked, 'requestState');
  expect(confirmationToken).toEqual(expect.any(String));
  const other = await connect(2026, text);
  expect(
    await other.callTool({ name: 'send-sms', arguments: { ...sms, confirmationToken } }),
  ).toMatchObject({ structuredContent: { code: 'input', field: 'confirmationToken' } });
  expect(sent()).toBe(0);
});
