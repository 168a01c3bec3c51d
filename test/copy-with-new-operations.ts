import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..');
const parts = [
  ...['actions', 'data-sources', 'settings', 'records', 'schema', 'src', 'plugin'],
  ...['build.mjs', 'errors.json', 'manifest.json', 'package.json', 'LICENSE'],
  ...['tsconfig.json', 'tsconfig.types.json', 'demo/node-red/desk.json'],
];

/** A data source that nobody has heard of yet. */
const dataSource = {
  $schema: '../schema/data-source.schema.json',
  id: 'calls-of-a-parent-call',
  name: 'Calls of a parent call',
  description: 'Calls that were started by a call, A & B, <b>"C"</b>.',
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

/** An action that nobody has heard of yet. */
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

export interface Copy {
  /** The folder of a builder's package. */
  artefact(builder: string): string;
  remove(): void;
}

/** Builds a copy of this repository with two more operations, each added by one JSON file and one line of the manifest. */
export function buildCopyWithNewOperations(): Copy {
  const copy = mkdtempSync(join(tmpdir(), 'telephony-copy-'));
  for (const part of parts) cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'dir');

  const file = (path: string) => join(copy, path);
  const manifest = JSON.parse(readFileSync(file('manifest.json'), 'utf8'));
  manifest.dataSources.push('data-sources/calls-of-a-parent-call.json');
  manifest.actions.push('actions/forward-a-call.json');
  writeFileSync(file('manifest.json'), JSON.stringify(manifest));
  writeFileSync(file('data-sources/calls-of-a-parent-call.json'), JSON.stringify(dataSource));
  writeFileSync(file('actions/forward-a-call.json'), JSON.stringify(action));

  execFileSync(process.execPath, ['build.mjs'], { cwd: copy, stdio: 'pipe' });
  return {
    artefact: (builder) => file(join('dist', builder)),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}
