import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as library from '../../src/index.ts';
import { readDocument, snippetsOf } from '../support/document.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = resolve(root, 'test/artefacts');

let sandbox: Sandbox;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  sandbox = await openSandbox();
});

/** Runs a program in the repository, where the package's own name resolves to the build. */
async function runProgram(name: string, source: string): Promise<string> {
  const file = resolve(folder, name);
  writeFileSync(file, source);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    env: {
      PATH: process.env.PATH,
      TELEPHONY_USERNAME: sandbox.username,
      TELEPHONY_PASSWORD: sandbox.password,
      TELEPHONY_BASE_URL: sandbox.url,
    },
  });
  return stdout;
}

test('the example of the README works', async () => {
  const busy = sandbox.calls.filter(({ status }) => status === 'busy');
  const before = sandbox.messages.length;
  const [example = ''] = snippetsOf(readDocument('README.md'), 'js');
  const printed = await runProgram('readme-example.mjs', example);
  expect(busy.length).toBeGreaterThan(0);
  expect(printed.trim().split('\n')).toEqual([
    ...busy.map(({ from }) => expect.stringContaining(from)),
    `${sandbox.messages[0]?.sid} queued`,
  ]);
  expect(sandbox.messages).toHaveLength(before + 1);
  expect(sandbox.messages[0]).toMatchObject({ to: '+12025550143', body: 'We call back today.' });
});

test.each([
  [
    'an ES module',
    'load.mjs',
    `import * as telephony from 'telephony-plugin'; console.log(Object.keys(telephony).sort().join());`,
  ],
  [
    'a CommonJS module',
    'load.cjs',
    `console.log(Object.keys(require('telephony-plugin')).sort().join());`,
  ],
])('the library loads as %s with all its exports', async (_, name, source) => {
  expect((await runProgram(name, source)).trim()).toBe(Object.keys(library).sort().join());
});

const consumer = `
import { type Action, connect, operation, type Page, TelephonyError } from 'telephony-plugin';
import { pickSettings } from 'telephony-plugin/builder';
const telephony = connect({ username: 'AC1', password: 'x' });
export async function use(): Promise<number | null> {
  const { records, more } = await telephony.run('calls-by-caller-id', { status: 'busy' });
  const ended: Date | null | undefined = records[0]?.endTime;
  const message = await telephony.run('send-sms', { from: '+1', to: '+1', body: 'x' });
  for await (const page of telephony.pages('account-calls', {}, { limit: 10 })) {
    const calls: Page<{ sid: string }> = page;
    if (calls.more !== more) return message.numSegments;
  }
  // @ts-expect-error an operation that does not exist
  await telephony.run('hang-up', {});
  // @ts-expect-error a status that does not exist
  await telephony.run('calls-by-caller-id', { status: 'lost' });
  const { status } = await telephony.waitForFinalStatus('message', message);
  if (status === 'delivered' || status === 'a status of tomorrow') return null;
  const action: Action = operation('send-sms');
  if (action.id === '') telephony.media('recording', 'RE1');
  // @ts-expect-error a message has no media
  telephony.media('message', 'SM1');
  // @ts-expect-error a recording has no final status
  telephony.waitForFinalStatus('recording', 'RE1');
  // @ts-expect-error a list is no action
  const list: Action = operation('account-calls');
  // @ts-expect-error a message without a text
  await telephony.run('send-sms', { from: '+1', to: '+1' });
  // @ts-expect-error one record is no list
  telephony.pages('view-a-call', { callSid: 'CA1' });
  const error = new TelephonyError('input', 'x');
  // @ts-expect-error a code that does not exist
  if (error.code === 'oops') return ended?.getTime() ?? null;
  pickSettings({});
  return list.id === '' ? null : 0;
}
`;

const misspelt = `
import { connect } from 'telephony-plugin';
connect({ username: null, password: undefined }).run('acount-calls');
`;

const sources = {
  'consumer.mts': consumer,
  'consumer.cts': consumer,
  'misspelt.mts': misspelt,
};

/** The errors that each compiler reports for programs in a folder where the package is installed. */
const errorsBy = new Map<string, string[]>();
const compilers = ['typescript', 'oldest-typescript'];
beforeAll(async () => {
  const place = temporaryFolder('consumer');
  const installed = join(place, 'node_modules/telephony-plugin');
  for (const part of ['package.json', 'dist/esm', 'dist/cjs'])
    cpSync(resolve(root, part), join(installed, part), { recursive: true });
  for (const [name, source] of Object.entries(sources)) writeFileSync(join(place, name), source);
  const compilerOptions = {
    ...{ noEmit: true, strict: true, module: 'nodenext', target: 'es2022', types: [] },
  };
  const config = { compilerOptions, files: Object.keys(sources) };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config));
  await Promise.all(
    compilers.map(async (compiler) => {
      const tsc = resolve(root, 'node_modules', compiler, 'bin/tsc');
      const printed = await promisify(execFile)(process.execPath, [tsc], { cwd: place }).catch(
        (failure: { stdout: string }) => failure,
      );
      errorsBy.set(compiler, printed.stdout.trim().split(/\n(?! )/));
    }),
  );
});

const isAboutMisspelling = (error: string) => error.startsWith('misspelt.mts(');

test.each(compilers)(
  'ES modules and CommonJS modules get all their types from the library, with %s',
  (compiler) => {
    expect(errorsBy.get(compiler)?.filter((error) => !isAboutMisspelling(error))).toEqual([]);
  },
);

test.each(compilers)('a misspelt id is an error that lists the valid ones, with %s', (compiler) => {
  expect(errorsBy.get(compiler)?.filter(isAboutMisspelling)).toEqual([
    expect.stringMatching(
      /'"acount-calls"' is not assignable to parameter of type '.*"account-calls"/,
    ),
  ]);
});

test('the API page names the oldest TypeScript', () => {
  const { version } = JSON.parse(readDocument('node_modules/oldest-typescript/package.json')) as {
    version: string;
  };
  expect(readDocument('docs/api.md')).toContain(
    `TypeScript ${version.replace(/\.\d+$/, '')} or newer`,
  );
});
