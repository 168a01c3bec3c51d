import type net from 'node:net';
import type { SecureVersion } from 'node:tls';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { answer, listen } from './raw-server.ts';
import { certificate, sendInChild } from './send-in-child.ts';

const created = JSON.stringify({ sid: 'SM1', status: 'queued' });

/** How the server handles a request. */
type Response = 'answer' | 'last answer' | 'reset' | 'none';
const respond: Record<Response, (socket: net.Socket) => void> = {
  answer: (socket) => socket.write(answer(201, created)),
  'last answer': (socket) => socket.end(answer(201, created, { Connection: 'close' })),
  reset: (socket) => socket.destroy(),
  none: () => {},
};

interface Case {
  name: string;
  /** The numbers of the connections that are reset in the handshake. */
  broken?: number[];
  requests: Response[];
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
  { name: 'no answer to the request', requests: ['none'], outcomes: ['unknown-outcome'] },
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
      (socket) => respond[requests[server.received.length - 1] ?? 'none'](socket),
      {
        secure,
        connected: (socket) => {
          if (broken.includes(server.connections)) socket.resetAndDestroy();
        },
      },
    );
    closeAfterwards(server);
    const options = requests.includes('none') ? { idleTimeoutMs: 800 } : {};
    const results = await sendInChild(server.url, outcomes.length, options);
    expect(results.map(({ outcome }) => outcome)).toEqual(outcomes);
    expect(server.received).toHaveLength(requests.length);
  });
});
