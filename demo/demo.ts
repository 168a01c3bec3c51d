import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { AccountSettings, Builder, Context, Login } from './builder.ts';
import { builders, installBuilder } from './builders.ts';
import { run, seeLog } from './children.mjs';
import { type Options, readOptions, usage } from './options.ts';
import { findPort, requirePort } from './ports.ts';
import { sisterHosts } from './sandbox/account.ts';
import { type Service, startService } from './start-service.ts';
import { Advice, box, say, step } from './terminal.mjs';

/** The sandbox's message when it listens. */
interface SandboxAddress {
  url: string;
  username: string;
  password: string;
}

/** A builder's message when it listens. It also says whether someone entered another account. */
interface BuilderAddress {
  url: string;
  ownAccount: boolean;
}

/** The options with which a builder starts. */
interface BuilderSettings {
  id: string;
  builder: Builder;
  port: number;
  login: Login;
  account: AccountSettings | undefined;
  sandbox: SandboxAddress | undefined;
}

const root = dirname(import.meta.dirname);
const state = join(root, '.demo');
const stateFile = (name: string) => join(state, name);

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const claim = stateFile('pid');

// Two builders would corrupt the same database.
async function refuseSecond() {
  const pid = Number(await readFile(claim, 'utf8').catch(() => 0));
  if (pid && isAlive(pid))
    throw new Advice(
      `The demo is already running, as process ${pid}. End it first, or delete .demo/pid if that process is something else.`,
    );
}

async function prepareState({ reset }: Options) {
  if (reset) await rm(state, { recursive: true, force: true });
  await mkdir(state, { recursive: true });
  await writeFile(claim, String(process.pid));
  process.once('exit', () => rmSync(claim, { force: true }));
}

const serverIn = (folder: string) => join(folder, 'dist/serve.mjs');

async function build(id: string) {
  const log = stateFile('build.log');
  await step('Building the plugin', async () => {
    if ((await run(process.execPath, ['build.mjs', id], { cwd: root, log })) === 0) return;
    throw new Advice(`The plugin could not be built:\n\n${await readFile(log, 'utf8')}`);
  });
}

async function readLogin(): Promise<Login> {
  const file = stateFile('login.json');
  const made = { email: 'admin@example.com', password: `${randomBytes(6).toString('hex')}A1` };
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text) return JSON.parse(text);
  await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  return made;
}

const addressOf = (port: number) => `http://127.0.0.1:${port}`;

async function startSandbox(reportTo: string | undefined) {
  // What uses its URL, such as an open page, finds it again after a restart.
  const file = stateFile('sandbox-port');
  const port = await findPort(Number(await readFile(file, 'utf8').catch(() => 3001)));
  await writeFile(file, String(port));
  return startService<SandboxAddress>('The sandbox', serverIn(join(root, 'demo/sandbox')), {
    args: [
      ...['--port', String(port), '--file', stateFile('sandbox.json'), '--public-media'],
      ...(reportTo === undefined ? [] : ['--report-to', reportTo]),
    ],
    log: stateFile('sandbox.log'),
  });
}

const sandboxSettings = ({ username, password, url }: SandboxAddress): AccountSettings => ({
  ...{ username, password, accountSid: '', baseUrl: url },
  ...sisterHosts(url),
});

const eventSettings = ({ eventPath }: Builder, port: number) =>
  eventPath === undefined ? {} : { publicAddress: addressOf(port), reported: true };

function startBuilder({ id, builder, port, login, account, sandbox }: BuilderSettings) {
  const context: Context = {
    ...{ port, login, account },
    home: stateFile(id),
    plugin: join(root, 'dist', id),
    sandboxAccount: sandbox && { ...sandboxSettings(sandbox), ...eventSettings(builder, port) },
  };
  return startService<BuilderAddress>(builder.name, serverIn(builder.folder), {
    args: builder.args(context).map(String),
    env: { ...process.env, ADMIN_PASSWORD: login.password, ...builder.env(context) },
    log: stateFile(`${id}.log`),
  });
}

function summary(settings: BuilderSettings, running: BuilderAddress) {
  const { builder, sandbox, account, login } = settings;
  const service = account
    ? `your real account ${account.username}: messages cost money`
    : running.ownAccount
      ? 'the account in its settings: messages may cost money'
      : `${sandbox?.url}, a sandbox: nothing is really sent`;
  const facts: [label: string, text: string][] = [
    ...builder.pages(running.url),
    ...(builder.hasNoLogin
      ? []
      : [['Log in', `${login.email}  ${login.password}`] as [string, string]]),
    ['Service', service],
  ];
  const withSandbox = sandbox
    ? [...(builder.tryWithSandbox ?? []), `To simulate a call, open ${sandbox.url}.`]
    : [];
  const steps = [...builder.tryFirst, ...withSandbox];
  return [
    `Telephony in ${builder.name}`,
    '',
    ...facts.map(([label, text]) => `${label.padEnd(10)} ${text}`),
    '',
    'Try first',
    ...steps.map((sentence, index) => `  ${index + 1}. ${sentence}`),
    '',
    'Ctrl-C ends it; the option --reset starts from scratch. Logs are in .demo.',
  ];
}

const failed = (name: string, log: string) =>
  new Advice(`${name} ended unexpectedly. ${seeLog(log)}`);

/** Starts the builder again when someone restarts it on its pages. Throws if the builder fails. */
async function keepBuilder(settings: BuilderSettings, running: Service<BuilderAddress>) {
  while ((await running.exit) === 0) running = await startBuilder(settings);
  throw failed(settings.builder.name, stateFile(`${settings.id}.log`));
}

async function keepSandbox(running: Service<SandboxAddress>) {
  await running.exit;
  throw failed('The sandbox', stateFile('sandbox.log'));
}

async function start(options: Options) {
  const { id, port, account } = options;
  const builder: Builder = builders[id];
  const missing = builder.missing?.();
  if (missing) throw new Advice(missing);
  await refuseSecond();
  await requirePort(port);
  await prepareState(options);
  await build(id);
  await installBuilder(builder);

  const login = await readLogin();
  const reportTo = builder.eventPath && addressOf(port) + builder.eventPath;
  const sandboxRun = account
    ? undefined
    : await step('Starting the sandbox', () => startSandbox(reportTo));
  const sandbox = sandboxRun?.message;
  const settings = { id, builder, port, login, account, sandbox };
  const builderRun = await step(`Starting ${builder.name}`, () => startBuilder(settings));
  box(summary(settings, builderRun.message));

  const keeping = [keepBuilder(settings, builderRun)];
  if (sandboxRun) keeping.push(keepSandbox(sandboxRun));
  await Promise.race(keeping);
}

/**
 * Runs the demo until Ctrl-C.
 *
 * @throws {Advice} if the reader has to change something
 */
export async function demo(args: string[], env: NodeJS.ProcessEnv) {
  const options = readOptions(args, env);
  // Programs that start from here on, such as install scripts, must not see the credentials.
  for (const name of Object.keys(env)) if (name.startsWith('TELEPHONY_')) delete env[name];
  if (options.help) say(usage);
  else await start(options);
}
