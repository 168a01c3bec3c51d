import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCopyWithNewOperations, type Copy } from '../copy-with-new-operations.ts';
import { takeRequests } from '../take-requests.ts';
import { accountNode, type Host, runNode, startNodeRed } from './host.ts';

let copy: Copy;
let host: Host;
beforeAll(async () => {
  copy = buildCopyWithNewOperations();
  host = await startNodeRed(copy.artefact('node-red'));
});
afterAll(async () => {
  await host?.close();
  copy?.remove();
});
beforeEach(() => takeRequests(host.sandbox));

test('a new data source is a node that sends its request', async () => {
  await runNode(
    host,
    { id: 'legs', type: 'telephony-calls-of-a-parent-call', inputParentCallSid: 'CA1' },
    accountNode(host.sandbox),
  );
  expect(takeRequests(host.sandbox)[0]).toBe('GET /Calls.json?ParentCallSid=CA1');
});

test('a new action is a node that sends its request', async () => {
  await runNode(
    host,
    { id: 'on', type: 'telephony-forward-a-call', inputCallSid: 'CA1', inputTo: '+12025550143' },
    accountNode(host.sandbox),
  );
  expect(host.sandbox.requests.map(({ path, body }) => [path, body])).toEqual([
    [`/2010-04-01/Accounts/${host.sandbox.username}/Calls/CA1.json`, 'To=%2B12025550143'],
  ]);
});

test('both have a name, a dialog and help in the editor', () => {
  const page = readFileSync(join(copy.artefact('node-red'), 'index.html'), 'utf8');
  for (const part of [
    `registerType('telephony-calls-of-a-parent-call'`,
    'paletteLabel: "Calls of a parent call"',
    'id="node-input-inputParentCallSid"',
    '<p>Calls that were started by a call, A &amp; B, &lt;b&gt;&quot;C&quot;&lt;/b&gt;.</p>',
    '<p>Sends a call on to another number.</p>',
  ])
    expect(page).toContain(part);
});
