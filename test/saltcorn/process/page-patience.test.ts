import { worker } from '../../support/builder-worker.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createTable, findTable } from '../app.ts';
import { type Host, saltcorn, startSaltcorn } from '../host.ts';

let host: Host;
const flashed: string[] = [];
beforeAll(async () => {
  host = await startSaltcorn();
  await createTable('calls', 'Telephony: Account Calls');
});

/** Reads as a page does, or as something else. */
const read = (request: object = {}): Promise<unknown[]> => {
  const req = {
    ...{ method: 'GET', xhr: false, headers: { accept: 'text/html' }, user: { role_id: 1 } },
    ...{ flash: (_: string, html: string) => flashed.push(html), res: { status: () => {} } },
    ...request,
  };
  return saltcorn('data/db').runWithTenant({ tenant: 'public', req }, () =>
    findTable('calls').getRows({}, { limit: 20 }),
  );
};

/** Lets a page run out of patience at once. */
function loseThePatience() {
  const wait = globalThis.setTimeout;
  const waitLess = (act: () => void, milliseconds = 0) =>
    wait(act, milliseconds > 7_000 && milliseconds <= 8_000 ? 20 : milliseconds);
  jest.spyOn(worker.global, 'setTimeout').mockImplementation(Object.assign(waitLess, wait));
}
afterEach(() => jest.restoreAllMocks());

test('a page appears without rows that come too late, and a reload waits for the same request', async () => {
  host.sandbox.faults.add({ name: 'slow', delayMs: 1_500 });
  takeRequests(host.sandbox);
  loseThePatience();
  expect(await read()).toEqual([]);
  expect(flashed).toEqual([
    expect.stringContaining('The service is slow to respond. Reload the page in a moment.'),
  ]);
  jest.restoreAllMocks();
  expect(await read()).toHaveLength(20);
  expect(takeRequests(host.sandbox)).toHaveLength(1);
  expect(flashed).toHaveLength(1);
});

test('a request that is not for a page waits as long as it takes', async () => {
  await host.forget();
  host.sandbox.faults.add({ name: 'slow', delayMs: 200 });
  loseThePatience();
  expect(await read({ method: 'POST' })).toHaveLength(20);
});
