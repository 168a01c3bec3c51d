/**
 * Checks what changed since the last commit, or the named files: `npm run check -- src/async/follow.ts`. Formats it, checks spelling,
 * imports and types, and runs the tests that are written for it and need no builder. `npm test` runs the others.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { levels } from './levels.mjs';
import { noticersOf } from './mutants/rooms.mjs';

const root = resolve(import.meta.dirname, '..');

/** @param {string[]} args */
const git = (...args) =>
  spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);

/** @param {string[]} args */
async function node(...args) {
  const [status] = await once(
    spawn(process.execPath, args, { cwd: root, stdio: 'inherit' }),
    'close',
  );
  if (status !== 0) process.exitCode = 1;
}

/** The tests for files that no test imports. @type {[files: RegExp, tests: string[]][]} */
const testsFor = [
  [
    /^(actions|data-sources|events|records|settings|translations|schema)\/|^(manifest|errors)\.json$/,
    ['definitions/', 'requests/operations', 'library/docs'],
  ],
  [/\.md$/, ['library/(account|docs|events|links|packed-pages|promises|version|words)']],
  [/^demo\/sandbox\//, ['sandbox/']],
];

/** @param {string} file */
const testsOf = (file) => [
  ...(file.endsWith('.test.ts') ? [file.replace('test/', '')] : []),
  ...git('grep', '-lF', `/${basename(file)}'`, '--', 'test/*.test.ts').map((test) =>
    test.replace('test/', ''),
  ),
  ...noticersOf(file),
  ...testsFor.flatMap(([files, tests]) => (files.test(file) ? tests : [])),
];

const named = process.argv.slice(2);
const changed =
  named.length > 0 ? named : git('ls-files', '--modified', '--others', '--exclude-standard');
const present = changed.filter((file) => existsSync(resolve(root, file)));
const tests = [...new Set(present.flatMap(testsOf))];

/** Braces and stars of globs, as regular expressions. */
const inRegExp = { '{': '(', '}': ')', ',': '|', '**': '.*' };
const patterns = tests.map(
  (test) =>
    `test/${test.replaceAll(/[{},]|\*\*/g, (part) => inRegExp[/** @type {keyof typeof inRegExp} */ (part)])}`,
);

await node(
  'build.mjs',
  tests.some((test) => test.startsWith('library/')) ? 'library' : '--generate',
);
await node(
  ...['node_modules/@biomejs/biome/bin/biome', 'check', '--write', '--error-on-warnings'],
  ...['--files-ignore-unknown=true', '--no-errors-on-unmatched', ...present],
);
await Promise.all([
  node(
    'node_modules/npm-run-all2/bin/run-p/index.js',
    ...['--silent', '--aggregate-output', 'types', 'lint:imports', 'lint:spelling'],
  ),
  ...(patterns.length > 0
    ? [
        node(
          ...['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
          ...[
            'node_modules/jest/bin/jest.js',
            '--passWithNoTests',
            '--testPathPatterns',
            ...patterns,
          ],
          ...['--selectProjects', ...levels.fast.projects],
        ),
      ]
    : []),
]);
