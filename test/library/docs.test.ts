import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { scripts } from '../../package.json';

const root = resolve(__dirname, '../..');

const pagesIn = (folder: string) =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => join(folder, name));
const plugins = readdirSync(join(root, 'plugin'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => join('plugin', name));
const pages = ['.', 'docs', 'bench', ...plugins].flatMap(pagesIn);

const textOf = (page: string) => readFileSync(join(root, page), 'utf8');

/** The anchors that a page's headings have where it is shown. */
const anchorsOf = (page: string) =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const links = pages.flatMap((page) =>
  [...textOf(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']): [page: string, target: string] => [page, target])
    .filter(([, target]) => !target.startsWith('https://')),
);

test('there are pages and links to check', () => {
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/saltcorn.md']));
  expect(links.length).toBeGreaterThan(10);
});

test.each(links)('%s: %s leads somewhere', (page, target) => {
  const [path = '', anchor] = target.split('#');
  const file = path ? relative(root, resolve(root, dirname(page), path)) : page;
  expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: true });
  if (anchor) expect(anchorsOf(file)).toContain(anchor);
});

const commands = pages.flatMap((page) =>
  [...textOf(page).matchAll(/npm (start|test|run ([\w-]+))/g)].map(
    ([command, verb, script]): [page: string, command: string, script: string] => [
      page,
      command,
      script ?? verb ?? '',
    ],
  ),
);

test.each(commands)('%s: %s is a command', (_, __, script) => {
  expect(Object.keys(scripts)).toContain(script);
});

test('what the pages say of `npm start` is what it says itself', () => {
  const help = execFileSync(process.execPath, [join(root, 'demo/start.mjs'), '--help']).toString();
  const options = pages.flatMap((page) =>
    [...textOf(page).matchAll(/npm start -- (--[\w-]+)/g)].map(([, option = '']) => option),
  );
  expect(options).toContain('--builder');
  for (const option of options) expect(help).toContain(option);
});
