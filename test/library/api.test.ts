import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { signForm } from '../../demo/sandbox/signature.ts';
import * as library from '../../src/index.ts';
import { blocksOf, readDocument, sectionOf, snippetsOf } from '../support/document.ts';
import { freePort } from '../support/free-port.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { startProgram } from '../support/start-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const page = readDocument('docs/api.md');
const [connecting = ''] = snippetsOf(page, 'js');
const pages = ['README.md', 'docs/api.md', 'docs/events.md'];

/** A complete program: with the account that the page connects first, if it uses that. */
const complete = (code: string) =>
  /\btelephony\b(?!-)/.test(code) && !code.includes('connect(') ? `${connecting}\n${code}` : code;

const example = (heading: string) => complete(snippetsOf(sectionOf(page, heading), 'js')[0] ?? '');

/** A folder with the package as users get it, and with the packages that examples use. */
function installedPackage() {
  const place = temporaryFolder('api');
  const installed = join(place, 'node_modules/telephony-plugin');
  for (const part of ['package.json', 'dist/esm', 'dist/cjs'])
    cpSync(resolve(root, part), join(installed, part), { recursive: true });
  mkdirSync(join(place, 'node_modules/@types'));
  for (const name of ['express', 'fastify', '@types/express', '@types/node'])
    symlinkSync(resolve(root, 'node_modules', name), join(place, 'node_modules', name));
  writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
  return place;
}

let place: string;
beforeAll(() => {
  place = installedPackage();
});

