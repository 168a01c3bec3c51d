/**
 * Starts NocoBase with its own PostgreSQL, on loopback only, without NocoBase's command line.
 *
 *   node dist/serve.mjs --home <folder> [--port <number>] [--admin <email>] [--plugin <folder>] [--desk <file>]...
 *                  [--customers <file>] [--sandbox <url>]
 *
 *   --home    the folder with all data: database, files, secrets; created if missing
 *   --port    a free one by default
 *   --admin   the first user of a new database, with the password in ADMIN_PASSWORD
 *   --plugin  the folder of a built plugin: uploaded and enabled in a new NocoBase, and replaced at every start, so that it is
 *             the newest build
 *   --desk    tables, pages and workflows to add to a new NocoBase; can be repeated
 *   --customers  the rows of the desk's table of customers
 *   --sandbox the URL of the sandbox, for workflows
 *
 * The environment variable PLUGIN_CONFIGURATION is an account as JSON. It is added in the plugin's settings, unless someone has
 * entered another one there.
 *
 * When NocoBase listens, the parent process gets `{ url, ownAccount }`. `ownAccount` is true if someone entered another account.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { definitions } from '../../generated/definitions.ts';
import { freePort, host } from '../ports.ts';
import { startPostgresql } from '../start-postgresql.ts';
import { addDesk, leadToSandbox } from './desk.ts';
import { openVisitor } from './visitor.ts';

const require = createRequire(import.meta.url);

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ home: text, port: text, admin: text, plugin: text, customers: text, sandbox: text },
      desk: { type: 'string', multiple: true, default: [] },
    },
  });
  if (!values.home) throw new Error('serve.ts needs --home <folder>.');
  return {
    home: resolve(values.home),
    plugin: values.plugin && resolve(values.plugin),
    desks: values.desk.map((file) => resolve(file)),
    customers: values.customers && resolve(values.customers),
    sandbox: values.sandbox,
    port: Number(values.port ?? 0),
    admin: values.admin ?? 'admin@example.com',
    password: process.env.ADMIN_PASSWORD || randomBytes(12).toString('hex'),
  };
}

type Options = ReturnType<typeof readOptions>;

interface Secrets {
  app: string;
  database: string;
}

function readSecrets(home: string): Secrets {
  const file = join(home, 'secrets.json');
  if (existsSync(file)) return readJson(file);
  const secret = () => randomBytes(32).toString('hex');
  const secrets = { app: secret(), database: secret() };
  writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
  return secrets;
}

/** Links NocoBase's packages into the home, because NocoBase adds links to uploaded plugins next to them. */
function linkPackages(home: string) {
  const source = join(require.resolve('@nocobase/app/package.json'), '../..');
  const links = join(home, 'node_modules/@nocobase');
  mkdirSync(links, { recursive: true });
  for (const name of readdirSync(source))
    if (!existsSync(join(links, name)))
      symlinkSync(join(source, name), join(links, name), 'junction');
}

interface Place {
  home: string;
  port: number;
  databasePort: number;
  secrets: Secrets;
}

function setEnvironment(
  { home, port, databasePort, secrets }: Place,
  { admin, password }: Options,
) {
  const { env } = process;
  const foreign = /^(APP_|DB_|INIT_|LOGGER_|PG|STORAGE_PATH$|NODE_ENV$|NODE_OPTIONS$|JEST_)/;
  for (const name of Object.keys(env)) if (foreign.test(name)) delete env[name];
  process.umask(0o077);
  const folder = (name: string) => {
    mkdirSync(join(home, name), { recursive: true });
    return join(home, name);
  };
  Object.assign(env, {
    APP_ENV: 'production',
    APP_HOST: host,
    APP_KEY: secrets.app,
    APP_PACKAGE_ROOT: join(require.resolve('@nocobase/app/package.json'), '..'),
    APP_PORT: String(port),
    DB_DATABASE: 'postgres',
    DB_DIALECT: 'postgres',
    DB_HOST: host,
    DB_PASSWORD: secrets.database,
    DB_PORT: String(databasePort),
    DB_USER: 'postgres',
    HOME: home,
    INIT_APP_LANG: 'en-US',
    INIT_ROOT_EMAIL: admin,
    INIT_ROOT_NICKNAME: 'Admin',
    INIT_ROOT_PASSWORD: password,
    INIT_ROOT_USERNAME: 'admin',
    STORAGE_PATH: folder('storage'),
    TMPDIR: folder('temporary'),
    TZ: 'UTC',
  });
  process.chdir(home);
  const { initEnv, buildIndexHtml } = require('@nocobase/cli-v1/src/util.js');
  initEnv();
  buildIndexHtml(true);
  // Its options make Node load packages by the paths of links to them, and so some of them twice.
  delete env.NODE_OPTIONS;
}

