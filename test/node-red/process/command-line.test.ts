import type { ChildProcess } from 'node:child_process';
import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../demo/ports.ts';
import { copySources } from '../../support/copy-of-the-repository.ts';
import { needs, skipWithout } from '../../support/needs.ts';
import { root } from '../../support/root.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { startProgram } from '../../support/start-program.ts';

skipWithout(needs.nodeRed);

// A copy, because the demo keeps its state in the folder of the repository. Saltcorn is not installed in it.
const copy = copySources();
const inCopy = (...path: string[]) => join(copy, ...path);

beforeAll(() => {
  const packages = 'demo/node-red/node_modules';
  symlinkSync(join(root, packages), inCopy(packages), 'dir');
});

const environment = {
  ...process.env,
  NODE_OPTIONS: '',
  npm_execpath: inCopy('npm-missing.cjs'),
  TERM: 'xterm-256color',
  // With one of these variables, a terminal has no colours.
  CI: undefined,
  NO_COLOR: undefined,
};

interface Run {
  child: ChildProcess;
  /** Everything that the program printed. */
  written(): string;
  /** Resolves when the program has printed a text. */
  until(text: string): Promise<void>;
  exit: Promise<number>;
}

function start(
  args: string[],
  env: object = {},
  command = [process.execPath, 'demo/start.mjs'],
): Run {
  const [program = '', ...before] = command;
  const child = startProgram(program, [...before, ...args], {
    ...{ cwd: copy, env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let text = '';
  const exit = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? -1));
  });
  const until = (wanted: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => text.includes(wanted) && resolve();
      for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
      exit.then((code) => reject(new Error(`It ended with ${code} and wrote:\n${text}`)));
      look();
    });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  return { child, written: () => text, until, exit };
}

async function outcome(args: string[], env: object = {}) {
  const { exit, written } = start(args, env);
  return { code: await exit, written: written() };
}

const wrong: [args: string[], env: object, sentence: string][] = [
  [['--bogus'], {}, "Unknown option '--bogus'. `npm start -- --help` lists the options."],
  [['desk'], {}, "Unexpected argument 'desk'. `npm start -- --help` lists the options."],
  [['--port', '0'], {}, '--port takes a number from 1 to 65535, not "0".'],
  [['--port', '3000x'], {}, '--port takes a number from 1 to 65535, not "3000x".'],
  [
    ['--builder', 'x'],
    {},
    '--builder takes saltcorn, node-red, nocobase, n8n, or gateway, not "x".',
  ],
  [
    [],
    { TELEPHONY_USERNAME: 'AC1' },
    'TELEPHONY_PASSWORD is not set. Set both TELEPHONY_USERNAME and TELEPHONY_PASSWORD to use your account, or neither to use the sandbox.',
  ],
];
test.each(wrong)('refuses %j with %j and says why', async (args, env, sentence) => {
  expect(await outcome(args, env)).toEqual({ code: 1, written: `Stopped. ${sentence}\n` });
  expect(existsSync(inCopy('.demo'))).toBe(false);
});

test.each([
  ['the chosen builder', ['--builder', 'node-red'], 'demo/node-red', 'node-red'],
  ['the default builder', [], 'demo/saltcorn', 'Saltcorn'],
  ['the repository', [], '.', 'This'],
])('installs nothing if %s needs a newer Node', async (_, args, folder, name) => {
  const file = inCopy(folder, 'package.json');
  const asItWas = readFileSync(file, 'utf8');
  const engines = { node: '>=1000.1' };
  writeFileSync(file, JSON.stringify({ ...JSON.parse(asItWas), engines }));
  const port = String(await freePort());
  const { code, written } = await outcome([...args, '--port', port]);
  writeFileSync(file, asItWas);
  expect(code).toBe(1);
  expect(written).toContain(
    `${name} needs Node 1000.1 or newer, and this is ${process.versions.node}. Get one from https://nodejs.org\n`,
  );
  expect(written).not.toContain('Installing');
});

test('names a port that is in use and suggests another', async () => {
  const { port } = new URL((await serveHttp(() => {})).url);
  const { code, written } = await outcome(['--port', port]);
  expect(code).toBe(1);
  expect(written).toMatch(
    new RegExp(
      `^Stopped\\. Port ${port} is taken by another program\\. Choose another: npm start -- --port \\d+\n$`,
    ),
  );
});

test('keeps the output of npm if npm fails', async () => {
  const { code, written } = await outcome(['--port', String(await freePort())]);
  expect(code).toBe(1);
  expect(written.replaceAll(/\d+ s/g, 'N s')).toMatch(
    /Installing Saltcorn, once: 500 MB, some minutes … N s, failed\nStopped\. npm could not install the packages\. See \.demo\/npm\.log\.\n$/,
  );
  expect(readFileSync(inCopy('.demo/npm.log'), 'utf8')).toContain('npm-missing.cjs');
  expect(existsSync(inCopy('.demo/pid'))).toBe(false);
});

const login = () => JSON.parse(readFileSync(inCopy('.demo/login.json'), 'utf8'));

const steps = ['Building the plugin', 'Starting the sandbox', 'Starting Node-RED'];

