/**
 * Starts Saltcorn, on loopback only, without Saltcorn's command line.
 *
 *   node dist/serve.mjs --home <folder> [--port <number>] [--admin <email>] [--plugin <folder>] [--pack <file>]...
 *                  [--sandbox <url>] [--customers <file>] [--database <url>] [--workers <number>] [--scheduler]
 *
 *   --home      the folder with all data: database, sessions, files, secrets; created if missing
 *   --port      a free one by default
 *   --admin     the first user of a new database, with the password in ADMIN_PASSWORD
 *   --plugin    the folder of a built plugin, installed at every start, so that it is the newest build
 *   --pack      a pack to install in a new database; can be repeated
 *   --sandbox   the URL of the sandbox, for the trigger of the pack that simulates incoming SMS
 *   --customers the rows of the pack's table of customers, for a new database
 *   --database  the URL of a PostgreSQL database to use instead of SQLite; empty at the first start
 *   --workers   the number of processes that serve pages; 1 by default
 *   --scheduler runs scheduled work, such as hourly triggers
 *
 * Two environment variables contain settings of the plugin as JSON. PLUGIN_CONFIGURATION is stored, unless someone has entered
 * another account in Saltcorn. PLUGIN_FIXED_CONFIGURATION overrides the stored settings; it is never stored, and not on the
 * settings page.
 *
 * When Saltcorn listens, the parent process gets `{ url, ownAccount }`. `ownAccount` is true if someone entered another account.
 * Exit code 0 means that someone requested a restart in Saltcorn.
 */
import cluster from 'node:cluster';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { definitions } from '../../generated/definitions.ts';
import { isChanged, noteGiven } from '../given-base-url.ts';
import { setSandboxUrl } from './set-sandbox-url.ts';

const { id: pluginName } = definitions.manifest;

const host = '127.0.0.1';

function readOptions() {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: {
      ...{ home: text, port: text, admin: text, plugin: text, customers: text, sandbox: text },
      pack: { type: 'string', multiple: true, default: [] },
      ...{ database: text, workers: { type: 'string', default: '1' } },
      scheduler: { type: 'boolean', default: false },
    },
  });
  if (!values.home) throw new Error('serve.ts needs --home <folder>.');
  const path = (value: string | undefined) => value && resolve(value);
  return {
    ...values,
    home: resolve(values.home),
    plugin: path(values.plugin),
    pack: values.pack.map((file) => resolve(file)),
    customers: path(values.customers),
    port: Number(values.port ?? 0),
    workers: Number(values.workers),
  };
}

type Options = ReturnType<typeof readOptions>;

