import { mkdtempSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { unload, worker } from '../support/builder-worker.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { needs, skipWithout } from '../support/needs.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';
import { root } from '../support/root.ts';
import { takeRequests } from '../support/take-requests.ts';

skipWithout(needs.saltcorn);

// biome-ignore lint/suspicious/noExplicitAny: Saltcorn's own objects, which it does not type for plugins
export type Loose = any;

/** The built package, as users install it. */
export const artefact = join(root, 'dist/saltcorn');

/** Loads a module of Saltcorn. Call it after `startSaltcorn`, which sets the environment that Saltcorn reads while loading. */
export const saltcorn = (name: string): Loose => require(`@saltcorn/${name}`);

/** The default export of a Saltcorn module. */
export const model = (name: string): Loose =>
  saltcorn(`data/models/${name}`).default ?? saltcorn(`data/models/${name}`);

/** Saltcorn's state in memory. */
export const state = (): Loose => saltcorn('data/db/state').getState();

export interface Host {
  sandbox: Sandbox;
  /** The settings for the sandbox. */
  settings: { username: string; password: string; baseUrl: string };
  /** Clears the cache, and the sandbox's request log. */
  forget(): Promise<void>;
}

/** Environment variables for a Saltcorn in its own folder. */
function inFolder(environment: object = {}) {
  const home = mkdtempSync(join(worker.folder, 'home-'));
  return {
    SQLITE_FILEPATH: ':memory:',
    SALTCORN_FILE_STORE: join(home, 'files'),
    SALTCORN_SESSION_SECRET: 'session',
    SALTCORN_JWT_SECRET: 'jwt',
    SALTCORN_NWORKERS: '1',
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    ...environment,
  };
}

/** Loads Saltcorn's modules again, because they read the environment while loading. */
async function loadAgain() {
  unload(join(root, 'demo/saltcorn/node_modules'));
  await saltcorn('data/db/reset_schema')(true);
}

/** Resets the loaded Saltcorn: its database, its state, and the plugin's modules. */
async function empty() {
  unload(worker.folder);
  const database = saltcorn('data/db');
  await database.changeConnection({ sqlite_path: ':memory:' });
  await database.query('PRAGMA foreign_keys = ON');
  const memory = state();
  for (const key of Object.keys(memory)) delete memory[key];
  Object.assign(memory, new memory.constructor(database.connectObj.default_schema || 'public'));
  await database.reset(true);
}

async function unloadSaltcorn() {
  await worker.loaded?.close();
  delete worker.loaded;
}

/**
 * Provides a test file with an empty Saltcorn: the loaded one of this worker, or a new one.
 *
 * @param own environment variables, which need a new Saltcorn
 */
async function openDatabase(own?: object) {
  // Saltcorn installs all plugins of a name into one temporary folder, also those of other processes.
  const temporary = jest.spyOn(os, 'tmpdir').mockReturnValue(worker.folder);
  closeAfterwards({ close: () => temporary.mockRestore() });

  if (worker.loaded && !own) {
    Object.assign(process.env, worker.loaded.environment);
    return empty();
  }
  await unloadSaltcorn();
  const environment = inFolder(own);
  Object.assign(process.env, environment);
  await loadAgain();
  worker.loaded = { environment, close: saltcorn('data/db').close };
  if (own) closeAfterwards({ close: unloadSaltcorn });
}

/**
 * Starts Saltcorn's own tables, types and views on an empty database, without modules: for code of the plugin that is imported
 * afterwards. Call it once per test file.
 *
 * @param environment environment variables, which need a new Saltcorn
 */
export async function startTables(environment?: object) {
  await openDatabase(environment);
  state().registerPlugin('base', saltcorn('data/base-plugin'));
}

/**
 * Starts Saltcorn in this worker, on an empty database, with the plugin installed by its module installer, and a sandbox in the
 * plugin's settings. Call it once per test file: Saltcorn has one database.
 *
 * @param location the folder from which to install the plugin. Another one than the artefact needs a new Saltcorn
 * @param environment environment variables, which need a new Saltcorn
 */
export async function startSaltcorn(location = artefact, environment?: object): Promise<Host> {
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  const settings = { username: sandbox.username, password: sandbox.password, baseUrl: sandbox.url };

  const isShared = location === artefact && environment === undefined;
  await openDatabase(isShared ? undefined : (environment ?? {}));
  const Plugin = model('plugin');
  await Plugin.loadAllPlugins();
  await state().refresh(true);
  await installPlugin(location, settings);

  return {
    sandbox,
    settings,
    forget: async () => {
      await installPlugin(location, settings);
      takeRequests(sandbox);
    },
  };
}

/** Installs a plugin, or changes its settings, like the module page. */
export async function installPlugin(location: string, configuration: object) {
  const Plugin = model('plugin');
  const installed = await Plugin.findOne({ name: 'telephony' });
  const plugin = {
    ...installed,
    ...{ name: 'telephony', source: 'local', location },
    configuration: { ...configuration },
  };
  await Plugin.loadAndSaveNewPlugin(new Plugin(plugin));
}
