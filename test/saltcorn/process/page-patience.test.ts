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

/** What a browser asks for when a filter or a pager loads a list again. */
const reload = { xhr: true, headers: { accept: '*/*', pjaxpageload: 'true' } };

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

test('a list that a filter loads again waits no longer than a page, and says so in its place', async () => {
  await host.forget();
  flashed.splice(0);
  host.sandbox.faults.add({ name: 'slow', delayMs: 1_500 });
  loseThePatience();
  const status = jest.fn();
  expect(await read({ ...reload, res: { status } })).toEqual([]);
  expect(flashed).toEqual([
    expect.stringContaining('The service is slow to respond. Reload the page in a moment.'),
  ]);
  // Saltcorn would show the source of the part in a toast.
  expect(status).not.toHaveBeenCalled();
  jest.restoreAllMocks();
  expect(await read(reload)).toHaveLength(20);
});

test('a request that is not for a page waits as long as it takes', async () => {
  await host.forget();
  host.sandbox.faults.add({ name: 'slow', delayMs: 200 });
  loseThePatience();
  expect(await read({ method: 'POST' })).toHaveLength(20);
});
