import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '../../demo/ports.ts';
import { signForm } from '../../demo/sandbox/signature.ts';
import * as library from '../../src/index.ts';
import { blocksOf, readDocument, sectionOf, snippetsOf } from '../support/document.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { startProgram } from '../support/start-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { until } from '../support/until.ts';

const page = readDocument('docs/api.md');
const [connecting = ''] = snippetsOf(page, 'js');
const [receiving = ''] = snippetsOf(sectionOf(page, 'receiveEvents(settings, options)'), 'js');
const pages = ['docs/api.md', 'docs/api-events.md'];

/** A program with the account and the receiver that the page creates first, if it uses them. */
function complete(code: string) {
  const usesAccount = /\btelephony\b(?!-)/.test(code) && !/\btelephony =/.test(code);
  const usesConnect = /\bconnect\(/.test(code) && !/\bconnect\b.*'telephony-plugin'/.test(code);
  const usesReceiver = /\breceive\(|\(receive\)/.test(code) && !/\breceive =/.test(code);
  return [
    ...(usesAccount || usesConnect ? [connecting] : []),
    ...(usesReceiver ? [receiving] : []),
    code,
  ].join('\n');
}

const isCommonJs = (code: string) => code.includes('require(');

/** The same program in CommonJS, as the page describes. */
const inCommonJs = (code: string) =>
  isCommonJs(code)
    ? code
    : `async function main() {
${code
  .replaceAll(/^import (.+) from ('.+');$/gm, 'const $1 = require($2);')
  .replaceAll(/^export /gm, '')}
}
main();`;

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

const { connect, receiveEvents, pollEvents } = library;
const settings = { username: 'AC1', password: 'x' };
const telephony = connect(settings);

/** The docstrings in a file, by name. */
const docstringsIn = (file: string, start: string) =>
  [
    ...readDocument(file).matchAll(
      new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n${start}(\\w+)`, 'g'),
    ),
  ].map(([, text = '', name = '']): [name: string, text: string] => [
    name,
    text.replaceAll(/\n\s*\* ?/g, ' '),
  ]);

const sources = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) => docstringsIn(`src/${file}`, 'export (?:async )?(?:function|const) '))
  .filter(([name]) => Object.hasOwn(library, name));
const docstrings = [...docstringsIn('src/telephony.ts', '  (?=\\w+[<(])'), ...sources];

const headings = [...page.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading);

/** The part of the page about a function, with the part that it refers to for its errors and requests. */
function sectionAbout(name: string): string {
  const heading = [...headings, 'connect(options)'].find((one) => one.startsWith(`${name}(`));
  const section = sectionOf(page, heading ?? 'Other functions');
  const [, other] = /those of `(\w+)`/.exec(section) ?? [];
  return other && other !== name ? section + sectionAbout(other) : section;
}

test('every public function has a docstring', () => {
  const names = [...Object.keys(library), ...Object.keys(telephony)];
  const values = ['TelephonyError', 'definitions', 'account'];
  const documented = new Set([...docstrings.map(([name]) => name), ...values]);
  expect(names.filter((name) => !documented.has(name))).toEqual([]);
});

test.each(docstrings)('the page names the errors and the cost of %s', (name, text) => {
  const section = sectionAbout(name);
  const [thrown = ''] = /@throws .*/.exec(text) ?? [];
  const codes = thrown.match(/(?<=`)(?:input|settings|not-found|timeout|aborted)(?=`)/g) ?? [];
  const isAny = section.includes('any [code]');
  const wanted = [
    ...(isAny ? [] : codes.map((code) => `\`${code}\``)),
    ...(thrown ? ['**Errors:**'] : []),
    ...(/\bCosts\b/.test(text) ? ['**Requests:**'] : []),
  ];
  expect(wanted.filter((one) => !section.includes(one))).toEqual([]);
});

