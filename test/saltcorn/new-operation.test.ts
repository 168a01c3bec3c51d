import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createTable, type Host, saltcorn, startSaltcorn, takeRequests } from './host.ts';

const root = resolve(__dirname, '../..');
const parts = ['actions', 'data-sources', 'settings', 'records', 'schema', 'src', 'plugin'];
const files = [
  'build.mjs',
  'errors.json',
  'manifest.json',
  'package.json',
  'tsconfig.json',
  'tsconfig.types.json',
  'LICENSE',
];

const dataSource = {
  $schema: '../schema/data-source.schema.json',
  id: 'calls-of-a-parent-call',
  name: 'Calls of a parent call',
  description: 'Calls that were started by a call.',
  request: { method: 'GET', path: '/Calls.json' },
  fields: [
    {
      key: 'parentCallSid',
      in: 'query',
      name: 'ParentCallSid',
      type: 'sid',
      label: 'Parent call SID',
    },
  ],
  result: { of: 'call', list: 'calls' },
};

const action = {
  $schema: '../schema/action.schema.json',
  id: 'forward-a-call',
  name: 'Forward a Call',
  description: 'Sends a call on to another number.',
  request: { method: 'POST', path: '/Calls/{CallSid}.json' },
  fields: [
    { key: 'callSid', in: 'path', name: 'CallSid', type: 'sid', label: 'Call SID', required: true },
    { key: 'to', in: 'form', name: 'To', type: 'phone', label: 'To', required: true },
  ],
  result: { of: 'call' },
  done: 'Call {sid} sent on',
  ifUnknown: 'Look at the call.',
};

let copy: string;
let host: Host;
beforeAll(async () => {
  copy = mkdtempSync(join(tmpdir(), 'telephony-copy-'));
  for (const part of [...parts, ...files])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');

  const manifest = JSON.parse(readFileSync(join(copy, 'manifest.json'), 'utf8'));
  manifest.dataSources.push('data-sources/calls-of-a-parent-call.json');
  manifest.actions.push('actions/forward-a-call.json');
  writeFileSync(join(copy, 'manifest.json'), JSON.stringify(manifest));
  writeFileSync(join(copy, 'data-sources/calls-of-a-parent-call.json'), JSON.stringify(dataSource));
  writeFileSync(join(copy, 'actions/forward-a-call.json'), JSON.stringify(action));

  execFileSync(process.execPath, ['build.mjs'], { cwd: copy, stdio: 'pipe' });
  host = await startSaltcorn(join(copy, 'dist/saltcorn'));
});
afterAll(async () => {
  await host?.close();
  rmSync(copy, { recursive: true, force: true });
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
