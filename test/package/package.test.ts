import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { readDocument } from '../support/document.ts';
import { root } from '../support/root.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('the exact types of an installed package are publishable', () => {
  const check = (name: string, ...args: string[]) =>
    spawnSync(process.execPath, [resolve(root, 'node_modules', name), ...args], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, FORCE_COLOR: '0' },
    });
  const publint = check('publint/src/cli.js', '--strict');
  expect(publint.stdout).toContain('All good!');
  // Not into this folder, which other tests copy in the meantime.
  const folder = temporaryFolder('packed');
  const pack = ['pack', '--pack-destination', folder, '--ignore-scripts', '--silent'];
  const name = spawnSync('npm', pack, { cwd: root, encoding: 'utf8' }).stdout.trim();
  const packed = join(folder, name);
  const types = check('@arethetypeswrong/cli/dist/index.js', packed, '--profile', 'node16');
  expect({ ...types, stdout: types.status === 0 ? '' : types.stdout }).toMatchObject({
    ...{ status: 0, stdout: '' },
  });
});

test('the package contains everything that its pages link to', () => {
  const { stdout } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(stdout);
  const packed = new Set(files.map(({ path }) => path));
  // The builders' packages are tested where they are built.
  const packedPages = [...packed].filter((path) => /^(?!dist\/).*\.md$/.test(path));
  expect(packedPages).toEqual(expect.arrayContaining(['README.md', 'docs/api.md']));
  const links = packedPages.flatMap((path) =>
    [...readDocument(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)[^)]*\)/g)].map(([, to = '']) =>
      join(dirname(path), to),
    ),
  );
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter((path) => !packed.has(path))).toEqual([]);
});
