import { randomBytes } from 'node:crypto';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { errorOf } from '../requests/errors.ts';
import { rawService, writes, writesAndEnds, writesAndResets } from './faulty-services.ts';
import { answer } from './raw-server.ts';
import { callSid, telephonyAt } from './service.ts';

// Incompressible, so that it needs several chunks.
const status = randomBytes(75_000).toString('base64');
const body = JSON.stringify({ sid: callSid, status });

const ways: [name: string, encoding: string, bytes: Buffer][] = [
  ['gzip', 'gzip', gzipSync(body)],
  ['gzip by its old name', 'x-gzip', gzipSync(body)],
  ['gzip in capitals', 'GZIP', gzipSync(body)],
  [
    'gzip in two parts',
    'gzip',
    Buffer.concat([gzipSync(body.slice(0, 9)), gzipSync(body.slice(9))]),
  ],
  ['deflate', 'deflate', deflateSync(body)],
  ['deflate without its header', 'deflate', deflateRawSync(body)],
  ['brotli', 'br', brotliCompressSync(body)],
  ['no compression', 'identity', Buffer.from(body)],
];

describe.each(ways)('an answer with %s', (_, encoding, bytes) => {
  const headers = { 'Content-Encoding': encoding };
  const whole = answer(200, bytes, headers);
  const cut = whole.subarray(0, -9);

  test('is decompressed', async () => {
    const service = await rawService(writes(whole))();
    const call = await telephonyAt(service.url).run('view-a-call', { callSid });
    expect(call.status).toBe(status);
  });

  test.each([
    ['ends', writesAndEnds(cut)],
    ['breaks', writesAndResets(cut)],
  ])('that %s too early causes an error', async (__, writes) => {
    const service = await rawService(writes)();
    const run = telephonyAt(service.url, { maxAttempts: 1 }).run('view-a-call', { callSid });
    const error = await errorOf(run);
    expect(error.code).toBe('unavailable');
    expect(error.message).toContain('broke (ERR_BAD_RESPONSE)');
  });

  test('that the service truncated causes an error', async () => {
    const service = await rawService(writes(answer(200, bytes.subarray(0, -99), headers)))();
    const run = telephonyAt(service.url).run('view-a-call', { callSid });
    const { code, message } = await errorOf(run);
    expect([code, message]).toEqual(['bad-answer', expect.stringContaining('could not be read')]);
  });

  test('that exceeds the size limit causes an error', async () => {
    const service = await rawService(writes(whole))();
    const run = telephonyAt(service.url, { maxResponseBytes: 99_999 }).run('view-a-call', {
      callSid,
    });
    expect((await errorOf(run)).message).toContain('is too large. Use a smaller page size');
  });
});
