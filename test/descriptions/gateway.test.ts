import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openServer, smsTo } from '../gateway/open-gateway.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runClient, runTool, tools } from './tools.ts';

const message = smsTo('+12025550143');

/** Opens a gateway for a client that sends a message and lists messages, and stores its description. */
async function openDescribed() {
  const { username, password, url: baseUrl, messages } = await openSandbox();
  messages.length = 0;
  const { url, callWith } = await openServer({ account: { username, password, baseUrl } });
  const { text } = await callWith({
    act: ['send-sms'],
    read: ['account-messages'],
    senders: 'all',
  });
  const description = join(temporaryFolder('gateway-description'), 'openapi.json');
  writeFileSync(description, await (await fetch(`${url}/openapi.json`)).text());
  return { url, text, description, messages };
}

test("a client generated from the gateway's description compiles, and sends once", async () => {
  const { url, text, description, messages } = await openDescribed();
  const output = await runClient('gateway-client.ts', description, {
    ...{ baseUrl: url, key: text, message },
  });
  const sids = messages.map(({ sid }) => sid);
  expect(messages.map(({ to, body }) => ({ to, body }))).toEqual([
    { to: message.to, body: message.body },
  ]);
  expect(output.trim().split('\n')).toEqual([...sids, ...sids, ...sids]);
});

test("Lowcoder's client, which imports the gateway's description, sends once and lists", async () => {
  const { url, text, description, messages } = await openDescribed();
  const send = {
    ...{ operationId: 'send-sms', parameters: { 'Idempotency-Key': 'order-1042' } },
    body: message,
  };
  const list = { operationId: 'account-messages', parameters: { to: message.to, limit: 10 } };
  const none = { operationId: 'account-messages', parameters: {} };
  const sent = { baseUrl: url, authorized: { key: text }, calls: [send, send, list, none] };
  const output = await runTool(tools, 'execute.mjs', description, JSON.stringify(sent));
  const [{ sid } = { sid: '' }, ...others] = messages;
  const record = expect.objectContaining({ sid, ...message });
  expect(JSON.parse(output)).toEqual([
    ...Array(2).fill({ status: 200, body: record }),
    { status: 200, body: { records: [record], cursor: null } },
    { status: 400, body: expect.objectContaining({ code: 'input', field: 'from' }) },
  ]);
  expect(others).toEqual([]);
});
