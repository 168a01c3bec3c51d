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

/** Reads for a page, or for something else. */
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

/** Ends a page's wait for rows at once. */
function endPageWait() {
  const wait = globalThis.setTimeout;
  const waitLess = (act: () => void, milliseconds = 0) =>
    wait(act, milliseconds > 7_000 && milliseconds <= 8_000 ? 20 : milliseconds);
  jest.spyOn(worker.global, 'setTimeout').mockImplementation(Object.assign(waitLess, wait));
}
afterEach(() => jest.restoreAllMocks());

/** The request of a filter or a pager that reloads a list. */
const reload = { xhr: true, headers: { accept: '*/*', pjaxpageload: 'true' } };

test('a page appears without late rows, and a reload waits for the same request', async () => {
  host.sandbox.faults.add({ name: 'slow', delayMs: 1_500 });
  takeRequests(host.sandbox);
  endPageWait();
  expect(await read()).toEqual([]);
  expect(flashed).toEqual([
    expect.stringContaining('The service is slow to respond. Reload the page in a moment.'),
  ]);
  jest.restoreAllMocks();
  expect(await read()).toHaveLength(20);
  expect(takeRequests(host.sandbox)).toHaveLength(1);
  expect(flashed).toHaveLength(1);
});

test('a list that a filter reloads waits no longer than a page, and shows a notice instead', async () => {
  await host.forget();
  flashed.splice(0);
  host.sandbox.faults.add({ name: 'slow', delayMs: 1_500 });
  endPageWait();
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
  endPageWait();
  expect(await read({ method: 'POST' })).toHaveLength(20);
});
