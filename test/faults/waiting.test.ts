import type { TelephonyError } from '../../src/builder.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer } from './raw-server.ts';
import { accountPath, skipRetryWaits, sms, telephonyAt } from './service.ts';

afterEach(() => jest.restoreAllMocks());

const created = answer(201, JSON.stringify({ sid: 'SM1' }));
const codeOf = (run: Promise<unknown>) =>
  run.then(
    () => 'done',
    (error: TelephonyError) => error.code,
  );

test('the waiting signal stops queued requests, not those in progress', async () => {
  const stop = new AbortController();
  const server = await openRawServer((socket) => {
    stop.abort();
    socket.write(created);
  });
  const telephony = telephonyAt(server.url, { concurrency: 1 });
  const run = (last: number, waitSignal?: AbortSignal) =>
    codeOf(telephony.run('send-sms', { ...sms, to: `+1202555010${last}` }, { waitSignal }));
  const sends = [1, 2, 3].map((last) => run(last, stop.signal));
  expect(await Promise.all(sends)).toEqual(['done', 'aborted', 'aborted']);
  expect(await run(4, stop.signal)).toBe('aborted');
  expect(await run(5)).toBe('done');
  expect(server.received).toHaveLength(2);
});

test('the waiting signal stops waiting for a retry', async () => {
  const stop = new AbortController();
  const server = await openRawServer((socket) =>
    socket.write(answer(429, '', { 'Retry-After': '20' })),
  );
  skipRetryWaits().mockImplementation(() => {
    setImmediate(() => stop.abort());
    return 0;
  });
  const telephony = telephonyAt(server.url);
  expect(await codeOf(telephony.run('send-sms', sms, { waitSignal: stop.signal }))).toBe('aborted');
  expect(server.received).toHaveLength(1);
});

test('the waiting signal stops before the next page', async () => {
  const stop = new AbortController();
  const page = { calls: [{ sid: 'CA1' }], next_page_uri: `${accountPath}/Calls.json?Page=1` };
  const server = await openRawServer((socket) => socket.write(answer(200, JSON.stringify(page))));
  const pages = telephonyAt(server.url).pages('account-calls', {}, { waitSignal: stop.signal });
  await pages.next();
  stop.abort();
  expect(await codeOf(pages.next())).toBe('aborted');
  expect(server.received).toHaveLength(1);
});
