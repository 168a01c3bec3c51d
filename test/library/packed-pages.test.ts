import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { packagedBuilders, readDocument } from '../support/document.ts';
import { root } from '../support/root.ts';

const pages = packagedBuilders.flatMap((builder) =>
  ['README.md', ...readdirSync(join(root, 'dist', builder, 'docs')).map((name) => `docs/${name}`)]
    .map((page) => join('dist', builder, page))
    .map((page): [page: string, text: string] => [page, readDocument(page)]),
);

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('every link in %s leads to a page of the package', (page, text) => {
  const targets = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !target.includes('://'));
  const broken = targets.filter((target) => {
    const [path = '', anchor] = target.split('#');
    const file = path ? resolve(root, dirname(page), path) : resolve(root, page);
    if (!existsSync(file)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(file, 'utf8')).includes(anchor);
  });
  expect(broken).toEqual([]);
});
