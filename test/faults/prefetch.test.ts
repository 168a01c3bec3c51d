import { once } from 'node:events';
import type { Socket } from 'node:net';
import { openRawServer } from './open-raw-server.ts';
import { answer } from './raw-server.ts';
import { accountPath, callSid, telephonyAt } from './service.ts';

const page = { calls: [{ sid: callSid }], next_page_uri: `${accountPath}/Calls.json?Page=1` };

test('a prefetch request is aborted when its page is no longer needed', async () => {
  let arrive: (socket: Socket) => void;
  const second = new Promise<Socket>((resolve) => {
    arrive = resolve;
  });
  const server = await openRawServer((socket) => {
    if (server.received.length === 1) socket.write(answer(200, JSON.stringify(page)));
    else arrive(socket);
  });
  const pages = telephonyAt(server.url).pages('account-calls', {}, { prefetch: true });
  await pages.next();
  const closed = once(await second, 'close');
  await pages.return();
  await closed;
  expect(server.received).toHaveLength(2);
});
