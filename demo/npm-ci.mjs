import { mkdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { run, seeLog } from './children.mjs';
import { Advice, step } from './terminal.mjs';

const root = dirname(import.meta.dirname);
const log = join(root, '.demo', 'npm.log');

/** @type {Partial<Record<NodeJS.Platform, string>>} */
const compiler = {
  darwin: 'Install them with: xcode-select --install.',
  linux: 'On Debian or Ubuntu, install them as root with: apt install g++ make python3.',
  win32:
    'Install them with: winget install Python.Python.3.12 Microsoft.VisualStudio.2022.BuildTools.',
};

// In this order: the output of a missing compiler also mentions the network.
/** @type {[pattern: RegExp, reason: string][]} */
const reasons = [
  [
    /gyp ERR! find (Python|VS)|not found: make|(g\+\+|c\+\+|cc|clang\+\+): (No such file|not found|command not found)/,
    `SQLite has to be compiled on this machine, which needs g++, make and python3. ${compiler[process.platform] ?? ''}`,
  ],
  [/ENOSPC/, 'The disk is full. About 700 MB are needed.'],
  [
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ERR_SOCKET_TIMEOUT|network/,
    'The package registry could not be reached. Check the network, then run the same command again.',
  ],
];

/**
 * Reads the packages of a lock, by their folders.
 *
 * @param {string} file
 * @returns {Promise<Record<string, { version?: string, optional?: boolean }>>}
 */
async function packagesOf(file) {
  try {
    return JSON.parse(await readFile(file, 'utf8')).packages;
  } catch {
    return {};
  }
}

/** @param {string} folder */
const recordOf = (folder) => join(folder, 'node_modules', '.package-lock.json');

/**
 * Whether a folder has all packages of its lock. npm records what it installed when it is done, so an interrupted installation
 * has no record.
 *
 * @param {string} folder
 */
async function isInstalled(folder) {
  const wanted = await packagesOf(join(folder, 'package-lock.json'));
  const present = await packagesOf(recordOf(folder));
  return Object.entries(wanted).every(
    ([path, { version, optional }]) => !path || optional || present[path]?.version === version,
  );
}

// `npm start` names its own npm, which may differ from the one in PATH.
/** @returns {[command: string, args: string[]]} */
function npmCommand() {
  const path = process.env.npm_execpath;
  if (path && basename(path).startsWith('npm')) return [process.execPath, [path]];
  return ['npm', []];
}

// Install scripts must not see the credentials of an account.
const withoutAccount = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !name.startsWith('TELEPHONY_')),
  );

/** @param {string} folder */
async function npmCi(folder) {
  const [command, before] = npmCommand();
  const args = [...before, 'ci', '--include=dev', '--no-audit', '--no-fund', '--prefer-offline'];
  const shell = command === 'npm' && process.platform === 'win32';
  return run(command, args, { cwd: folder, env: withoutAccount(), log, shell }).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new Advice('npm was not found. It comes with Node: https://nodejs.org');
  });
}

async function explain() {
  const text = await readFile(log, 'utf8');
  const reason = reasons.find(([pattern]) => pattern.test(text))?.[1];
  return new Advice(`${reason ?? 'npm could not install the packages.'} ${seeLog(log)}`);
}

/**
 * Installs a folder's packages with `npm ci`, if some are missing.
 *
 * @param {string} folder
 * @param {string} label the text to show during the installation
 * @throws {Advice} if the installation fails
 */
export async function install(folder, label) {
  if (await isInstalled(folder)) return;
  await mkdir(dirname(log), { recursive: true });
  await rm(recordOf(folder), { force: true });
  await step(label, async () => {
    if ((await npmCi(folder)) !== 0) throw await explain();
  });
}
