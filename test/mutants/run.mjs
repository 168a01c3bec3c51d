/**
 * Changes the sources in one place after another, and reports the changes that no test noticed: `npm run mutants`, or
 * `npm run mutants -- src/wire` for some folders or files. The results are stored in .mutants, and a mutant runs again
 * only if it or its tests have changed.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { install } from '../../demo/npm-ci.mjs';
import { kept, roomsOf } from './rooms.mjs';

/** In per cent of the mutants that tests reach or should reach. */
const goal = 85;

const folder = import.meta.dirname;
const root = resolve(folder, '../..');
const stryker = join(folder, 'node_modules/@stryker-mutator/core/bin/stryker.js');

/** @param {string} room */
function mutate(room) {
  console.log(`\n== ${room}`);
  const { status } = spawnSync(
    process.execPath,
    [stryker, 'run', join(folder, 'stryker.config.mjs'), '--logLevel', 'warn'],
    { cwd: root, env: { ...process.env, MUTANTS_OF: room }, stdio: 'inherit' },
  );
  if (status !== 0) throw new Error(`Stryker ended with ${status} in ${room}.`);
}

/**
 * Counts the mutants of each status.
 *
 * @param {string} room
 */
function countsOf(room) {
  /** @type {{ files: Record<string, { mutants: { status: string }[] }> }} */
  const { files } = JSON.parse(readFileSync(join(root, `${kept(room)}-report.json`), 'utf8'));
  const mutants = Object.values(files).flatMap((file) => file.mutants);
  /** @param {string[]} statuses */
  const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
  return { noticed: count('Killed', 'Timeout'), missed: count('Survived', 'NoCoverage') };
}

/** @param {ReturnType<typeof countsOf>} counts */
const score = ({ noticed, missed }) => (100 * noticed) / (noticed + missed || 1);

await install(folder, 'Installing Stryker, once: 66 MB, a quarter of a minute');
const places = process.argv.slice(2);
const asked = (places.length > 0 ? places : ['']).flatMap(roomsOf);
for (const room of asked) mutate(room);

const counts = asked.map((room) => ({ room, ...countsOf(room) }));
/** @param {'noticed' | 'missed'} key */
const sum = (key) => counts.reduce((total, one) => total + one[key], 0);
const whole = { room: 'all', noticed: sum('noticed'), missed: sum('missed') };
console.table([...counts, whole].map((one) => ({ ...one, score: `${score(one).toFixed(1)} %` })));
if (score(whole) < goal) process.exitCode = 1;