test('every example compiles in strict TypeScript, as an ES module and in CommonJS', () => {
  const blocks = pages.flatMap((name) =>
    blocksOf(readDocument(name))
      .filter(({ language }) => language === 'js' || language === 'ts')
      .flatMap(({ code }, index) => {
        const file = `${name.replaceAll(/\W/g, '-')}-${index}`;
        const program = complete(code);
        const module: [string, string][] = isCommonJs(code) ? [] : [[`${file}.mjs`, program]];
        return [...module, [`${file}.cjs`, inCommonJs(program)] as [string, string]];
      }),
  );
  expect(blocks.length).toBeGreaterThan(30);
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
  ['runBatch(id, rows, options)', () => ['+12025550143 done', '+13105550172 done']],
  [
    'record.raw',
    ({ calls }) =>
      calls.slice(0, 3).map(({ sid }) => expect.stringMatching(new RegExp(`^${sid} .*Recordings`))),
  ],
  [
    'cleanPhone(text)',
    ({ url, username }) => [`+12025550143 ${url}/2010-04-01/Accounts/${username}`],
  ],
  ['eventReader(settings, options)', () => ["{ outcome: 'refused', reason: 'method' }"]],
  [
    'Other functions',
    () => [
      `1 ${library.finalStatuses('message').length}`,
      "Send SMS [ 'from', 'to', 'body' ] true",
      'true true',
    ],
  ],
  ['TelephonyError', () => ['not-found 404']],
];

// All compile in CommonJS. These also run; the others use no other part of the bundle.
const inBoth = programs.filter(([heading]) =>
  /^(run|runBatch|media|TelephonyError)\b/.test(heading),
);

describe.each([
  ['an ES module', 'mjs', (code: string) => code, programs],
  ['CommonJS', 'cjs', inCommonJs, inBoth],
] as const)('as %s', (_, ending, write, examples) => {
  test.each(examples)('the example of %s works', async (heading, printed) => {
    const sandbox = await openSandbox();
    const name = `${heading.replace(/\W.*/, '')}.${ending}`;
    const code = write(example(heading)).replace('outcomes.json', `outcomes-${ending}.json`);
    expect(new Set(await run(name, code, sandbox))).toEqual(new Set(printed(sandbox)));
  });
});

test('the example of dayIn lists the calls of yesterday', async () => {
  const sandbox = await openSandbox();
  const berlinDay = (time: Date) => time.toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' });
  const noon = new Date(Date.parse(berlinDay(new Date())) - 43_200_000).toISOString();
  const yesterday = noon.slice(0, 10);
  for (const call of sandbox.calls.slice(0, 2)) call.start_time = new Date(noon).toUTCString();
  const listed = sandbox.calls.filter(
    ({ start_time }) => start_time && berlinDay(new Date(start_time)) === yesterday,
  );
  const printed = await run('day.mjs', example('dayIn(timeZone, days)'), sandbox);
  expect(printed.sort()).toEqual(listed.map(({ sid }) => sid).sort());
});

test('the example in CommonJS works', async () => {
  expect(await run('require.cjs', example('CommonJS'), await openSandbox())).toEqual(['50']);
});

test('the batch of the page resumes and skips people it has texted', async () => {
  const sandbox = await openSandbox();
  const code = example('runBatch(id, rows, options)').replace('outcomes.json', 'resumed.json');
  await run('batch.mjs', code, sandbox);
  expect(
    await run(
      'batch.mjs',
      code.replace("'+1 (310) 555-0172'", "'+1 (310) 555-0172', '+13105550173'"),
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

const servers = snippetsOf(sectionOf(page, 'In any server'), 'js').map(complete);

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

test('the example of sendMedia plays a recording', async () => {
  const sandbox = await openSandbox();
  const port = await freePort();
  const file = join(place, 'sendMedia.mjs');
  writeFileSync(file, example('sendMedia(request, response, open, listener)'));
  const program = startProgram(process.execPath, [file], {
    stdio: 'inherit',
    env: { ...environmentOf(sandbox), MEDIA_PORT: String(port) },
  });
  const get = (sid: string) => fetch(`http://127.0.0.1:${port}/${sid}`).catch(() => undefined);
  await until(async () => (await get('none'))?.status === 404);
  const [recording] = sandbox.recordings;
  const answer = await get(recording?.sid ?? '');
  expect([answer?.status, answer?.headers.get('content-type')]).toEqual([200, 'audio/x-wav']);
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

test('the example of fetchHandler receives an event', async () => {
  const file = join(place, 'fetch.mjs');
  writeFileSync(file, example('fetchHandler(receive)'));
  const caller = `${file}.call.mjs`;
  const { body, signature } = signed();
  const request = {
    ...{ method: 'POST', body },
    headers: {
      'X-Twilio-Signature': signature,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
  };
  writeFileSync(
    caller,
    `import { POST } from ${JSON.stringify(pathToFileURL(file).href)};
     const request = ${JSON.stringify(request)};
     console.log((await POST(new Request('${webhook}', request))).status);
     console.log((await POST(new Request('${webhook}', { ...request, body: null }))).status);`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [caller], {
    env: { TELEPHONY_USERNAME: 'AC1', TELEPHONY_PASSWORD: 'secret', EVENTS_URL: webhook },
  });
  expect(stdout.trim().split('\n')).toEqual(['sms-received SM1', '200', '403']);
});

/** Functions with options, each with an invalid one. */
const wrong = { nonsense: true } as never;
const takers: [page: string, heading: string, take: () => unknown][] = [
  ['docs/api.md', 'connect(options)', () => connect({ ...settings, ...(wrong as object) })],
  ['docs/api.md', 'run(id, input, options)', () => telephony.run('account-calls', {}, wrong)],
  [
    'docs/api.md',
    'records(id, input, options)',
    () => telephony.records('account-calls', {}, wrong).next(),
  ],
  [
    'docs/api.md',
    'waitForFinalStatus(shape, record, options)',
    () => telephony.waitForFinalStatus('message', 'SM1', wrong),
  ],
  [
    'docs/api.md',
    'media(shape, record, options)',
    () => telephony.media('recording', 'RE1', wrong),
  ],
  ['docs/api.md', 'runBatch(id, rows, options)', () => telephony.runBatch('send-sms', [], wrong)],
  ['docs/api-events.md', 'Receive events', () => receiveEvents(settings, wrong)],
  ['docs/api-events.md', 'Poll instead', () => pollEvents(telephony, wrong)],
];

test.each(takers)('%s names every option of %s', async (name, heading, take) => {
  const error: unknown = await Promise.resolve()
    .then(take)
    .catch((thrown) => thrown);
  const [, listed = ''] = /Choose one of: (.*)\.$/.exec(String(error)) ?? [];
  const keys = listed.split(', ');
  expect(keys.length).toBeGreaterThan(1);
  const text = name.endsWith('events.md')
    ? readDocument(name)
    : sectionOf(readDocument(name), heading);
  expect(keys.filter((key) => !text.includes(`\`${key}\``))).toEqual([]);
});
