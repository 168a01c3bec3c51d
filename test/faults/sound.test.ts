import { once } from 'node:events';
import { errorOf } from '../requests/errors.ts';
import { openWire } from './open-wire.ts';
import { telephonyAt } from './service.ts';
import { answer, type Wire } from './wire.ts';

const limits = { silence: 500, answer: 1_000, tries: 1 };
const half = answer(200, 'sound', { 'Content-Type': 'audio/mpeg', 'Content-Length': '10' });

let server: Wire;

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

test('a sound may take longer than an answer, and pause longer than silence', async () => {
  server = await openWire((socket) => {
    socket.write(half);
    setTimeout(() => socket.write('sound'), 1_500);
  });
  expect(await read((await open()).stream)).toBe('soundsound');
});

test('a sound that breaks off says so', async () => {
  server = await openWire((socket) => socket.write(half, () => socket.resetAndDestroy()));
  const error = await errorOf(open().then(({ stream }) => read(stream)));
  expect([error.code, error.message]).toEqual(['unavailable', 'The recording broke off.']);
});

test('a sound is stopped while it is read, and its connection closed', async () => {
  server = await openWire((socket) => socket.write(half));
  const stop = new AbortController();
  const { stream } = await open(stop.signal);
  const [socket] = server.open;
  const error = await errorOf(read(stream, () => stop.abort()));
  expect(error.code).toBe('unavailable');
  if (socket && !socket.closed) await once(socket, 'close');
  expect(server.open.size).toBe(0);
});

test('a sound that is not read is stopped too', async () => {
  server = await openWire((socket) => socket.write(half));
  const stop = new AbortController();
  await open(stop.signal);
  const [socket] = server.open;
  stop.abort();
  if (socket && !socket.closed) await once(socket, 'close');
  expect(server.open.size).toBe(0);
});

test('silence before a sound is not waited out', async () => {
  server = await openWire(() => {});
  expect((await errorOf(open())).message).toContain('did not answer within 0.5 seconds');
});

test('a sound is asked for as it is', async () => {
  server = await openWire((socket) => socket.end(half));
  await open();
  expect(server.received[0]?.headers).toMatch(/^Accept-Encoding: identity$/m);
});
