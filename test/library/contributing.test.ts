import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { definitions } from '../../src/builder.ts';
import { acceptedBy } from '../support/accepted-by.ts';
import { type Copy, copyRepository } from '../support/copy-of-the-repository.ts';
import { addTheDocumentedOperation } from '../support/copy-with-new-operations.ts';
import { filesIn, readDocument, snippetsOf } from '../support/document.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { takeRequests } from '../support/take-requests.ts';

const fieldTypes = 'src/field-types/field-types.ts';

/** Adds a field type as the page says. */
function addTheDocumentedFieldType(copy: Copy) {
  const page = readDocument('docs/contributing/field-type.md');
  const [entry = ''] = snippetsOf(page, 'ts');
  const schema = 'schema/field.schema.json';
  copy.write({
    ...filesIn(page),
    [schema]: copy.read(schema).replace('"enum": ["phone",', '"enum": ["digits", "phone",'),
    [fieldTypes]: copy.read(fieldTypes).replace(/};\n$/, () => `${entry}};\n`),
    'test/requests/fixtures/call-an-extension.json': JSON.stringify(extensionFixture),
  });
  copy.list('actions', 'actions/call-an-extension.json');
}

/** The fixture of the new operation, with the response of a similar one. */
const extensionFixture = {
  ...JSON.parse(readDocument('test/requests/fixtures/make-a-call.json')),
  input: { from: '+14155550100', to: '+12025550143', sendDigits: '1 2#' },
  request: {
    method: 'POST',
    path: '/2010-04-01/Accounts/AC00000000000000000000000000000001/Calls.json',
    body: 'From=%2B14155550100&To=%2B12025550143&SendDigits=12%23',
  },
};

/** Adds a builder as the page says. */
const addTheDocumentedBuilder = (copy: Copy) =>
  copy.write(filesIn(readDocument('docs/contributing/builder.md')));

const tool = (path: string) => join(root, 'node_modules', path);
const biome = tool('@biomejs/biome/bin/biome');

let sandbox: Sandbox;
let copy: Copy;
beforeAll(async () => {
  sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  copy = copyRepository(
    ...['jest.config.mjs', 'biome.json', 'test/levels.mjs'],
    ...[
      'builder-environment',
      'builder-module',
      'compile-once-environment',
      'longest-first-sequencer',
    ].map((name) => `test/support/${name}.mjs`),
    'test/nocobase/log-to-console.ts',
    ...['operations.test.ts', 'service.ts', 'fixtures.ts', 'fixtures'].map(
      (part) => `test/requests/${part}`,
    ),
  );
  addTheDocumentedOperation(copy);
  addTheDocumentedFieldType(copy);
  addTheDocumentedBuilder(copy);
  copy.run('build.mjs', '--generate');
  copy.run(biome, 'format', '--vcs-enabled=false', '--write', fieldTypes);
  copy.run(biome, 'check', '--vcs-enabled=false', fieldTypes, 'plugin/tiny');
  await Promise.all([
    copy.runMeanwhile('build.mjs', 'library', 'tiny'),
    copy.runMeanwhile(tool('typescript/bin/tsc'), '--noEmit'),
    copy.runMeanwhile(
      ...['--experimental-vm-modules', tool('jest/bin/jest.js')],
      ...['--selectProjects', 'requests', '--runInBand', '--reporters', 'default'],
    ),
  ]);
});
beforeEach(() => takeRequests(sandbox));

/** Runs a program in the copy with `settings`, and returns the value that it returns. */
async function runProgram(source: string): Promise<unknown> {
  const { username, password, url: baseUrl } = sandbox;
  const settings = JSON.stringify({ username, password, baseUrl });
  const program = `const settings = ${settings};
    (async () => { ${source} })().then((value) => console.log(JSON.stringify(value)));`;
  const options = { cwd: copy.path('.') };
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', program], options);
  return JSON.parse(stdout);
}

