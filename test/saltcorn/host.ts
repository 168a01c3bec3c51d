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

/** The folder that `npm run build` made, as a user installs it. */
export const artefact = join(root, 'dist/saltcorn');

/** A module of Saltcorn. Only to be asked for after `startSaltcorn`, which sets what Saltcorn reads at load. */
export const saltcorn = (name: string): Loose => require(`@saltcorn/${name}`);

/** What a Saltcorn module exports by default. */
export const model = (name: string): Loose =>
  saltcorn(`data/models/${name}`).default ?? saltcorn(`data/models/${name}`);

/** What Saltcorn holds in memory. */
export const state = (): Loose => saltcorn('data/db/state').getState();

export interface Host {
  sandbox: Sandbox;
  /** The settings that lead to the sandbox. */
  settings: { username: string; password: string; baseUrl: string };
  /** Forgets what was read, with the settings that it was read with, and the requests for it. */
  forget(): Promise<void>;
}

/** An environment that leads Saltcorn to a folder of its own. */
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

/** Loads Saltcorn's modules again, which read the environment when they are loaded. */
async function loadAgain() {
  unload(join(root, 'demo/saltcorn/node_modules'));
  await saltcorn('data/db/reset_schema')(true);
}

/** Empties the Saltcorn that is loaded: its database, what it remembers, and the plugin's modules. */
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
 * Gives a file an empty Saltcorn: the one that this worker has loaded, or one of the file's own.
 *
 * @param own what a Saltcorn of its own reads when it is loaded
 */
async function openDatabase(own?: object) {
  // Saltcorn installs all plugins of a name in one temporary folder, whoever else is just doing so.
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
 * Starts Saltcorn's own tables, types and views, on an empty database, without modules: for code of the plugin that is imported
 * after it. One a test file.
 *
 * @param environment what a Saltcorn of its own reads when it is loaded
 */
export async function startTables(environment?: object) {
  await openDatabase(environment);
  state().registerPlugin('base', saltcorn('data/base-plugin'));
}

/**
 * Starts Saltcorn's own code in this worker, on an empty database, with a plugin that its module installer
 * installed, and a sandbox that the plugin's settings lead to. One a test file: Saltcorn knows one database.
 *
 * @param location the folder to install the plugin from. Another than the artefact needs a Saltcorn of its own
 * @param environment what a Saltcorn of its own reads when it is loaded
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

/** Installs a plugin, or installs it again with other settings, as the module page does. */
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