function readSecrets(home: string): { session: string; jwt: string } {
  const file = join(home, 'secrets.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const secret = () => randomBytes(32).toString('hex');
  const secrets = { session: secret(), jwt: secret() };
  writeFileSync(file, JSON.stringify(secrets));
  return secrets;
}

/** Settings that keep pages from sending requests to the store, the registry or GitHub. */
function quietConfiguration() {
  const never = '2099-01-01';
  const nowhere = `http://${host}:9/`;
  return {
    available_packs: [],
    available_packs_fetched_at: never,
    available_plugins: [],
    available_plugins_fetched_at: never,
    latest_npm_version: { '@saltcorn/cli': { time: never, version: '1.6.2' } },
    packs_store_endpoint: nowhere,
    plugins_store_endpoint: nowhere,
    saltcorn_npm_versions: { time: never, versions: ['1.6.2'] },
  };
}

// Saltcorn reads these variables while it is loaded. A DATABASE_URL of the user would lead it to their database, and
// NODE_ENV=test changes how it loads plugins.
function setEnvironment({ home, database, workers }: Options) {
  const { env } = process;
  const foreign = /^(SALTCORN_|PG|DATABASE_URL$|FORCE_SQLITE$|NO_DB_CONNECTION$|NODE_ENV$|JEST_)/;
  for (const name of Object.keys(env)) if (foreign.test(name)) delete env[name];

  // The database contains the plugin's settings.
  process.umask(0o077);
  const folder = (name: string) => {
    mkdirSync(join(home, name), { recursive: true });
    return join(home, name);
  };
  const secrets = readSecrets(folder('.'));
  Object.assign(env, {
    HOME: home,
    SALTCORN_DISABLE_UPGRADE: 'true',
    SALTCORN_FILE_STORE: folder('files'),
    SALTCORN_FIXED_CONFIGURATION: JSON.stringify(quietConfiguration()),
    SALTCORN_FIXED_PLUGIN_CONFIGURATION: JSON.stringify({
      [pluginName]: JSON.parse(env.PLUGIN_FIXED_CONFIGURATION || '{}'),
    }),
    SALTCORN_JWT_SECRET: secrets.jwt,
    SALTCORN_NWORKERS: String(workers),
    SALTCORN_SESSION_SECRET: secrets.session,
    ...(database ? { DATABASE_URL: database } : { SQLITE_FILEPATH: join(home, 'database.sqlite') }),
    TMPDIR: folder('temporary'),
    XDG_CACHE_HOME: folder('cache'),
    XDG_CONFIG_HOME: folder('config'),
    XDG_DATA_HOME: folder('data'),
  });
  // The session store opens its file relative to the working directory.
  process.chdir(home);
}

async function createDatabase({ home, admin }: Options) {
  rmSync(join(home, 'database.sqlite'), { force: true });
  const { default: resetSchema } = await import('@saltcorn/data/db/reset_schema');
  const { default: Plugin } = await import('@saltcorn/data/models/plugin');
  const { default: User } = await import('@saltcorn/data/models/user');
  await resetSchema(true);
  await Plugin.loadAllPlugins();
  if (!admin) return;
  const password = process.env.ADMIN_PASSWORD;
  const user = await User.create({ email: admin, password, role_id: 1 });
  if (user.error) throw new Error(user.error);
}

/** Saltcorn lists types in the order of their registration, and a new field starts with the first: a text. */
async function registerOwnTypes() {
  const { getState } = await import('@saltcorn/data/db/state');
  const { default: base } = await import('@saltcorn/data/base-plugin');
  getState().registerPlugin('base', base);
}

/** Installs the plugin. Resolves to true if someone entered another account in its settings. */
async function installPlugin(location: string, home: string) {
  const { default: Plugin } = await import('@saltcorn/data/models/plugin');
  const { defaultSender, ...given } = JSON.parse(process.env.PLUGIN_CONFIGURATION || '{}');
  const installed = await Plugin.findOne({ name: pluginName });
  const stored = installed?.configuration ?? {};
  const ownAccount = Boolean(given.username && stored.username) && isChanged(home, stored, given);
  // A sender that someone has entered or removed stays.
  const configuration = ownAccount ? stored : { defaultSender, ...stored, ...given };
  const plugin = { ...installed, name: pluginName, source: 'local', location, configuration };
  await Plugin.loadAndSaveNewPlugin(new Plugin(plugin), true);
  if (given.username && !ownAccount) noteGiven(home, given);
  return ownAccount;
}

async function installPack(file: string) {
  const { default: db } = await import('@saltcorn/data/db');
  const { default: Plugin } = await import('@saltcorn/data/models/plugin');
  const { install_pack } = await import('@saltcorn/admin-models/models/pack');
  const pack = JSON.parse(readFileSync(file, 'utf8'));
  await db.withTransaction(() =>
    install_pack(pack, pluginName, (plugin) => Plugin.loadAndSaveNewPlugin(plugin)),
  );
}

async function addCustomers(file: string) {
  const { default: Table } = await import('@saltcorn/data/models/table');
  const table = Table.findOne({ name: 'Customers' });
  for (const row of JSON.parse(readFileSync(file, 'utf8'))) await table?.insertRow(row);
}

/** The port of Saltcorn's server. Saltcorn does not export the server, so this reads the port when it is created. */
const serverPort = () =>
  new Promise<number>((resolve, reject) => {
    const { createServer } = http;
    http.createServer = (...args: unknown[]) => {
      http.createServer = createServer;
      const server: http.Server = Reflect.apply(createServer, http, args);
      server.once('error', reject);
      server.once('listening', () => resolve((server.address() as AddressInfo).port));
      return server;
    };
  });

/** The port of all workers, once they listen. */
const workersPort = (workers: number) =>
  new Promise<number>((resolve) => {
    let listening = 0;
    cluster.on('listening', (_, { port }) => {
      listening += 1;
      if (listening === workers) resolve(port);
    });
  });

/**
 * Saltcorn opens its sessions twice, and each connection waits at most a second for what the other one writes. On a slow disk, that
 * can end a Saltcorn that is starting. A single connection has nothing to wait for.
 */
async function shareSessions() {
  const { default: sqlite } = await import('sqlite3');
  let sessions: object | undefined;
  sqlite.Database = new Proxy(sqlite.Database, {
    construct(Database, about) {
      if (about[0] !== 'sessions.sqlite') return Reflect.construct(Database, about);
      sessions ??= Reflect.construct(Database, about) as object;
      return sessions;
    },
  });
}

/** Serves pages, in this process or in its workers. Resolves to the URL. */
async function listen({ port, workers, scheduler }: Options) {
  await shareSessions();
  const listened = cluster.isPrimary && workers > 1 ? workersPort(workers) : serverPort();
  const { default: serve } = await import('@saltcorn/server/serve.js');
  const served = serve({ port, host, defaultNCPUs: 1, disableScheduler: !scheduler });
  const [actualPort] = await Promise.all([listened, served]);
  return `http://${host}:${actualPort}`;
}

/** Saltcorn starts its workers by running this program again. */
async function work(options: Options) {
  setEnvironment(options);
  await listen(options);
}

async function main(options: Options) {
  const { home, plugin, pack, customers, sandbox } = options;
  // Saltcorn takes any parent for its own cluster's primary, and would leave scheduled work to it.
  const report = process.send?.bind(process);
  delete process.send;
  cluster.setupPrimary({ cwd: process.cwd() });

  setEnvironment(options);
  const ready = join(home, 'ready');
  const fresh = !existsSync(ready);
  if (fresh) await createDatabase(options);
  else await registerOwnTypes();
  const ownAccount = plugin ? await installPlugin(plugin, home) : false;
  if (fresh) for (const file of pack) await installPack(file);
  if (sandbox) {
    const { default: Trigger } = await import('@saltcorn/data/models/trigger');
    await setSandboxUrl(Trigger, sandbox);
  }
  if (fresh && customers) await addCustomers(customers);
  writeFileSync(ready, '');
  const url = await listen(options);
  report?.({ url, ownAccount });
}

process.once('disconnect', () => process.exit(1));
const run = cluster.isPrimary ? main : work;
run(readOptions()).catch((error) => {
  console.error(error.code === 'EADDRINUSE' ? `Port ${error.port} is taken.` : error);
  process.exit(1);
});