describe('once started', () => {
  let port: number;
  let run: Run;
  let sandbox = '';
  let first: object;
  beforeAll(async () => {
    port = await freePort();
    run = start(['--builder', 'node-red', '--port', String(port)]);
    await run.until('Logs are in .demo.\n');
  });

  test('prints each step with its time and what to open, as plain text without a terminal', () => {
    first = login();
    const { email, password } = login();
    sandbox = run.written().match(/http:\S+(?=, a sandbox)/)?.[0] ?? '';
    // A long step also prints its time.
    const written = run.written().replaceAll(/^.* … \d+ s\n/gm, '');
    expect(written.replaceAll(/\d+ s\b/g, 'N s')).toBe(
      [
        ...steps.flatMap((step) => [`${step} …`, `${step} … N s, done`]),
        'Telephony in Node-RED',
        '',
        `Dashboard  http://127.0.0.1:${port}/dashboard`,
        `Editor     http://127.0.0.1:${port}`,
        `Log in     ${email}  ${password}`,
        `Service    ${sandbox}, a sandbox: nothing is really sent`,
        '',
        'Try first',
        '  1. Open the dashboard: the desk lists the calls of the account.',
        '  2. Click a call in progress, and record it.',
        '  3. Send an SMS with the form next to the list.',
        '  4. In the editor, drag a node from “telephony” in the palette onto the flow.',
        '  5. On the page Inbox, simulate an incoming SMS: it comes in, and is answered. Click it to see the conversation.',
        `  6. To simulate a call, open ${sandbox}.`,
        '',
        'Ctrl-C ends it; the option --reset starts from scratch. Logs are in .demo.',
        '',
      ].join('\n'),
    );
  });

  test('serves every URL that it prints', async () => {
    const urls = [`http://127.0.0.1:${port}/dashboard`, `http://127.0.0.1:${port}`, sandbox];
    const statuses = urls.map(async (url) => (await fetch(url)).status);
    expect(await Promise.all(statuses)).toEqual([200, 200, 200]);
  });

  test('refuses to start a second time', async () => {
    expect(await outcome(['--port', String(await freePort())])).toEqual({
      code: 1,
      written: `Stopped. The demo is already running, as process ${run.child.pid}. End it first, or delete .demo/pid if that process is something else.\n`,
    });
  });

  test('Ctrl-C ends it and everything it started', async () => {
    run.child.kill('SIGINT');
    expect(await run.exit).toBe(0);
    expect(run.written()).toMatch(/\nEnding …\n$/);
    expect(existsSync(inCopy('.demo/pid'))).toBe(false);
    for (const url of [`http://127.0.0.1:${port}`, sandbox])
      await expect(fetch(url)).rejects.toThrow('fetch failed');
  });

  test('redraws each step in place on a terminal, and --reset starts from scratch', async () => {
    const command = `${process.execPath} demo/start.mjs --builder node-red --reset --port ${port}`;
    const recorder =
      process.platform === 'darwin'
        ? ['script', '-q', '/dev/null', ...command.split(' ')]
        : ['script', '-qec', command, '/dev/null'];
    const again = start([], {}, recorder);
    await again.until('╯\r\n');
    const [screen = ''] = again.written().split('╯');
    const lines = `${screen}╯`.replaceAll('\u001b', '␛').split('\r\n');
    for (const [index, step] of steps.entries())
      expect(lines[index]?.split('\r').at(-1)).toMatch(new RegExp(`^␛\\[K${step} … \\d+ s, done$`));
    expect(lines[4]).toMatch(/^│ ␛\[1mTelephony in Node-RED +␛\[0m │$/);
    const widths = lines.slice(3).map((line) => line.replaceAll(/␛\[\d+m/g, '').length);
    expect(new Set(widths).size).toBe(1);
    expect(login()).not.toEqual(first);
    process.kill(Number(readFileSync(inCopy('.demo/pid'), 'utf8')), 'SIGINT');
    await again.exit;
  });

  test.each([
    ['that is not filled in', '', /^Service +\S+, a sandbox: nothing is really sent$/m],
    ['of your own', 'AC1', /^Service +the account in its settings: messages may cost money$/m],
  ])('says which service it uses next to an account %s', async (_, username, service) => {
    const file = inCopy('.demo/node-red/flows.json');
    const flows = readFileSync(file, 'utf8');
    const added = { id: 'added', type: 'telephony-account', username };
    writeFileSync(file, JSON.stringify([...JSON.parse(flows), added]));
    const again = start(['--builder', 'node-red', '--port', String(port)]);
    await again.until('Try first');
    expect(again.written()).toMatch(service);
    again.child.kill('SIGINT');
    await again.exit;
    writeFileSync(file, flows);
  });

  test('keeps the output of a builder that fails to start', async () => {
    appendFileSync(inCopy('demo/node-red/serve.ts'), "\nthrow new Error('Not today.');\n");
    const { code, written } = await outcome(['--builder', 'node-red', '--port', String(port)]);
    expect(code).toBe(1);
    expect(written).toMatch(
      /Starting Node-RED … \d+ s, failed\nStopped\. Node-RED ended while it started\. See \.demo\/node-red\.log\.\n$/,
    );
    expect(readFileSync(inCopy('.demo/node-red.log'), 'utf8')).toContain('Not today.');
    expect(existsSync(inCopy('.demo/pid'))).toBe(false);
  });
});