test('following “Add an operation” adds an operation', async () => {
  expect(copy.read('docs/reference.md')).toContain('### Calls to a number');
  expect(copy.read('generated/operations.ts')).toContain("'calls-to-a-number': {");

  const sids = await runProgram(`
    const { run } = require('./dist/cjs').connect(settings);
    const { records } = await run('calls-to-a-number', { to: '+14155550100' });
    return records.map(({ sid }) => sid);
  `);
  const called = sandbox.calls.filter(({ to }) => to === '+14155550100');
  expect(sids).toEqual(called.slice(0, 50).map(({ sid }) => sid));
  expect(called.length).toBeGreaterThan(0);
  expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?To=%2B14155550100']);
});

test('following “Add a field type” adds a field type', async () => {
  expect(copy.read('docs/reference.md')).toContain('|**Extension**|`sendDigits`|digits||');

  const call = { from: '+14155550100', to: '+12025550143' };
  const printed = await runProgram(`
    const { run } = require('./dist/cjs').connect(settings);
    const messageOf = (sendDigits) =>
      run('call-an-extension', { ...${JSON.stringify(call)}, sendDigits }).catch(({ message }) => message);
    return [await messageOf('call me'), await messageOf(' 12 34# ')];
  `);
  expect(printed).toEqual([
    '"Extension" must be digits, "#", "*", and "w" for half a second.',
    expect.any(String),
  ]);
  expect(takeRequests(sandbox)).toEqual(['POST /Calls.json']);
});

test('following “Add a builder” adds a builder', async () => {
  const packed = `tiny-telephony-${definitions.manifest.version}`;
  const places = ['--directory', copy.path('.'), '--file', copy.path(`dist/${packed}.tgz`)];
  await promisify(execFile)('tar', ['--extract', '--gzip', ...places]);
  expect(copy.read('package/README.md')).toContain('| action | **Send SMS** |');

  const printed = await runProgram(`
    const { settings: form, open } = require('./package/');
    const { lists, buttons } = open(settings);
    const find = (blocks, name) => blocks.find(({ title }) => title === name);
    const send = find(buttons, 'Send SMS');
    return {
      form,
      tested: [await form.test(settings), await form.test({ ...settings, password: '' })],
      titles: [...lists, ...buttons].map(({ title }) => title),
      read: (await find(lists, 'Calls by caller id').read({ status: 'busy', pageSize: 1 })).records.length,
      pressed: [
        await send.press({ from: '+14155550100', to: '+12025550143', body: 'Hello' }),
        await send.press({ from: '+14155550100', to: '', body: 'Hello' }),
        await send.press({ from: '+14155550100', to: '+15005550001', body: 'Hello' }),
      ],
      unset: await find(open({}).lists, 'Account Calls').read({}),
    };
  `);
  const { dataSources, actions } = definitions;
  expect(printed).toEqual({
    form: {
      title: 'Account',
      inputs: [
        { key: 'username', label: 'username', hidden: false },
        { key: 'password', label: 'password', hidden: true },
        { key: 'accountSid', label: 'Account SID', hidden: false },
        { key: 'baseUrl', label: 'Base URL', hidden: false },
        { key: 'defaultCountry', label: 'Default country', hidden: false },
        { key: 'contentUrl', label: 'Content URL', hidden: false },
        { key: 'lookupsUrl', label: 'Lookup URL', hidden: false },
        { key: 'verifyUrl', label: 'Verify URL', hidden: false },
      ],
    },
    tested: [acceptedBy(sandbox), `"password" in the settings is empty. Enter it first.`],
    titles: [
      ...[...dataSources.map(({ name }) => name), 'Calls to a number'],
      ...[...actions.map(({ name }) => name), 'Call an Extension'],
    ],
    read: 1,
    pressed: [
      { done: 'Message to +12025550143 queued: “Hello”' },
      { problem: expect.stringContaining('"To" is missing'), input: 'to' },
      { problem: expect.stringContaining('(21211)'), input: 'to' },
    ],
    unset: {
      problem: `"username" in the settings is empty. Enter it first. "password" in the settings is empty. Enter it first.`,
      input: 'username',
    },
  });
  expect(takeRequests(sandbox)).toEqual([
    'GET /Calls.json?PageSize=1',
    'GET /Calls.json?Status=busy&PageSize=1',
    'POST /Messages.json',
    'POST /Messages.json',
  ]);
});
