import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as builder from '../../src/builder.ts';
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
  const message = await telephony.run('send-sms', { from: '+14155550100', to: '+12025550143', body: 'x' });
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
  const { id } = operation('send-sms');
  const literal: 'send-sms' = id;
  const { body } = await telephony.run(id, { from: '+14155550100', to: '+12025550143', body: literal });
  const { result } = operation('account-calls');
  if (result.list === body) return null;
  // @ts-expect-error a list is no action
  const list: Action = operation('account-calls');
  const error = new TelephonyError('input', 'x');
  // @ts-expect-error a code that does not exist
  if (error.code === 'oops') return ended?.getTime() ?? null;
  pickSettings({});
  return list.id === '' ? null : 0;
}
`;

/** A compiler's output for programs, by name, in a folder where the package is installed. */
function compile(compiler: string, programs: Record<string, string>) {
  const place = temporaryFolder('consumer');
  const installed = join(place, 'node_modules/telephony-plugin');
  for (const part of ['package.json', 'dist/esm', 'dist/cjs'])
    cpSync(resolve(root, part), join(installed, part), { recursive: true });
  for (const [name, source] of Object.entries(programs)) writeFileSync(join(place, name), source);
  const tsc = resolve(root, 'node_modules', compiler, 'bin/tsc');
  const compilerOptions = {
    ...{ noEmit: true, strict: true, module: 'nodenext', target: 'es2022', types: [] },
    declaration: true,
  };
  writeFileSync(
    join(place, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: Object.keys(programs) }),
  );
  return spawnSync(process.execPath, [tsc], { cwd: place, encoding: 'utf8' }).stdout;
}

const preamble =
  "import { type ActionId, connect, eventReader, finalStatuses, type Input, type ListId, operation, type OperationId, type Output, pollEvents, receiveEvents, type RunOptions, type Telephony } from 'telephony-plugin'; const telephony = connect({ username: null, password: undefined }); const since = new Date(); declare const console: { log(text: unknown): void };";

/** Code in blocks of their own, a line each. */
const programOf = (lines: string[]) => [preamble, ...lines].join('\n');

/** A compiler's errors in a program. */
const errorsIn = (said: string, name: string) =>
  said.split(/(?=^\w+\.[cm]ts\()/m).filter((error) => error.startsWith(`${name}(`));

/** A compiler's errors in a line after the preamble. */
const errorsOf = (said: string, name: string, index: number) =>
  errorsIn(said, name)
    .filter((error) => error.startsWith(`${name}(${index + 2},`))
    .join('');

/** Inputs that TypeScript must accept. */
const valid: [name: string, code: string][] = [
  ['no input', "telephony.run('account-calls'); telephony.records('calls-by-caller-id');"],
  [
    'an empty input',
    "telephony.run('account-calls', {}); telephony.records('calls-by-caller-id', {});",
  ],
  ['only options', "telephony.records('account-calls', {}, { limit: 3 });"],
  [
    'a variable',
    "const input = { from: '', to: '', body: '' }; telephony.run('send-sms', input); telephony.confirm('send-sms', input, { since });",
  ],
  [
    "the library's type",
    "const input: Input<'calls-by-caller-id'> = { status: 'busy' }; telephony.records('calls-by-caller-id', input);",
  ],
  [
    'an interface with more fields',
    "interface Row { from: string; to: string; body: string; note?: string } telephony.run('send-sms', {} as Row);",
  ],
  [
    'an interface with optional fields',
    "interface Filter { from?: string; status?: 'busy' } telephony.pages('calls-by-caller-id', {} as Filter);",
  ],
  [
    'an instance of a class with methods',
    "class Sms { from = ''; #to = ''; get to() { return this.#to; } body = ''; send() { return telephony.run('send-sms', this); } } telephony.run('send-sms', new Sms());",
  ],
  [
    'a spread object',
    "const sender = { from: '' }; telephony.run('send-sms', { ...sender, to: '', body: '' });",
  ],
  [
    'fields that may be null in actions',
    "telephony.run('send-a-message', { to: '', body: null, mediaUrl: undefined });",
  ],
  [
    'an operation known at run time',
    "const id: string = ''; telephony.run(id, { anything: 1 }); telephony.records(id, {}); operation(id).fields;",
  ],
  ['one of two operations', "telephony.run('' as 'end-a-call' | 'view-a-call', { callSid: '' });"],
  [
    'a generic function around `run`',
    "const wrap = <Id extends OperationId>(id: Id, input: Input<Id>, options?: RunOptions) => telephony.run(id, input, options); wrap('send-sms', { from: '', to: '', body: '' }).then(({ numSegments }) => numSegments);",
  ],
  [
    'a class around `run`',
    "class Desk { constructor(readonly telephony: Telephony) {} async run<Id extends OperationId>(id: Id, input: Input<Id>): Promise<Output<Id>> { return this.telephony.run(id, input); } } new Desk(telephony).run('account-calls', {}).then(({ records }) => records[0]?.startTime);",
  ],
  [
    'an account as an interface of your own',
    "interface Runner { run<Id extends OperationId>(id: Id, input: Input<Id>): Promise<Output<Id>> } const runner: Runner = telephony; runner.run('view-a-call', { callSid: '' }).then(({ duration }) => duration);",
  ],
  [
    'generic functions around the other functions',
    "const list = <Id extends ListId>(id: Id, input: Input<Id>) => [telephony.records(id, input), telephony.pages(id, input, { limit: 3 })]; const act = <Id extends ActionId>(id: Id, input: Input<Id>) => [telephony.run(id, input), telephony.confirm(id, input, { since }), telephony.runBatch(id, [{ input }])]; list('account-calls', {}); act('end-a-call', { callSid: '' });",
  ],
  [
    'rows with more than an input',
    "telephony.runBatch('send-sms', [{ input: { from: '', to: '', body: '' }, name: '' }], { onResult: async ({ name }) => console.log(name) });",
  ],
  [
    'settings of the environment',
    "const username: string | undefined = ''; connect({ username, password: null, baseUrl: undefined });",
  ],
  [
    'an instance of a class as settings',
    "class Settings { username = ''; get password() { return ''; } save() {} } connect(new Settings());",
  ],
];

/** A program whose declaration file names types of the library. */
const exporter = `
import { connect, finalStatuses } from 'telephony-plugin';
export const account = connect({ username: '', password: '' });
export const { confirm, media, pages, records, run, runBatch, waitForFinalStatus } = account;
export const logged = { ...account, log: [] as string[] };
export const statusesOf = finalStatuses;
export const open = (...args: Parameters<typeof connect>) => connect(...args);
`;

/** The error of a misspelt field, which lists the fields in any order. */
function fields(misspelt: string, type: string, names: string[]) {
  const listed = names.map((name) => `"${name}"`);
  const any =
    listed.length > 0 ? `(?:(?:${listed.join('|')})(?: \\| )?){${listed.length}}` : 'never';
  return new RegExp(`'${misspelt}' does not exist in type 'Fields<${type}, ${any}>'`);
}

const settings = [
  ...['username', 'password', 'accountSid', 'baseUrl', 'defaultCountry'],
  ...['contentUrl', 'lookupsUrl', 'verifyUrl'],
];

/** Mistakes in programs, and the compiler's error for each. */
const mistakes: [code: string, error: RegExp][] = [
  [
    "telephony.run('acount-calls');",
    /'"acount-calls"' is not assignable to parameter of type '.*"account-calls"/,
  ],
  ["telephony.run('view-a-call');", /Expected 2-3 arguments, but got 1/],
  ...[
    "telephony.run('send-sms', { from: '', to: '', bdy: '' });",
    "telephony.run('send-sms', { from: '', to: '', body: '', bdy: '' });",
    "telephony.confirm('send-sms', { from: '', to: '', bdy: '' }, { since });",
    "telephony.runBatch('send-sms', [{ input: { from: '', to: '', bdy: '' } }]);",
  ].map((code): (typeof mistakes)[number] => [
    ...([code, fields('bdy', 'SendSmsInput', ['body', 'from', 'to'])] as const),
  ]),
  ...library.operations.map(({ id, fields: all }): (typeof mistakes)[number] => [
    `telephony.run('${id}', { nonsense: '' });`,
    fields(
      'nonsense',
      '\\w+Input',
      all.map(({ key }) => key),
    ),
  ]),
  ...['records', 'pages'].map((name): (typeof mistakes)[number] => [
    `telephony.${name}('calls-by-caller-id', { form: '' });`,
    fields('form', 'CallsByCallerIdInput', ['from', 'pageSize', 'status']),
  ]),
  [
    "const filter = { form: '' }; telephony.records('calls-by-caller-id', filter);",
    /no properties in common with type 'Fields<CallsByCallerIdInput, "/,
  ],
  [
    "telephony.run('send-sms', { from: '', to: '' });",
    /'body' is missing in type .* but required in type 'Fields<SendSmsInput, "/,
  ],
  // Of so many options, compilers list only some.
  [
    "connect({ usrname: '', password: '' });",
    /'usrname' does not exist in type 'Fields<ConnectOptions, .*Did you mean to write 'username'/s,
  ],
  [
    "receiveEvents({ username: '', pasword: '' }, { url: '', onEvent() {} });",
    fields('pasword', 'TelephonySettings', settings),
  ],
  [
    "eventReader({ usrname: '', password: '' }, { url: '' });",
    fields('usrname', 'TelephonySettings', settings),
  ],
  ["operation('send-sms').id === 'account-calls';", /no overlap/],
  ["operation('send-sms').result.list;", /'list' does not exist/],
  [
    "const wrap = <Id extends OperationId>(id: Id, input: Input<Id>) => telephony.run(id, input); wrap('send-sms', { from: '', to: '', bdy: '' });",
    fields('bdy', 'SendSmsInput', ['body', 'from', 'to']),
  ],
  [
    'const any = <Id extends OperationId>(id: Id, input: Input<Id>) => telephony.records(id, input);',
    /not assignable to parameter of type 'IdOf<"account-calls" /,
  ],
  [
    "telephony.run('' as 'end-a-call' | 'nothing', { callSid: '' });",
    /'"nothing"' is not assignable to type/,
  ],
  [
    "telephony.run('calls-by-caller-id', { status: 'bussy' });",
    /'"bussy"' is not assignable to type '.*'\. Did you mean '"busy"'\?/,
  ],
  [
    "telephony.run('calls-by-caller-id', { from: null });",
    /'null' is not assignable to type 'string/,
  ],
  ...["operation('send_sms');", "telephony.run('send_sms', {});"].map(
    (code): (typeof mistakes)[number] => [
      code,
      /'"send_sms"' is not assignable to parameter of type '[^.]*"send-sms"[^.]*'/,
    ],
  ),
  [
    "operation('query-calls');",
    /'"query-calls"' is not assignable to parameter of type '.*"account-calls"/,
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
    /'"account-calls"' is not assignable to parameter of type '.*"(?:send-sms|cancel-a-scheduled-message)"/,
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

/** The types that the API page names. */
const [, listed = ''] = /Its types include (.*)\.$/m.exec(readDocument('docs/api.md')) ?? [];
const types = [...listed.matchAll(/`([^`]+)`/g)].map(([, type = '']) => type);
const typeNames = [...new Set(types.flatMap((type) => type.match(/[A-Z]\w+/g) ?? []))];

describe.each(['typescript', 'oldest-typescript'])('%s', (compiler) => {
  let said: string;
  beforeAll(() => {
    said = compile(compiler, {
      'exporter.mts': exporter,
      'consumer.mts': consumer,
      'consumer.cts': consumer,
      'types.mts': `import type { ${typeNames} } from 'telephony-plugin'; export type All = [${types}];`,
      'valid.mts': programOf(valid.map(([, code]) => `{ ${code} }`)),
      'mistakes.mts': programOf(mistakes.map(([code]) => code)),
    });
  });

  test.each([
    ['writes the declarations of a program that exports functions of an account', 'exporter.mts'],
    ['gives an ES module all its types', 'consumer.mts'],
    ['gives a CommonJS module all its types', 'consumer.cts'],
    ['finds the types that the API page names', 'types.mts'],
  ])('%s', (_, name) => {
    expect(types.length).toBeGreaterThan(1);
    expect(errorsIn(said, name)).toEqual([]);
  });

  test.each(valid.map(([name], index) => [name, index] as const))('accepts %s', (_, index) => {
    expect(errorsOf(said, 'valid.mts', index)).toBe('');
  });

  test.each(mistakes.map(([code, error], index) => [code, error, index] as const))(
    'says what is wrong with %s, and what is valid',
    (_, error, index) => {
      expect(errorsOf(said, 'mistakes.mts', index)).toMatch(error);
    },
  );

  test('finds no other errors', () => {
    const errors = said.split('\n').filter((line) => line.includes('error TS'));
    expect(errors.filter((line) => !line.includes('mistakes.mts'))).toEqual([]);
  });
});

test('every export for builders is used by an adapter', () => {
  const files = readdirSync(resolve(root, 'plugin'), { recursive: true, encoding: 'utf8' });
  const sources = files
    .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
    .map((file) => readDocument(`plugin/${file}`))
    .join('\n');
  const used = new Set(sources.match(/\w+/g));
  const own = Object.keys(builder).filter((name) => !Object.hasOwn(library, name));
  expect(own.filter((name) => !used.has(name))).toEqual([]);
});

test('the API page names the oldest TypeScript', () => {
  const { version } = JSON.parse(readDocument('node_modules/oldest-typescript/package.json')) as {
    version: string;
  };
  expect(readDocument('docs/api.md')).toContain(
    `TypeScript ${version.replace(/\.\d+$/, '')} or newer`,
  );
});
