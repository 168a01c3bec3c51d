import type net from 'node:net';
import type { SecureVersion } from 'node:tls';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { certificate, sendInChild } from './send-in-child.ts';
import { answer, listen } from './wire.ts';

const created = JSON.stringify({ sid: 'SM1', status: 'queued' });

/** What a request is answered: a message, and perhaps the end of the connection; a reset; nothing. */
type Fate = 'answer' | 'last answer' | 'reset' | 'silence';
const fates: Record<Fate, (socket: net.Socket) => void> = {
  answer: (socket) => socket.write(answer(201, created)),
  'last answer': (socket) => socket.end(answer(201, created, { Connection: 'close' })),
  reset: (socket) => socket.destroy(),
  silence: () => {},
};

interface Case {
  name: string;
  /** The connections whose handshake is broken, by their number. */
  broken?: number[];
  /** What the requests that arrive are answered. */
  requests: Fate[];
  outcomes: string[];
}

const cases: Case[] = [
  { name: 'a working service', requests: ['answer', 'answer'], outcomes: ['sent', 'sent'] },
  { name: 'a reset in each handshake', broken: [1, 2], requests: [], outcomes: ['unavailable'] },
  {
    name: 'a reset in the first handshake',
    ...{ broken: [1], requests: ['answer'], outcomes: ['sent'] },
  },
  { name: 'a reset after the request', requests: ['reset'], outcomes: ['unknown-outcome'] },
  { name: 'no answer to the request', requests: ['silence'], outcomes: ['unknown-outcome'] },
  {
    name: 'a reset of a reused connection',
    ...{ requests: ['answer', 'reset'], outcomes: ['sent', 'unknown-outcome'] },
  },
  {
    name: 'a reset in the handshakes of a resumed session',
    ...{ broken: [2, 3], requests: ['last answer'], outcomes: ['sent', 'unavailable'] },
  },
  {
    name: 'a reset after the request of a resumed session',
    ...{ requests: ['last answer', 'reset'], outcomes: ['sent', 'unknown-outcome'] },
  },
];

describe.each(['TLSv1.2', 'TLSv1.3'] as SecureVersion[])('over %s', (version) => {
  test.each(cases)('$name: $outcomes', async ({ broken = [], requests, outcomes }) => {
    const secure = { ...certificate, minVersion: version, maxVersion: version };
    const server = await listen(
      (socket) => fates[requests[server.received.length - 1] ?? 'silence'](socket),
      {
        secure,
        connected: (socket) => {
          if (broken.includes(server.connections)) socket.resetAndDestroy();
        },
      },
    );
    closeAfterwards(server);
    const silence = requests.includes('silence') ? 3_000 : undefined;
    const came = await sendInChild(server.url, outcomes.length, { ...(silence && { silence }) });
    expect(came.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(server.received).toHaveLength(requests.length);
  });
});
