import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { operations } from '../../src/index.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { readDocument, snippetsOf } from '../support/document.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { startProgram } from '../support/start-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';
import { createClient, type Era, environmentOf, Person, yes } from './open-mcp.ts';

const program = join(root, 'dist/gateway/telephony-gateway.js');
const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello.', idempotencyKey: 'one' };

test.each<Era>([2025, 2026])('a client of %s uses the built program', async (era) => {
  const sandbox = await openSandbox();
  const before = sandbox.messages.length;
  const person = new Person(yes);
  const client = closeAfterwards(createClient(era, person));
  const transport = new StdioClientTransport({
    ...{ command: process.execPath, args: [program, 'mcp'], stderr: 'pipe' },
    env: environmentOf(sandbox),
  });
  const logged = text(transport.stderr as Readable);
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(operations.slice(0, 30).map(({ id }) => id));
  for (const repeated of [undefined, true])
    expect(await client.callTool({ name: 'send-sms', arguments: sms })).toMatchObject({
      structuredContent: { status: 'done', ...(repeated && { repeated }) },
    });
  expect(person.asked).toHaveLength(1);
  expect(sandbox.messages).toHaveLength(before + 1);
  await client.close();
  expect(await logged).toBe('');
});

test('the documented settings of a client work', async () => {
  const sandbox = await openSandbox();
  const [snippet = ''] = snippetsOf(readDocument('docs/builders/gateway.md'), 'json');
  const { command, args, env } = JSON.parse(snippet).mcpServers.telephony;
  const { url: baseUrl, username, password } = sandbox;
  const folder = temporaryFolder('gateway');
  const settings = join(folder, 'telephony.json');
  await writeFile(settings, JSON.stringify({ username, password, baseUrl }));
  const file = join(folder, 'telephony/gateway.sqlite');
  expect(Object.keys(env)).toEqual(['TELEPHONY_SETTINGS', 'TELEPHONY_DATABASE_FILE']);
  const { bin } = JSON.parse(await readFile(join(root, 'dist/gateway/package.json'), 'utf8'));
  const client = closeAfterwards(createClient(2025));
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'dist/gateway', bin[command]), ...args],
      env: { TELEPHONY_SETTINGS: settings, TELEPHONY_DATABASE_FILE: file },
    }),
  );
  expect(await client.callTool({ name: 'account-balance', arguments: {} })).toMatchObject({
    structuredContent: { record: { currency: 'USD' } },
  });
});

test('an action whose client leaves is finished, and its repetition sends nothing', async () => {
  const sandbox = await openSandbox();
  const before = sandbox.messages.length;
  const env = { ...environmentOf(sandbox), TELEPHONY_MCP_UNASKED: 'send-sms' };
  const connect = async () => {
    const client = closeAfterwards(createClient(2026));
    const options = { command: process.execPath, args: [program, 'mcp'], env };
    await client.connect(new StdioClientTransport(options));
    return client;
  };
  const leaving = await connect();
  sandbox.faults.add({ name: 'slow', method: 'POST', delayMs: 500 });
  const left = leaving.callTool({ name: 'send-sms', arguments: sms }).catch(() => {});
  await until(() => sandbox.messages.length > before);
  await leaving.close();
  await left;
  const client = await connect();
  expect(await client.callTool({ name: 'send-sms', arguments: sms })).toMatchObject({
    structuredContent: { status: 'done', repeated: true },
  });
  expect(sandbox.messages).toHaveLength(before + 1);
});

test('writes only the protocol to its output, and no secret to its log', async () => {
  const sandbox = await openSandbox();
  const secret = 'a-wrong-password-0123456789abcdef';
  const env = { ...environmentOf(sandbox), TELEPHONY_PASSWORD: secret };
  const child = startProgram(process.execPath, [program, 'mcp'], { env });
  const { stdin, stdout, stderr } = child;
  if (!stdin || !stdout || !stderr) throw new Error('The program has no pipes.');
  const logged = text(stderr);
  const lines: string[] = [];
  const answered = new Promise<void>((resolve) => {
    createInterface(stdout).on('line', (line) => {
      lines.push(line);
      if (line.includes('"id":2')) resolve();
    });
  });
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  stdin.write('this is no protocol\n');
  for (const request of [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    {
      id: 2,
      method: 'tools/call',
      params: { name: 'account-messages', arguments: { to: '*', limit: 1 } },
    },
  ])
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  await answered;
  stdin.end();
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 2, result: { structuredContent: { code: 'unauthorised' } } },
  ]);
  expect(lines.join() + (await logged)).not.toContain(secret);
});
