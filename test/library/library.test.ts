import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as library from '../../src/index.ts';
import { readDocument } from '../support/document.ts';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = resolve(root, 'test/artefacts');

beforeAll(() => mkdirSync(folder, { recursive: true }));

/** Runs a program in the package's folder, where the package's name resolves to the build. */
async function runProgram(name: string, source: string): Promise<string> {
  const file = resolve(folder, name);
  writeFileSync(file, source);
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  return stdout;
}

test.each([
  [
    'ES module',
    'load.mjs',
    `import * as telephony from 'telephony-plugin'; console.log(Object.keys(telephony).sort().join());`,
  ],
  [
    'CommonJS module',
    'load.cjs',
    `console.log(Object.keys(require('telephony-plugin')).sort().join());`,
  ],
])('the library loads as an %s with all its exports', async (_, name, source) => {
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
  const dynamic: string = 'account-calls';
  const found = await telephony.run(dynamic, { from: '+1' });
  if ('sid' in found) return Number(found.raw?.annotation);
  const { status } = await telephony.waitForFinalStatus('message', message);
  if (status === 'delivered' || status === 'a status of tomorrow') return null;
  const action: Action = operation('send-sms');
  if (action.id === '') telephony.media('recording', 'RE1');
  // @ts-expect-error a list is no action
  const list: Action = operation('account-calls');
  const error = new TelephonyError('input', 'x');
  // @ts-expect-error a code that does not exist
  if (error.code === 'oops') return ended?.getTime() ?? null;
  pickSettings({});
  return list.id === '' ? null : 0;
}
`;

/** A compiler's output for a program in a folder where the package is installed. */
function compile(compiler: string, name: string, source: string) {
  const place = temporaryFolder('consumer');
  const installed = join(place, 'node_modules/telephony-plugin');
  for (const part of ['package.json', 'dist/esm', 'dist/cjs'])
    cpSync(resolve(root, part), join(installed, part), { recursive: true });
  writeFileSync(join(place, name), source);
  const tsc = resolve(root, 'node_modules', compiler, 'bin/tsc');
  const compilerOptions = {
    ...{ noEmit: true, strict: true, module: 'nodenext', target: 'es2022', types: [] },
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [name] }));
  return spawnSync(process.execPath, [tsc], { cwd: place, encoding: 'utf8' }).stdout;
}

test.each([
  ['consumer.mts', 'typescript'],
  ['consumer.cts', 'typescript'],
  ['consumer.mts', 'oldest-typescript'],
  ['consumer.cts', 'oldest-typescript'],
])('%s gets all its types from the library, with %s', (name, compiler) => {
  expect(compile(compiler, name, consumer)).toBe('');
});

/** Mistakes in programs, and the compiler's error for each. */
const mistakes: [code: string, error: RegExp][] = [
  [
    "telephony.run('acount-calls');",
    /'"acount-calls"' is not assignable to parameter of type '.*"account-calls"/,
  ],
  ["telephony.run('view-a-call');", /Expected 2-3 arguments, but got 1/],
  [
    "telephony.run('send-sms', { from: '', to: '', bdy: '' });",
    /'bdy' does not exist in type 'SendSmsInput'. Did you mean to write 'body'\?/,
  ],
  [
    "telephony.run('calls-by-caller-id', { status: 'bussy' });",
    /'"bussy"' is not assignable to type '.*'\. Did you mean '"busy"'\?/,
  ],
  [
    "telephony.run('calls-by-caller-id', { from: null });",
    /'null' is not assignable to type 'string/,
  ],
  [
    "operation('send-smss');",
    /'"send-smss"' is not assignable to parameter of type '.*"account-calls"/,
  ],
  ["finalStatuses('recording');", /not assignable to parameter of type '"\w+" \| "\w+"'/],
  [
    "telephony.records('view-a-call', { callSid: '' });",
    /'"view-a-call"' is not assignable to parameter of type '.*"account-calls"/,
  ],
  [
    "telephony.records('account-calls', {}, { limt: 3 });",
    /'limt' does not exist in type 'PagesOptions'. Did you mean to write 'limit'\?/,
  ],
  [
    "telephony.confirm('account-calls', {}, { since: new Date() });",
    /'"account-calls"' is not assignable to parameter of type '.*"send-sms"/,
  ],
  [
    "telephony.media('message', 'SM1');",
    /not assignable to parameter of type '"file" \| "recording"'/,
  ],
  [
    "telephony.waitForFinalStatus('recording', 'RE1');",
    /not assignable to parameter of type '"\w+" \| "\w+"'/,
  ],
  [
    "pollEvents(telephony, { onEvent() {}, events: ['sms-recieved'] });",
    /'"sms-recieved"' is not assignable to type '.*'\. Did you mean '"sms-received"'\?/,
  ],
];

describe.each(['typescript', 'oldest-typescript'])('%s', (compiler) => {
  const lines = mistakes.map(([code]) => code).join('\n');
  const source = `import { connect, finalStatuses, operation, pollEvents } from 'telephony-plugin'; const telephony = connect({ username: null, password: undefined });\n${lines}`;
  let said: string;
  beforeAll(() => {
    said = compile(compiler, 'mistakes.mts', source);
  });

  test.each(mistakes.map(([code, error], index) => [code, error, index] as const))(
    'says what is wrong with %s, and what is valid',
    (_, error, index) => {
      const [, ofLine = ''] = said.split(`mistakes.mts(${index + 2},`);
      expect(ofLine.split('mistakes.mts(')[0]).toMatch(error);
    },
  );
});

test('the API page names the oldest TypeScript', () => {
  const { version } = JSON.parse(readDocument('node_modules/oldest-typescript/package.json')) as {
    version: string;
  };
  expect(readDocument('docs/api.md')).toContain(
    `TypeScript ${version.replace(/\.\d+$/, '')} or newer`,
  );
});
