import { worker } from '../../support/builder-worker.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createTable } from '../app.ts';
import { type Host, type Loose, saltcorn, startSaltcorn } from '../host.ts';

let host: Host;
let table: Loose;
beforeAll(async () => {
  host = await startSaltcorn();
  table = await createTable('calls', 'Telephony: Account Calls');
});

// The test runner has its own messages.
const { process } = worker;
const others = new Set(process.listeners('message'));

/** Delivers a message of another Saltcorn worker. */
function tell(message: unknown) {
  const own = process.listeners('message').filter((listener) => !others.has(listener));
  if (own.length === 0) throw new Error('Nothing listens to other workers.');
  for (const listener of own) listener(message, undefined);
}

const requestsAfter = async (message: unknown) => {
  await table.getRows({}, { limit: 20 });
  takeRequests(host.sandbox);
  tell(message);
  await table.getRows({}, { limit: 20 });
  return takeRequests(host.sandbox).length;
};

test('clears its cache when another worker changes something', async () => {
  expect(await requestsAfter({ telephonyChanged: true, tenant: 'public' })).toBe(1);
});

const strange: [message: unknown][] = [
  [{ telephonyChanged: true, tenant: 'unknown' }],
  [{ telephonyChanged: true }],
  [{ telephonyChanged: true, tenant: null }],
  [{ refresh: 'config', tenant: 'public' }],
  [null],
  ['Start'],
];

test.each(strange)('tolerates the message %j with several tenants', async (message) => {
  const db = saltcorn('data/db');
  const isMany = jest.spyOn(db.default ?? db, 'is_it_multi_tenant');
  isMany.mockReturnValue(true);
  expect(() => tell(message)).not.toThrow();
  isMany.mockRestore();
});
