import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { builders, installBuilder } from './builders.mjs';
import { endChildren, killChildren, run, serve, whereSaid } from './children.mjs';
import { install } from './npm-ci.mjs';
import { readOptions, usage } from './options.mjs';
import { findPort, requirePort } from './ports.mjs';
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

// Two builders on one database would spoil it.
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

const sandboxSettings = ({ username, password, url }) => ({
  ...{ username, password, accountSid: '', baseUrl: url },
});

function startBuilder({ id, builder, port, login, account, sandbox }) {
  const context = {
    ...{ port, login, account },
    home: stateFile(id),
    plugin: join(root, 'dist', id),
    sandboxAccount: sandbox && sandboxSettings(sandbox),
  };
  return serve(builder.name, join(builder.folder, 'serve.cjs'), {
    args: builder.args(context).map(String),
    env: { ...process.env, ADMIN_PASSWORD: login.password, ...builder.env(context) },
    log: stateFile(`${id}.log`),
  });
}

function summary({ builder, running, sandbox, account, login }) {
  const service = account
    ? `your real account ${account.username}: messages cost money`
    : running.ownAccount
      ? 'the account in its settings: messages may cost money'
      : `${sandbox.url}, a sandbox: nothing is really sent`;
  const facts = [
    ...builder.pages(running.url),
    ['Log in', `${login.email}  ${login.password}`],
    ['Service', service],
  ];
  return [
    `Telephony in ${builder.name}`,
    '',
    ...facts.map(([label, text]) => `${label.padEnd(10)} ${text}`),
    '',
    'Try first',
    ...builder.tryFirst.map((sentence, index) => `  ${index + 1}. ${sentence}`),
    '',
    'Ctrl-C ends it; with the option --reset it begins anew. Logs are in .demo.',
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

const failed = (name, log) => new Advice(`${name} ended unexpectedly. ${whereSaid('it', log)}`);

/** Keeps the builder running over the restarts that are asked for on its pages; throws when it fails. */
async function keepBuilder(settings, running) {
  while ((await running.exit) === 0) running = await startBuilder(settings);
  throw failed(settings.builder.name, stateFile(`${settings.id}.log`));
}

async function keepSandbox(running) {
  await running.exit;
  throw failed('The sandbox', stateFile('sandbox.log'));
}

async function start(options) {
  const { id, port, account } = options;
  const builder = builders[id];
  await refuseSecond();
  await requirePort(port);
  await prepareState(options);
  await install(root, 'Installing the packages of this repository, once');
  await build();
  await installBuilder(builder);

  const login = await readLogin();
  const sandboxRun = account ? undefined : await step('Starting the sandbox', startSandbox);
  const sandbox = sandboxRun?.message;
  const settings = { id, builder, port, login, account, sandbox };
  const builderRun = await step(`Starting ${builder.name}`, () => startBuilder(settings));
  box(summary({ ...settings, running: builderRun.message }));

  const keeping = [keepBuilder(settings, builderRun)];
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
