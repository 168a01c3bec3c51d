import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openServer, smsTo } from '../gateway/open-gateway.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { runClient } from './tools.ts';

test("a client generated from the gateway's description compiles, and sends once", async () => {
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
  const message = smsTo('+12025550143');
  const output = await runClient('gateway-client.ts', description, {
    ...{ baseUrl: url, key: text, message },
  });
  const sids = messages.map(({ sid }) => sid);
  expect(messages.map(({ to, body }) => ({ to, body }))).toEqual([
    { to: message.to, body: message.body },
  ]);
  expect(output.trim().split('\n')).toEqual([...sids, ...sids, ...sids]);
});
