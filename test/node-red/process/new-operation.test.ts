import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Copy } from '../../support/copy-of-the-repository.ts';
import {
  buildCopyWithNewOperations,
  deletionInput,
  deletionRequest,
  publicPlaces,
} from '../../support/copy-with-new-operations.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { accountNode, type Host, runNode, startNodeRed } from '../host.ts';

let copy: Copy;
let host: Host;
beforeAll(async () => {
  copy = buildCopyWithNewOperations('node-red');
  host = await startNodeRed(copy.path('dist/node-red'));
});
beforeEach(() => takeRequests(host.sandbox));

test('a new data source becomes a node that sends its request', async () => {
  await runNode(
    host,
    { id: 'to', type: 'telephony-read', operation: 'calls-to-a-number', inputTo: '+14155550100' },
    accountNode(host.sandbox),
  );
  expect(takeRequests(host.sandbox)[0]).toBe('GET /Calls.json?To=%2B14155550100');
});

test('a new action becomes a node that sends its request', async () => {
  await runNode(
    host,
    { id: 'on', type: 'telephony-forward-a-call', inputCallSid: 'CA1', inputTo: '+12025550143' },
    accountNode(host.sandbox),
  );
  expect(host.sandbox.requests.map(({ path, body }) => [path, body])).toEqual([
    [`/2010-04-01/Accounts/${host.sandbox.username}/Calls/CA1.json`, 'To=%2B12025550143'],
  ]);
});

test('a new deletion becomes a node that sends its request', async () => {
  const { callSid, labels, reason } = deletionInput;
  await runNode(
    host,
    {
      ...{ id: 'gone', type: 'telephony-delete-a-call', inputCallSid: callSid },
      ...{ inputLabels: labels, inputReason: reason },
    },
    accountNode(host.sandbox, { contentUrl: host.sandbox.url }),
  );
  expect(takeRequests(host.sandbox)).toEqual([deletionRequest]);
});

test('an action can run for each row, but a deletion cannot', () => {
  const page = readFileSync(join(copy.path('dist/node-red'), 'index.html'), 'utf8');
  const [, rows = ''] = page.split('data-template-name="telephony-for-each-row">');
  const offered = rows.split('</select>')[0];
  expect(offered).toContain('value="forward-a-call"');
  expect(offered).not.toContain('delete-a-call');
  expect(page).toContain(`registerType('telephony-delete-a-call'`);
});

test('a new data source and a new action have a name, a dialog and help in the editor', () => {
  const page = readFileSync(join(copy.path('dist/node-red'), 'index.html'), 'utf8');
  for (const part of [
    `registerType('telephony-forward-a-call'`,
    '"calls-to-a-number":"Calls-to-a-number"',
    '<option value="calls-to-a-number"',
    'id="node-input-inputTo"',
    '<p>Calls that went to a number.</p>',
    '<p>Sends a call on to another number, A &amp; B, &lt;b&gt;&quot;C&quot;&lt;/b&gt;.</p>',
  ])
    expect(page).toContain(part);
});

test('new operations without translations are in English in every language', () => {
  for (const language of ['en-US', 'de', 'zh-CN']) {
    const folder = copy.path(`dist/node-red/locales/${language}`);
    const catalogue = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    expect(catalogue['Calls-to-a-number']).toBe('Calls to a number');
    if (language !== 'en-US')
      expect(readFileSync(join(folder, 'index.html'), 'utf8')).toContain(
        '<p>Calls that went to a number.</p>',
      );
  }
});

// Node-RED's catalogue requires it: rule P03 of `node-red-dev validate`.
test('the package names its author and its public URLs', () => {
  const { author } = JSON.parse(copy.read('package.json'));
  expect(author).toEqual(expect.any(String));
  expect(JSON.parse(copy.read('dist/node-red/package.json'))).toMatchObject({
    author,
    ...publicPlaces,
  });
});
