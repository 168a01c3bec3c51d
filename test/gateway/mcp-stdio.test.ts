import type { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { operations } from '../../src/index.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { startProgram } from '../support/start-program.ts';
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
  const logged = text(transport.stderr as NodeJS.ReadableStream as never);
  await client.connect(transport);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(operations.map(({ id }) => id));
  for (const repeated of [undefined, true])
    expect(await client.callTool({ name: 'send-sms', arguments: sms })).toMatchObject({
      structuredContent: { status: 'done', ...(repeated && { repeated }) },
    });
  expect(person.asked).toHaveLength(1);
  expect(sandbox.messages).toHaveLength(before + 1);
  await client.close();
  expect(await logged).toBe('');
});

test('writes only the protocol to its output, and no secret to its log', async () => {
  const sandbox = await openSandbox();
  const env = environmentOf(sandbox);
  await sandbox.close();
  const child = startProgram(process.execPath, [program, 'mcp'], { env, stdio: 'pipe' });
  const { stdin, stdout, stderr } = child as ReturnType<typeof spawn> as never as {
    stdin: NodeJS.WritableStream;
    stdout: NodeJS.ReadableStream;
    stderr: NodeJS.ReadableStream;
  };
  const outputs = Promise.all([text(stdout as never), text(stderr as never)]);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo };
  const call = { name: 'account-messages', arguments: { limit: 1 } };
  const requests = [
    { id: 1, method: 'initialize', params },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { ...call } },
  ];
  for (const request of requests)
    stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...request })}\n`);
  stdin.write('this is no protocol\n');
  const lines: string[] = [];
  for await (const chunk of stdout) {
    lines.push(...String(chunk).split('\n').filter(Boolean));
    if (lines.some((line) => JSON.parse(line).id === 2)) break;
  }
  stdin.end();
  await once(child, 'exit');
  const [, log] = await outputs;
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' });
  for (const secret of [sandbox.password]) expect(lines.join() + log).not.toContain(secret);
});