const children: ChildProcess[] = [];

/** How long NocoBase may take to end, in milliseconds. */
const graceMs = 5_000;

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(timer);
}

let isEnding = false;

/** Ends all children, the database last, so that none of them runs next to those of the next start. */
async function end(code: number) {
  if (isEnding) return;
  isEnding = true;
  for (const child of [...children].reverse()) await ended(child);
  process.exit(code);
}

function startApp(args: string[]): ChildProcess {
  const program = require.resolve('@nocobase/app/lib/index.js');
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' });
  children.push(child);
  return child;
}

async function install() {
  const code = await new Promise((done) => startApp(['install', '-s']).once('exit', done));
  if (code !== 0) throw new Error(`NocoBase could not be installed: it ended with ${code}.`);
}

/** Waits until NocoBase responds. It restarts by itself when a plugin is enabled. */
async function untilUp(url: string, app: ChildProcess) {
  for (;;) {
    if (app.exitCode !== null) throw new Error(`NocoBase ended with ${app.exitCode}.`);
    const answer = await fetch(`${url}/api/app:getInfo`).catch(() => undefined);
    if (answer?.ok) return;
    await wait(300);
  }
}

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const packageOf = (folder: string): { name: string } => readJson(join(folder, 'package.json'));

/** Replaces the uploaded plugin with a new build. */
function takeOver(home: string, plugin: string) {
  const place = join(home, 'storage/plugins', packageOf(plugin).name);
  if (!existsSync(place)) return;
  rmSync(place, { recursive: true });
  cpSync(plugin, place, { recursive: true });
}

function packed(folder: string, to: string): string {
  const args = ['pack', folder, '--pack-destination', to, '--silent'];
  return join(to, execFileSync('npm', args, { encoding: 'utf8' }).trim());
}

async function main(options: Options) {
  const { home, plugin, desks, customers, sandbox } = options;
  mkdirSync(home, { recursive: true });
  const secrets = readSecrets(home);
  const databasePort = await freePort();
  children.push(await startPostgresql(join(home, 'postgresql'), databasePort, secrets.database));
  const port = options.port || (await freePort());
  linkPackages(home);
  setEnvironment({ home, port, databasePort, secrets }, options);

  const ready = join(home, 'ready');
  const fresh = !existsSync(ready);
  if (fresh) await install();
  else if (plugin) takeOver(home, plugin);
  const url = `http://${host}:${port}`;
  const app = startApp(['start']);
  await untilUp(url, app);
  const visitor = await openVisitor(url, options.admin, options.password);
  if (fresh && plugin) {
    await visitor.upload(packed(plugin, process.env.TMPDIR ?? home), packageOf(plugin).name);
    await untilUp(url, app);
  }
  const configuration = JSON.parse(process.env.PLUGIN_CONFIGURATION || 'null');
  const ownAccount =
    plugin && configuration ? await visitor.addAccount(configuration, home) : false;
  if (sandbox) await leadToSandbox(visitor, sandbox);
  const rows = { customers: customers ? readJson(customers) : [] };
  for (const desk of fresh ? desks : [])
    await addDesk(visitor, definitions.manifest.id, readJson(desk), rows);
  writeFileSync(ready, '');
  process.send?.({ url, ownAccount });
  app.once('exit', (code) => end(code ?? 1));
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => end(0));
process.once('disconnect', () => end(1));
main(readOptions()).catch((error) => {
  console.error(error);
  end(1);
});
