/** Takes the named pictures of the pages again, or all of them: `npm run pictures -- desk`. */
import { spawnSync } from 'node:child_process';
import { stories } from './support/stories.ts';

const all = stories();
const named = process.argv.slice(2);
const names = named.length > 0 ? named : [...all.keys()];

const filesOf = new Map<string, Set<string>>();
for (const name of names) {
  const file = all.get(name);
  if (!file) throw new Error(`No story takes “${name}”. There are: ${[...all.keys()].join(', ')}.`);
  const level = file.split('/')[1] ?? '';
  filesOf.set(level, (filesOf.get(level) ?? new Set()).add(file));
}

// With CI, a story that can't run is a failure.
const env = { ...process.env, CI: 'true', PICTURES: names.join(',') };
let hasFailed = false;
for (const [level, files] of filesOf) {
  const args = ['test/run.mjs', level, '--', '--runTestsByPath', ...files];
  hasFailed =
    spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status !== 0 || hasFailed;
}
process.exitCode = hasFailed ? 1 : 0;
