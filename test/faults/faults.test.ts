import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { nodeHttp } from '../../src/builder.ts';
import { errorOf } from '../requests/errors.ts';
import { faults } from './fault-table.ts';
import { leaks } from './leaks.ts';
import { openRawServer } from './open-raw-server.ts';
import { runFaults } from './run-against-fault.ts';
import { skipRetryWaits, sms, telephonyAt } from './service.ts';

test('every fault has a unique name', () => {
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});

test('more than 200 operations of the table end with an error', () => {
  const ends = faults.flatMap(({ read, write }) => [read, write]);
  expect(ends.filter(({ error }) => error).length).toBeGreaterThan(200);
});

describe('each fault', () => {
  const ways = [
    ['read', 'axios', undefined],
    ['write', 'axios', undefined],
    ['read', 'node:http', nodeHttp],
    ['write', 'node:http', nodeHttp],
  ] as const;
  const ended = runFaults(faults, ways);

  describe.each(faults)('$name', (fault) => {
    test.each(ways)(
      'a %s over %s ends as expected, and shows no secret',
      async (operation, over) => {
        const { outcome, error } = await ended(fault, operation, over);
        expect(outcome).toEqual(fault[operation]);
        expect(leaks(error)).toEqual([]);
      },
    );
  });
});

// A server cannot remove the route to itself, so the test raises the error on the socket.
describe('a route to the service that is lost', () => {
  const lost = Object.assign(new Error('EHOSTUNREACH'), { code: 'EHOSTUNREACH' });
  const lose = (socket: Socket) => process.nextTick(() => socket.destroy(lost));
  const moments: [moment: string, (socket: Socket) => void, code: string, attempts: number][] = [
    ['before the connection', lose, 'unavailable', 3],
    [
      'after the connection',
      (socket) => socket.once('ready', () => lose(socket)),
      'unknown-outcome',
      1,
    ],
  ];

  test.each(moments)(
    '%s: a write is retried, or its outcome is unknown',
    async (_, watch, code, attempts) => {
      const random = skipRetryWaits();
      const server = await openRawServer(() => {});
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
        expect(count).toBe(attempts);
      } finally {
        unsubscribe('net.client.socket', onSocket);
        random.mockRestore();
      }
    },
  );
});
