import { once } from 'node:events';
import { openWire } from './open-wire.ts';
import { accountPath, callSid, telephonyAt } from './service.ts';
import { answer } from './wire.ts';

const page = { calls: [{ sid: callSid }], next_page_uri: `${accountPath}/Calls.json?Page=1` };

test('a request whose page nobody asks for any more is stopped', async () => {
  const first = answer(200, JSON.stringify(page));
  const server = await openWire((socket) => {
    if (server.received.length === 1) socket.write(first);
    else socket.emit('second');
  });
  const pages = telephonyAt(server.url).pages('account-calls', {}, { prefetch: true });
  await pages.next();
  const [socket] = server.open;
  if (!socket) throw new Error('Nobody is connected.');
  if (server.received.length < 2) await once(socket, 'second');
  const closed = once(socket, 'close');
  await pages.return();
  await closed;
  expect(server.received).toHaveLength(2);
});
