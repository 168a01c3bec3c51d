import { execFileSync } from 'node:child_process';
import { relative } from 'node:path';
import { root } from '../support/root.ts';

const lines = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8' }).trim().split('\n');

test('tsc checks every source file of the repository', () => {
  const listed = lines(process.execPath, 'node_modules/typescript/bin/tsc', '--listFilesOnly');
  const seen = new Set(listed.map((file) => relative(root, file)));
  const files = lines(
    'git',
    'ls-files',
    '*.ts',
    '*.mts',
    '*.cts',
    '*.mjs',
    '*.cjs',
    ':!test/descriptions/tools',
    ':!test/n8n/tools',
  );
  expect(files).toContain('build.mjs');
  expect(files.filter((file) => !seen.has(file))).toEqual([]);
});
