import os from 'node:os';
import { join } from 'node:path';
import { closeAfterwards } from '../close-afterwards.ts';
import { needs, skipWithout } from '../needs.ts';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { root } from '../root.ts';
import { takeRequests } from '../take-requests.ts';
import { temporaryFolder } from '../temporary-folder.ts';

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

/** Gives Saltcorn a folder of its own, before any of its modules is loaded. */
export function useFolder(environment: object = {}) {
  const home = temporaryFolder('saltcorn');
  Object.assign(process.env, {
    SQLITE_FILEPATH: join(home, 'database.sqlite'),
    SALTCORN_FILE_STORE: join(home, 'files'),
    SALTCORN_SESSION_SECRET: 'session',
    SALTCORN_JWT_SECRET: 'jwt',
    SALTCORN_NWORKERS: '1',
    XDG_CACHE_HOME: home,
    XDG_CONFIG_HOME: home,
    XDG_DATA_HOME: home,
    ...environment,
  });
  // Saltcorn installs all plugins of a name in one temporary folder, whoever else is just doing so.
  const temporary = jest.spyOn(os, 'tmpdir').mockReturnValue(home);
  closeAfterwards({ close: () => temporary.mockRestore() });
}

/** Makes a fresh database, which ends after the tests it was made for. */
async function openDatabase(environment: object) {
  useFolder(environment);
  closeAfterwards({ close: () => saltcorn('data/db').close() });
  await saltcorn('data/db/reset_schema')(true);
}

/**
 * Starts Saltcorn's own tables, types and views in this process, on a fresh database in memory, without modules: for code of the plugin
 * that is imported after it. One a test file.
 */
export async function startTables() {
  await openDatabase({ SQLITE_FILEPATH: ':memory:' });
  state().registerPlugin('base', saltcorn('data/base-plugin'));
}

/**
 * Starts Saltcorn's own code in this process, on a fresh database, with a plugin that its module installer
 * installed, and a sandbox that the plugin's settings lead to. All of it ends after the tests it was started for. One a
 * test file: Saltcorn knows one database.
 *
 * @param location the folder to install the plugin from
 * @param environment what else Saltcorn reads at load
 */
export async function startSaltcorn(location = artefact, environment = {}): Promise<Host> {
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  const settings = { username: sandbox.username, password: sandbox.password, baseUrl: sandbox.url };

  await openDatabase(environment);
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
