import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { errorOf } from '../requests/errors.ts';
import { faults } from './fault-table.ts';
import { meet } from './meet.ts';
import { openWire } from './open-wire.ts';
import { hurry, sms, telephonyAt } from './service.ts';

test('every fault has a unique name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

describe.each(faults)('$name', (fault) => {
  test.each(['read', 'write'] as const)('a %s ends as expected', async (operation) => {
    const { outcome } = await meet(fault, operation);
    expect(outcome).toEqual(fault[operation]);
  });
});

// No server of this machine can take away the way to itself, so that the socket is told so.
describe('a route to the service', () => {
  const lost = Object.assign(new Error('EHOSTUNREACH'), { code: 'EHOSTUNREACH' });
  const lose = (socket: Socket) => process.nextTick(() => socket.destroy(lost));
  const moments: [moment: string, (socket: Socket) => void, code: string, tries: number][] = [
    ['before it connects', lose, 'unavailable', 3],
    ['when connected', (socket) => socket.once('ready', () => lose(socket)), 'unknown-outcome', 1],
  ];

  test.each(moments)(
    'that is lost %s has a write retried, or end as unknown',
    async (_, watch, code, tries) => {
      const random = hurry();
      const server = await openWire(() => {});
      let count = 0;
      const onSocket = (message: unknown) => {
        count += 1;
        watch((message as { socket: Socket }).socket);
      };
      subscribe('net.client.socket', onSocket);
      try {
        const run = telephonyAt(server.url, { maxAttempts: 3, confirmTimeoutMs: 0 }).run(
          'send-sms',
          sms,
        );
        expect((await errorOf(run)).code).toBe(code);
        expect(count).toBe(tries);
      } finally {
        unsubscribe('net.client.socket', onSocket);
        random.mockRestore();
      }
    },
  );
});
