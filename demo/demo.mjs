import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { endChildren, killChildren, run, serve } from './children.mjs';
import { install } from './npm-ci.mjs';
import { readOptions, usage } from './options.mjs';
import { findPort, requirePort } from './ports.mjs';
import { installSaltcorn } from './saltcorn/install.mjs';
import { Advice, box, complain, say, step } from './terminal.mjs';

const root = dirname(import.meta.dirname);
const state = join(root, '.demo');
const stateFile = (name) => join(state, name);

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
};

const claim = stateFile('pid');

// Two Saltcorns on one database would spoil it.
async function refuseSecond() {
  const pid = Number(await readFile(claim, 'utf8').catch(() => 0));
  if (pid && isAlive(pid))
    throw new Advice(
      `It runs already, as process ${pid}. End that one first, or delete .demo/pid if it is something else.`,
    );
}

async function prepareState({ reset }) {
  if (reset) await rm(state, { recursive: true, force: true });
  await mkdir(state, { recursive: true });
  await writeFile(claim, String(process.pid));
}

async function build() {
  const log = stateFile('build.log');
  await step('Building the plugin', async () => {
    if ((await run(process.execPath, ['build.mjs'], { cwd: root, log })) === 0) return;
    throw new Advice(`The plugin could not be built:\n\n${await readFile(log, 'utf8')}`);
  });
}

async function readLogin() {
  const file = stateFile('login.json');
  const made = { email: 'admin@example.com', password: randomBytes(6).toString('hex') };
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text) return JSON.parse(text);
  await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

async function startSandbox() {
  const port = await findPort(3001);
  return serve('The sandbox', join(root, 'demo/sandbox/serve.ts'), {
    args: ['--port', String(port), '--file', stateFile('sandbox.json'), '--public-media'],
    execArgv: ['--import', 'tsx'],
    cwd: root,
    log: stateFile('sandbox.log'),
  });
}

function startSaltcorn({ port, login, account, sandbox }) {
  const given = sandbox && {
    username: sandbox.username,
    password: sandbox.password,
    accountSid: '',
    baseUrl: sandbox.url,
  };
  const folder = join(root, 'demo/saltcorn');
  const args = ['--home', stateFile('saltcorn'), '--port', port, '--admin', login.email];
  args.push('--plugin', join(root, 'dist/saltcorn'), '--pack', join(folder, 'desk.json'));
  // They are callers of the sandbox.
  if (sandbox) args.push('--customers', join(folder, 'customers.json'));
  return serve('Saltcorn', join(folder, 'serve.cjs'), {
    args: args.map(String),
    env: {
      ...process.env,
      ADMIN_PASSWORD: login.password,
      PLUGIN_CONFIGURATION: JSON.stringify(given ?? {}),
      PLUGIN_FIXED_CONFIGURATION: JSON.stringify(account ?? {}),
    },
    log: stateFile('saltcorn.log'),
  });
}

function summary({ saltcorn, sandbox, account, login }) {
  const service = account
    ? `your real account ${account.username}: messages cost money`
    : saltcorn.ownAccount
      ? 'the account in its settings: messages may cost money'
      : `${sandbox.url}, a sandbox: nothing is really sent`;
  return [
    'Telephony in Saltcorn',
    '',
    `Open       ${saltcorn.url}`,
    `Log in     ${login.email}  ${login.password}`,
    `Service    ${service}`,
    '',
    'Try first',
    '  1. Log in: the desk lists the calls of the account.',
    '  2. Choose the status in-progress, open a call, and record it.',
    '  3. Send an SMS with the form beside the list.',
    '  4. In Pages, edit the desk by drag and drop.',
    '',
    'Ctrl-C ends it, `npm start -- --reset` begins anew. Logs are in .demo.',
  ];
}

async function finish(code) {
  await endChildren();
  if ((await readFile(claim, 'utf8').catch(() => '')) === String(process.pid)) await rm(claim);
  process.exit(code);
}

function endOnSignals() {
  let asked = false;
  const end = () => {
    if (asked) {
      killChildren();
      process.exit(130);
    }
    asked = true;
    say('\nEnding …');
    finish(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
}

const failed = (name, log) => new Advice(`${name} ended unexpectedly. What it said is in ${log}.`);

/** Keeps Saltcorn running over the restarts that are asked for on its pages; throws when it fails. */
async function keepSaltcorn(settings, running) {
  while ((await running.exit) === 0) running = await startSaltcorn(settings);
  throw failed('Saltcorn', stateFile('saltcorn.log'));
}

async function keepSandbox(running) {
  await running.exit;
  throw failed('The sandbox', stateFile('sandbox.log'));
}

async function start(options) {
  const { port, account } = options;
  await refuseSecond();
  await requirePort(port);
  await prepareState(options);
  await install(root, 'Installing the packages of this repository, once');
  await build();
  await installSaltcorn();

  const login = await readLogin();
  const sandboxRun = account ? undefined : await step('Starting the sandbox', startSandbox);
  const sandbox = sandboxRun?.message;
  const settings = { port, login, account, sandbox };
  const saltcornRun = await step('Starting Saltcorn', () => startSaltcorn(settings));
  box(summary({ saltcorn: saltcornRun.message, sandbox, account, login }));

  const keeping = [keepSaltcorn(settings, saltcornRun)];
  if (sandboxRun) keeping.push(keepSandbox(sandboxRun));
  await Promise.race(keeping);
}

/** Runs the demo until Ctrl-C. */
export async function demo(args, env) {
  try {
    const options = readOptions(args, env);
    // Nothing that runs from here on, such as an install script, has any business with the credentials.
    for (const name of Object.keys(env)) if (name.startsWith('TELEPHONY_')) delete env[name];
    if (options.help) return say(usage);
    endOnSignals();
    await start(options);
  } catch (error) {
    complain(error);
    await finish(1);
  }
}