test('the page has a heading for everything that the library exports and an account can do', () => {
  const headings = new Set([...page.matchAll(/^#+ (\w+)/gm)].map(([, name]) => name));
  const rows = new Set(
    [...page.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`(\w+)/g)].map(([, name]) => name),
    ),
  );
  const methods = Object.keys(library.connect({ username: 'AC1', password: 'x' }));
  const all = [...Object.keys(library), ...methods];
  expect(
    all.filter((name) => !headings.has(name) && !rows.has(name) && name !== 'polledEvents'),
  ).toEqual([]);
  expect(page).toContain('`polledEvents`');
});

test('every example compiles in strict TypeScript', () => {
  const blocks = pages.flatMap((name) =>
    blocksOf(readDocument(name))
      .filter(({ language }) => language === 'js' || language === 'ts')
      .map(({ code }, index) => [`${name.replaceAll(/\W/g, '-')}-${index}.mjs`, complete(code)]),
  );
  expect(blocks.length).toBeGreaterThan(15);
  for (const [name = '', code = ''] of blocks) writeFileSync(join(place, name), code);
  const { stdout } = spawnSync(
    process.execPath,
    [
      ...[resolve(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--allowJs'],
      ...['--checkJs', '--module', 'nodenext', '--target', 'es2023', '--types', 'node'],
      ...['--preserveSymlinks', '--skipLibCheck'],
      ...blocks.map(([name = '']) => name),
    ],
    { cwd: place, encoding: 'utf8' },
  );
  expect(stdout).toBe('');
});

const main = '+14155550100';

const environmentOf = ({ username, password, url }: Sandbox) => ({
  PATH: process.env.PATH,
  TELEPHONY_USERNAME: username,
  TELEPHONY_PASSWORD: password,
  TELEPHONY_BASE_URL: url,
});

async function run(name: string, code: string, sandbox: Sandbox) {
  const file = join(place, name);
  writeFileSync(file, code);
  const { stdout } = await promisify(execFile)(process.execPath, [file], {
    cwd: place,
    env: environmentOf(sandbox),
  });
  return stdout.trim().split('\n');
}

const programs: [heading: string, printed: (sandbox: Sandbox) => unknown[]][] = [
  [
    'run(id, input, options)',
    ({ messages, calls }) => [
      `${messages[0]?.sid} queued`,
      `${calls.filter(({ status }) => status === 'busy').length} false`,
    ],
  ],
  [
    'records(id, input, options)',
    ({ calls }) => calls.slice(0, 3).map(({ from }) => expect.stringContaining(from)),
  ],
  ['pages(id, input, options)', () => [expect.stringMatching(/^\d+ false$/)]],
  ['waitForFinalStatus(shape, record, options)', () => ['delivered null']],
  ['media(shape, record, options)', () => [expect.stringContaining('audio/')]],
  ['confirm(id, input, options)', () => ['+12025550143']],
  ['test(options)', () => [expect.stringMatching(/^works /)]],
  ['runRows(action, rows, options)', () => ['+12025550143 done', '+13105550172 done']],
  ['TelephonyError', () => ['not-found 404']],
];

test.each(programs)('the example of %s works', async (heading, printed) => {
  const sandbox = await openSandbox();
  const name = `${heading.replace(/\W.*/, '')}.mjs`;
  const lines = await run(name, example(heading), sandbox);
  expect(new Set(lines)).toEqual(new Set(printed(sandbox)));
});

test('the batch of the page resumes and skips people it has texted', async () => {
  const sandbox = await openSandbox();
  const code = example('runRows(action, rows, options)').replace('outcomes.json', 'resumed.json');
  await run('batch.mjs', code, sandbox);
  expect(
    await run(
      'batch.mjs',
      code.replace("'+13105550172'", "'+13105550172', '+13105550173'"),
      sandbox,
    ),
  ).toEqual([...['+12025550143 already-done', '+13105550172 already-done', '+13105550173 done']]);
  expect(
    sandbox.messages
      .slice(0, 3)
      .map(({ to }) => to)
      .sort(),
  ).toEqual([...['+12025550143', '+13105550172', '+13105550173']]);
});

const servers = snippetsOf(sectionOf(page, 'In any server'), 'js');

test.each([
  ['Express', example('nodeHandler(receive)')],
  ['Fastify', servers[0] ?? ''],
])('the example for %s receives an event', async (name, code) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/events`;
  const sandbox = await openSandbox({ numbers: { [main]: { smsUrl: url } } });
  const file = join(place, `${name}.mjs`);
  writeFileSync(file, code);
  const printed: string[] = [];
  const program = startProgram(process.execPath, [file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...environmentOf(sandbox), EVENTS_URL: url, EVENTS_PORT: String(port) },
  });
  program.stdout?.setEncoding('utf8').on('data', (text) => printed.push(text.trim()));
  const statusOf = async (body: string) =>
    (
      await fetch(url, {
        ...{ method: 'POST', body },
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }).catch(() => undefined)
    )?.status;
  await until(async () => (await statusOf('')) === 403);
  const { sid } = sandbox.receiveMessage({ from: '+12025550143', to: main, body: 'Yes' });
  await sandbox.events.settled();
  await until(() => printed.length > 0);
  expect(printed).toEqual([`sms-received ${sid}`]);
  program.kill();
  await once(program, 'exit');
});

const received = {
  ...{ AccountSid: 'AC1', MessageSid: 'SM1', SmsMessageSid: 'SM1', SmsStatus: 'received' },
  ...{ From: '+12025550143', To: main, Body: 'Yes', NumMedia: '0' },
};
const webhook = 'https://app.example.com/events';

/** A webhook of the service, signed with the Auth Token. */
const signed = () => ({
  body: new URLSearchParams(received).toString(),
  signature: signForm('secret', webhook, Object.entries(received)),
});

test.each([
  ['as text', false, (body: string) => body],
  ['in Base64', true, (body: string) => Buffer.from(body).toString('base64')],
])(
  'the example for a serverless function receives an event %s',
  async (_, isBase64Encoded, encode) => {
    const file = join(place, `lambda-${isBase64Encoded}.mjs`);
    const caller = `${file}.call.mjs`;
    writeFileSync(file, servers[1] ?? '');
    const { body, signature } = signed();
    const event = {
      ...{ rawPath: '/events', rawQueryString: '', isBase64Encoded, body: encode(body) },
      headers: {
        'X-Twilio-Signature': signature,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      requestContext: { http: { method: 'POST' } },
    };
    writeFileSync(
      caller,
      `import { handler } from ${JSON.stringify(pathToFileURL(file).href)};
     const event = ${JSON.stringify(event)};
     console.log((await handler(event)).statusCode);
     console.log((await handler({ ...event, body: null })).statusCode);`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, [caller], {
      env: { TELEPHONY_USERNAME: 'AC1', TELEPHONY_PASSWORD: 'secret', EVENTS_URL: webhook },
    });
    expect(stdout.trim().split('\n')).toEqual(['sms-received SM1', '200', '403']);
  },
);

describe('the npm package', () => {
  let tarball: string;
  let files: { path: string }[];
  beforeAll(() => {
    // Not into the repository, which other tests copy meanwhile.
    const folder = temporaryFolder('packed');
    const pack = ['pack', '--pack-destination', folder, '--ignore-scripts', '--json'];
    const { stdout } = spawnSync('npm', pack, { cwd: root, encoding: 'utf8' });
    const [packed] = JSON.parse(stdout);
    tarball = join(folder, packed.filename);
    files = packed.files;
  });

  /** Runs a program that checks the tarball, and returns its output and, if it failed, its exit code. */
  const check = (program: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [resolve(root, 'node_modules', program), ...args], {
      env: { ...process.env, FORCE_COLOR: '0' },
    }).catch((failure: { code: number; stdout: string; stderr: string }) => failure);

  test('passes publint, and its types fit how it is imported', async () => {
    const [publint, types] = await Promise.all([
      check('publint/src/cli.js', tarball, '--strict'),
      check('@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'node16'),
    ]);
    expect(publint.stdout).toContain('All good!');
    expect('code' in types && types).toBe(false);
  });

  test('contains every document that its README links to', () => {
    const packed = new Set(files.map(({ path }) => path));
    const linked = [...readDocument('README.md').matchAll(/\]\((?!https:)([^)#]+)[^)]*\)/g)];
    expect(linked.length).toBeGreaterThan(10);
    expect(linked.map(([, path = '']) => path).filter((path) => !packed.has(path))).toEqual([]);
  });
});
