/**
 * Tests the named levels of `levels.mjs`, or all of them: `node test/run.mjs saltcorn -- -t 'Send SMS'`. Installs and builds what
 * the levels need, also in an empty clone, and passes what follows `--` to jest.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { install } from '../demo/npm-ci.mjs';
import { levels } from './levels.mjs';

const root = resolve(import.meta.dirname, '..');
const separator = process.argv.indexOf('--');
const end = separator < 0 ? process.argv.length : separator;
const named = process.argv.slice(2, end);
const options = process.argv.slice(end + 1);

const unknown = named.filter((name) => !Object.hasOwn(levels, name));
if (unknown.length > 0)
  throw new Error(`No level ${unknown.join(', ')}. There are: ${Object.keys(levels).join(', ')}.`);
/** @type {[string, import('./levels.mjs').Level][]} */
const chosen = Object.entries(levels).filter(([name]) => !named.length || named.includes(name));
const builders = new Set(chosen.flatMap(([, { builders }]) => builders));
const projects = chosen.flatMap(([, { projects }]) => projects);

/** @param {string[]} args */
function node(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

// All levels include the long rounds, so the short ones of the same tests would prove nothing more.
if (chosen.length === Object.keys(levels).length) process.env.ROUNDS = 'long';

// Builders are started many times: from Node 22.1 on, their scripts are compiled once.
process.env.NODE_COMPILE_CACHE ??= resolve(root, 'node_modules/.cache/node');

await install(root, 'Installing the packages of this repository, once');
node('build.mjs', ...new Set(chosen.flatMap(([, { builds }]) => builds)));
for (const [, { tools }] of chosen)
  if (tools) await install(resolve(root, tools), 'Installing tools for the tests, once: 300 MB');
if (builders.size > 0) node('--import', 'tsx', 'demo/install.ts', ...builders);
// Many tests wait for a server, a browser or a program of their own.
const workers = `--maxWorkers=${Math.ceil(1.5 * availableParallelism())}`;

/** The exit code of a run. @param {string[]} args */
const jest = (...args) =>
  spawnSync(
    process.execPath,
    [
      ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
      ...['node_modules/jest/bin/jest.js', ...args, '--selectProjects', ...projects],
    ],
    { cwd: root, stdio: 'inherit' },
  ).status ?? 1;

// A browser on a busy machine can be late for a test that is right, so what fails in one gets a second attempt.
const folder = mkdtempSync(join(tmpdir(), 'telephony-attempts-'));
const list = join(folder, 'failed.json');
process.env.FAILED = list;
let status = jest(workers, ...options);
if (status !== 0 && existsSync(list)) {
  /** @type {[file: string, failure: string][]} */
  const failed = JSON.parse(readFileSync(list, 'utf8'));
  rmSync(list);
  console.log('\nOnly tests in a browser failed. They run once more.\n');
  status = jest('--runTestsByPath', ...failed.map(([file]) => file));
  if (status === 0) {
    console.log('\nPassed at the second attempt:');
    for (const [file, failure] of failed)
      console.log(`  ${file}\n${failure.replaceAll(/^/gm, '    ')}`);
  }
}
rmSync(folder, { recursive: true });
if (status !== 0) process.exit(status);

const others = Object.values(levels).filter((level) => !chosen.some(([, one]) => one === level));
const width = Math.max(...others.map(({ command }) => command.length));
if (others.length > 0) console.log('\nNot tested:');
for (const { command, what } of others) console.log(`  ${command.padEnd(width)}  ${what}`);
