import type { EventEmitter } from 'node:events';
import { takeRequests } from '../take-requests.ts';
import { createTable } from './app.ts';
import { type Host, type Loose, saltcorn, startSaltcorn } from './host.ts';

let host: Host;
let table: Loose;
beforeAll(async () => {
  host = await startSaltcorn();
  table = await createTable('calls', 'Telephony: Account Calls');
});

const worker: EventEmitter = process;

/** What a worker of Saltcorn gets from another one. */
const tell = (message: unknown) => worker.emit('message', message);

const requestsAfter = async (message: unknown) => {
  await table.getRows({}, { limit: 20 });
  takeRequests(host.sandbox);
  tell(message);
  await table.getRows({}, { limit: 20 });
  return takeRequests(host.sandbox).length;
};

test('what was read is forgotten when another worker changed something', async () => {
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

test.each(strange)('the message %j does no harm, also where there are tenants', async (message) => {
  const db = saltcorn('data/db');
  const isMany = jest.spyOn(db.default ?? db, 'is_it_multi_tenant');
  isMany.mockReturnValue(true);
  expect(() => tell(message)).not.toThrow();
  isMany.mockRestore();
});
