import { once } from 'node:events';
import { setTimeout as setTimeoutPromise } from 'node:timers/promises';
import { errorOf } from '../requests/errors.ts';
import { openRawServer } from './open-raw-server.ts';
import { answer, type RawServer } from './raw-server.ts';
import { telephonyAt } from './service.ts';

const limits = { idleTimeoutMs: 1_500, timeoutMs: 2_000, maxAttempts: 1 };
const half = answer(200, 'sound', { 'Content-Type': 'audio/mpeg', 'Content-Length': '10' });

let server: RawServer;

const open = (signal?: AbortSignal) =>
  telephonyAt(server.url, limits).media('recording', 'RE1', { signal });

async function read(stream: AsyncIterable<Uint8Array>, chunk = () => {}): Promise<string> {
  let text = '';
  for await (const part of stream) {
    text += Buffer.from(part);
    chunk();
  }
  return text;
}

test('audio may take longer than the response timeout', async () => {
  server = await openRawServer((socket) => {
    socket.write(half);
    for (const [index, letter] of [...'sound'].entries())
      setTimeout(() => socket.write(letter), 300 * (index + 1));
  });
  const patient = telephonyAt(server.url, { ...limits, idleTimeoutMs: 20_000, timeoutMs: 1_000 });
  expect(await read((await patient.media('recording', 'RE1', {})).stream)).toBe('soundsound');
});

test('a listener may pause longer than the idle timeout', async () => {
  server = await openRawServer((socket) => {
    socket.write(half);
    setTimeout(() => socket.write('sound'), 2_000);
  });
  const stream = (await open()).stream[Symbol.asyncIterator]();
  expect(Buffer.from((await stream.next()).value).toString()).toBe('sound');
  await setTimeoutPromise(2_500);
  expect(Buffer.from((await stream.next()).value).toString()).toBe('sound');
  expect(await stream.next()).toEqual({ done: true, value: undefined });
});

test('audio that stalls fails and closes its connection', async () => {
  server = await openRawServer((socket) => socket.write(half));
  const { stream } = await open();
  const [socket] = server.open;
  const error = await errorOf(read(stream));
  expect([error.code, error.message]).toEqual(['unavailable', 'The download was interrupted.']);
  if (socket && !socket.closed) await once(socket, 'close');
  expect(server.open.size).toBe(0);
});

test('audio whose connection breaks fails', async () => {
  server = await openRawServer((socket) => socket.write(half, () => socket.resetAndDestroy()));
  const error = await errorOf(open().then(({ stream }) => read(stream)));
  expect([error.code, error.message]).toEqual(['unavailable', 'The download was interrupted.']);
});

test('aborting while audio is read closes its connection', async () => {
  server = await openRawServer((socket) => socket.write(half));
  const stop = new AbortController();
  const { stream } = await open(stop.signal);
  const [socket] = server.open;
  const error = await errorOf(read(stream, () => stop.abort()));
  expect(error.code).toBe('aborted');
  if (socket && !socket.closed) await once(socket, 'close');
  expect(server.open.size).toBe(0);
});

test('aborting audio that no one reads closes its connection', async () => {
  server = await openRawServer((socket) => socket.write(half));
  const stop = new AbortController();
  await open(stop.signal);
  const [socket] = server.open;
  stop.abort();
  if (socket && !socket.closed) await once(socket, 'close');
  expect(server.open.size).toBe(0);
});

test('an invalid range is not sent', async () => {
  server = await openRawServer((socket) => socket.end(half));
  const media = telephonyAt(server.url, limits).media('recording', 'RE1', { range: 'bytes=€' });
  const { code, message } = await errorOf(media);
  expect([code, message]).toEqual([
    'unavailable',
    expect.stringContaining(' (ERR_INVALID_CHAR). '),
  ]);
  expect(server.received).toEqual([]);
});

test('a service that sends no response hits the idle timeout', async () => {
  server = await openRawServer(() => {});
  expect((await errorOf(open())).message).toContain('did not respond within 1.5 seconds');
});

test('a switch to another protocol fails at once', async () => {
  const other = 'HTTP/1.1 101 x\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
  server = await openRawServer((socket) => socket.write(other));
  const { code, message } = await errorOf(open());
  expect([code, message]).toEqual([
    'unavailable',
    expect.stringContaining(' broke (ECONNRESET). '),
  ]);
});

const types: [type: string, isAudio: boolean][] = [
  ['audio/mpeg', true],
  ['Audio/X-WAV; rate=8000', true],
  ['text/html', false],
  ['x-audio/mpeg', false],
  ['text/html, audio/mpeg', false],
  ['audio/mpeg, text/html', false],
  ['image/svg+xml', false],
  ['application/octet-stream', false],
  ['', false],
];

test.each(types)('the content type %j counts as audio: %s', async (type, isAudio) => {
  server = await openRawServer((socket) =>
    socket.write(
      answer(200, '<script>1</script>', { 'Content-Type': type, 'Content-Length': '99' }),
    ),
  );
  const opened = open().then(
    ({ headers }) => headers['content-type'],
    ({ code, message, status }) => [code, message, status],
  );
  const refusal = ['bad-answer', 'The service did not return audio.', 200];
  expect(await opened).toEqual(isAudio ? type : refusal);
  if (!isAudio) {
    const [socket] = server.open;
    if (socket && !socket.closed) await once(socket, 'close');
    expect(server.open.size).toBe(0);
  }
});

test('audio is requested uncompressed', async () => {
  server = await openRawServer((socket) => socket.end(half));
  await open();
  expect(server.received[0]?.headers).toMatch(/^Accept-Encoding: identity$/m);
});
