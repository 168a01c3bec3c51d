import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type net from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { SecureVersion } from 'node:tls';
import { promisify } from 'node:util';
import { closeAfterwards } from '../close-afterwards.ts';
import { root } from '../root.ts';
import { selfSigned } from './certificate.ts';
import { answer, listen } from './wire.ts';

const folder = mkdtempSync(join(tmpdir(), 'secured-'));
const certificate = selfSigned();
const trusted = join(folder, 'certificate.pem');
writeFileSync(trusted, certificate.cert);
afterAll(() => rmSync(folder, { recursive: true }));

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
  { name: 'what works', requests: ['answer', 'answer'], outcomes: ['sent', 'sent'] },
  { name: 'a reset in each handshake', broken: [1, 2], requests: [], outcomes: ['unavailable'] },
  {
    name: 'a reset in the first handshake',
    ...{ broken: [1], requests: ['answer'], outcomes: ['sent'] },
  },
  { name: 'a reset after the request', requests: ['reset'], outcomes: ['unknown-outcome'] },
  { name: 'silence after the request', requests: ['silence'], outcomes: ['unknown-outcome'] },
  {
    name: 'a reset of a connection that was used before',
    ...{ requests: ['answer', 'reset'], outcomes: ['sent', 'unknown-outcome'] },
  },
  {
    name: 'a reset in the handshakes of a session that goes on',
    ...{ broken: [2, 3], requests: ['last answer'], outcomes: ['sent', 'unavailable'] },
  },
  {
    name: 'a reset after the request of a session that goes on',
    ...{ requests: ['last answer', 'reset'], outcomes: ['sent', 'unknown-outcome'] },
  },
];

describe.each(['TLSv1.2', 'TLSv1.3'] as SecureVersion[])('by %s', (version) => {
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
    const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: trusted };
    const args = ['--import', 'tsx', resolve(__dirname, 'secured-child.ts'), server.url];
    const options = { cwd: root, timeout: 30_000, env };
    const run = promisify(execFile)(process.execPath, [...args, String(outcomes.length)], options);
    expect(JSON.parse((await run).stdout)).toEqual(outcomes);
    expect(server.received).toHaveLength(requests.length);
  });
});
