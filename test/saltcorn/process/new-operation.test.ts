import type { Copy } from '../../support/copy-of-the-repository.ts';
import {
  buildCopyWithNewOperations,
  deletionInput,
  deletionRequest,
} from '../../support/copy-with-new-operations.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { createTable } from '../app.ts';
import { type Host, installPlugin, startSaltcorn, state } from '../host.ts';

let copy: Copy;
let host: Host;
beforeAll(async () => {
  copy = buildCopyWithNewOperations('saltcorn');
  host = await startSaltcorn(copy.path('dist/saltcorn'));
  const { settings } = host;
  await installPlugin(copy.path('dist/saltcorn'), { ...settings, contentUrl: settings.baseUrl });
});
beforeEach(() => takeRequests(host.sandbox));

test('a new data source becomes a table provider that sends its request', async () => {
  const table = await createTable('to', 'Telephony: Calls to a number');
  await table.getRows({ to: '+14155550100' });
  // The plugin uses the list with the largest pages among those with this filter.
  expect(takeRequests(host.sandbox)).toEqual(['GET /Calls.json?To=%2B14155550100&PageSize=1000']);
});

test('a new deletion becomes a Saltcorn action that sends its request', async () => {
  const { actions } = state();
  const run = actions['Delete a Call'].run({ configuration: deletionInput });
  await expect(run).rejects.toThrow('The service has no record with this "Call SID".');
  expect(takeRequests(host.sandbox)).toEqual([deletionRequest]);
  expect(Object.keys(actions)).toContain('Forward a Call for each row');
  expect(Object.keys(actions)).not.toContain('Delete a Call for each row');
});

test('a new action becomes a Saltcorn action that sends its request', async () => {
  const { actions } = state();
  const configuration = { callSid: 'CA1', to: '+12025550143' };
  await expect(actions['Forward a Call'].run({ configuration })).rejects.toThrow(
    'Forward a Call (Call SID CA1, To +12025550143): The service has no record with this "Call SID".',
  );
  expect(host.sandbox.requests.map(({ path, body }) => [path, body])).toEqual([
    [`/2010-04-01/Accounts/${host.sandbox.username}/Calls/CA1.json`, 'To=%2B12025550143'],
  ]);
});
