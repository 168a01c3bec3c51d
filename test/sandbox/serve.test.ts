import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { SANDBOX_PASSWORD, SANDBOX_USERNAME, startSandbox } from '../../demo/sandbox/index.ts';
import { bundleProgram } from '../support/bundle-program.ts';
import { startProgram } from '../support/start-program.ts';
import { sandboxFor } from './client.ts';

const file = 'demo/sandbox/serve.ts';
let program: string;
beforeAll(() => {
  program = bundleProgram(file);
});

function serve(...options: string[]) {
  return start(program, ...options);
}

function start(...args: string[]) {
  const child = startProgram(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const { stdout, stderr } = child as ChildProcess & { stdout: Readable; stderr: Readable };
  return { child, output: text(stdout), complaint: text(stderr) };
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  'the sandbox prints its URL and ends on %s',
  async (signal) => {
    const { child, output } = serve('--port', '0');
    const [ready] = await once(child, 'message');
    expect(ready).toEqual({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      username: SANDBOX_USERNAME,
      password: SANDBOX_PASSWORD,
    });
    expect((await fetch(ready.url)).status).toBe(200);
    child.kill(signal);
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await output).toBe(
      `Telephony sandbox ready at ${ready.url} (username ${SANDBOX_USERNAME}, password ${SANDBOX_PASSWORD})\n`,
    );
  },
);

test('--help lists each option', async () => {
  // As `npm run sandbox` starts it.
  const { child, output } = start('--import', 'tsx', file, '--help');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect((await output).match(/--[a-z-]+/g)?.sort()).toEqual([
    ...['--file', '--host', '--limit', '--port', '--public-media', '--report-to'],
  ]);
});

test('a port in use ends the sandbox with a clear error and exit code 1', async () => {
  const { port } = new URL((await sandboxFor()).origin);
  const { child, complaint } = serve('--port', port);
  expect(await once(child, 'exit')).toEqual([1, null]);
  expect(await complaint).toBe(
    `Port ${port} is in use. Stop the program that uses it, or choose another one with --port.\n`,
  );
});

test.each([
  [{ host: '0.0.0.0' }, 'it is for this machine only'],
  [{ host: '127.0.0.1.example.com' }, 'it is for this machine only'],
  [{ basePath: '/api/' }, 'has to look like /api/laml'],
  [{ basePath: 'api' }, 'has to look like /api/laml'],
])('the sandbox refuses the options %j', async (options, reason) => {
  await expect(startSandbox(options)).rejects.toThrow(reason);
});

test('with --report-to, every number reports messages and calls there', async () => {
  const url = 'http://127.0.0.1:9/events';
  const { child } = serve('--port', '0', '--report-to', url);
  const [{ url: sandbox }] = await once(child, 'message');
  const settings = { smsUrl: url, voiceUrl: url, statusCallback: url };
  const response = await fetch(new URL('/sandbox/numbers', sandbox));
  expect(await response.json()).toEqual({ '+14155550100': settings, '+14155550101': settings });
});
