import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { nodeHttp } from '../../src/builder.ts';
import { errorOf } from '../requests/errors.ts';
import { bundleProgram } from '../support/bundle-program.ts';
import { openProxy } from '../support/proxy.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer } from './raw-server.ts';
import { sms, telephonyAt } from './service.ts';

const limits = { maxAttempts: 1, confirmTimeoutMs: 0 };

test('sends over one connection where Object.prototype is frozen', async () => {
  const program = bundleProgram('test/faults/frozen-child.ts');
  const server = await openRawServer((socket) =>
    socket.write(answer(201, JSON.stringify({ sid: 'SM1', status: 'queued' }))),
  );
  const env = { PATH: process.env.PATH };
  const args = [program, server.url];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env, timeout: 60_000 });
  expect(JSON.parse(stdout)).toEqual(['queued', 'queued']);
  const bodies = server.received.map(({ body }) => new URLSearchParams(body).get('Body'));
  expect(bodies).toEqual(['One', 'Two']);
  expect(server.connections).toBe(1);
});

test('an action that is stopped before it is connected was not sent', async () => {
  const stop = new AbortController();
  const { url } = await openRawServer(() => {}, {
    connected: (socket) => socket.once('data', () => stop.abort()),
  });
  const telephony = telephonyAt(url.replace('http', 'https'), limits, nodeHttp);
  const sent = telephony.run('send-sms', sms, { signal: stop.signal });
  expect((await errorOf(sent)).code).toBe('aborted');
});

test('the reason of a proxy is in the error', async () => {
  const { HTTPS_PROXY } = process.env;
  const proxy = await openProxy((socket) => socket.end('HTTP/1.1 407 x\r\n\r\n'));
  process.env.HTTPS_PROXY = proxy.url;
  const sent = telephonyAt('https://proxied.test', limits, nodeHttp).run('send-sms', sms);
  const { code, message } = await errorOf(sent);
  expect([code, message]).toEqual(['unavailable', expect.stringContaining('it answers 407.')]);
  process.env.HTTPS_PROXY = HTTPS_PROXY;
});
