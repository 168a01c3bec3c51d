import { buildCopyWithNewOperations, type Copy } from '../copy-with-new-operations.ts';
import { createTable, type Host, saltcorn, startSaltcorn, takeRequests } from './host.ts';

jest.setTimeout(60_000);

let copy: Copy;
let host: Host;
beforeAll(async () => {
  copy = buildCopyWithNewOperations();
  host = await startSaltcorn(copy.artefact('saltcorn'));
});
afterAll(async () => {
  await host?.close();
  copy?.remove();
});
beforeEach(() => takeRequests(host.sandbox));

test('a new data source is a table provider that sends its request', async () => {
  const table = await createTable('legs', 'Telephony: Calls of a parent call');
  await table.getRows({ parentCallSid: 'CA1' });
  expect(takeRequests(host.sandbox)[0]).toBe('GET /Calls.json?ParentCallSid=CA1');
});

test('a new action is an action that sends its request', async () => {
  const { actions } = saltcorn('data/db/state').getState();
  await actions['Forward a Call'].run({ configuration: { callSid: 'CA1', to: '+12025550143' } });
  expect(host.sandbox.requests.map(({ path, body }) => [path, body])).toEqual([
    [`/2010-04-01/Accounts/${host.sandbox.username}/Calls/CA1.json`, 'To=%2B12025550143'],
  ]);
});
