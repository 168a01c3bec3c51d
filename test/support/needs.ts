import { appendFileSync, existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { type BuilderId, builders } from '../../demo/builders.ts';
import {
  findPostgresql,
  installWith,
  isProgram,
  ofThisSystem,
  onPath,
  postgresqlAdvice,
  programFiles,
} from '../../demo/find-postgresql.ts';
import { nodeTooOld } from '../../demo/node-version.mjs';

/** Software that some tests need. */
export interface Need {
  name: string;
  /** Its path, if it is installed. */
  path: string | undefined;
  /** How to install it. */
  advice: string;
}

const { env } = process;

const browsers = ofThisSystem({
  // Without the windows that no one sees, pages cost a quarter less.
  linux: [
    ...['chromium-headless-shell', 'chromium', 'chromium-browser'],
    ...['google-chrome', 'google-chrome-stable', 'microsoft-edge'],
  ].flatMap((name) => onPath.map((folder) => join(folder, name))),
  darwin: ['Chromium', 'Google Chrome', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: [
    ...['Chromium/Application/chrome.exe', 'Google/Chrome/Application/chrome.exe'],
    'Microsoft/Edge/Application/msedge.exe',
  ].flatMap((path) => programFiles.map((folder) => join(folder, path))),
});

/** The path of the program. Chrome and Edge work, too. */
const chromium: Need = {
  name: 'Chromium',
  path: browsers.find(isProgram),
  advice: installWith({
    linux: 'apt install chromium',
    darwin: 'brew install --cask google-chrome',
    win32: 'winget install Google.Chrome',
  }),
};

/** The path of the folder with its programs. */
const postgresql: Need = {
  name: 'PostgreSQL',
  path: findPostgresql(),
  advice: postgresqlAdvice,
};

/** The path of the program. */
const redis: Need = {
  name: 'Redis',
  path: onPath.map((folder) => join(folder, 'redis-server')).find(isProgram),
  advice: installWith({
    linux: 'apt install redis-server',
    darwin: 'brew install redis',
    win32: 'winget install Redis.Redis',
  }),
};

/** A builder of the demo, with the path of its packages. */
function builder(id: BuilderId): Need {
  const { name, folder } = builders[id];
  const tooOld = nodeTooOld(name, folder);
  const packages = join(folder, 'node_modules');
  const isInstalled = existsSync(join(packages, '.package-lock.json'));
  return {
    name,
    path: tooOld === undefined && isInstalled ? packages : undefined,
    advice: tooOld ?? `Install it with: npm run builders -- ${id}`,
  };
}

export const needs = {
  chromium,
  postgresql,
  redis,
  saltcorn: builder('saltcorn'),
  nodeRed: builder('node-red'),
  nocobase: builder('nocobase'),
  n8n: builder('n8n'),
} satisfies Record<string, Need>;

/**
 * Skips the tests of a file if something that they need is missing. The end of the run lists it. Each helper that uses it calls
 * this when it is imported.
 */
export function skipWithout({ name, path, advice }: Need): void {
  if (path !== undefined) return;
  // `test.skip` still skips.
  for (const skip of [describe.skip, test.skip]) Object.assign(skip, { skip });
  Object.assign(globalThis, { describe: describe.skip, test: test.skip, it: test.skip });
  const [level] = relative(join(import.meta.dirname, '..'), expect.getState().testPath ?? '').split(
    sep,
  );
  if (env.LACKS) appendFileSync(env.LACKS, `${JSON.stringify({ name, advice, level })}\n`);
}
