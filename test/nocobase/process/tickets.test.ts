import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Tickets } from '../../../plugin/nocobase/server/media/tickets.ts';
import type { Application } from '../../../plugin/nocobase/server/nocobase.ts';
import { needs, skipWithout } from '../../support/needs.ts';
import { root } from '../../support/root.ts';

skipWithout(needs.nocobase);

type Tokens = Application['authManager']['jwt'];

const ticket = { account: 'telephony', shape: 'recording', key: 'RE01' };

/** A NocoBase app with its own signing. */
function openApp(secret: string) {
  const require = createRequire(join(root, 'demo/nocobase/package.json'));
  const { JwtService } = require('@nocobase/auth/lib/base/jwt-service.js');
  const jwt: Tokens = new JwtService({ secret });
  // The parts of NocoBase that a ticket uses.
  return { jwt, tickets: new Tickets({ authManager: { jwt } } as Application) };
}

test('a ticket is valid for an hour, only in the NocoBase that issued it', async () => {
  const { tickets } = openApp('a secret');
  const issued = tickets.issue(ticket);
  expect(await tickets.read(issued)).toEqual(ticket);
  expect(await openApp('another secret').tickets.read(issued)).toBeUndefined();
  const half = 30 * 60_000;
  jest.useFakeTimers({ now: Date.now() + half });
  expect(await tickets.read(issued)).toEqual(ticket);
  jest.setSystemTime(Date.now() + half + 1000);
  expect(await tickets.read(issued)).toBeUndefined();
  jest.useRealTimers();
});

test.each<[string, (issued: string, jwt: Tokens) => unknown]>([
  ['nothing', () => undefined],
  ['a repeated parameter', (issued) => [issued, issued]],
  ['a text that is not a token', () => 'RE01'],
  ['a session token', (_, jwt) => jwt.sign({ userId: 1 }, { expiresIn: '1h' })],
  [
    'an unsigned token',
    (issued) => {
      const [, claims] = issued.split('.');
      const nothing = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
      return `${nothing}.${claims}.`;
    },
  ],
  [
    'a ticket with another key',
    (issued) => {
      const [head, claims = '', signature] = issued.split('.');
      const changed = Buffer.from(claims, 'base64url').toString().replace('RE01', 'RE02');
      return [head, Buffer.from(changed).toString('base64url'), signature].join('.');
    },
  ],
])('%s is refused as a ticket', async (_, forge) => {
  const { jwt, tickets } = openApp('a secret');
  expect(await tickets.read(forge(tickets.issue(ticket), jwt))).toBeUndefined();
});

test('a ticket cannot serve as a session', async () => {
  const { jwt, tickets } = openApp('a secret');
  expect(await jwt.decode(tickets.issue(ticket))).toEqual({
    ...{ telephonyMedia: ticket },
    ...{ iat: expect.any(Number), exp: expect.any(Number) },
  });
});
