import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { documents, readDocument } from '../support/document.ts';
import { root } from '../support/root.ts';
import { stories } from '../support/stories.ts';

/** The anchors of a page's headings. */
const anchorsOf = (page: string) =>
  [...readDocument(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

const links = documents.flatMap((page) =>
  [...readDocument(page).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']): [page: string, target: string] => [page, target])
    .filter(([, target]) => !target.includes('://')),
);

test.each(links)('the link in %s to %s has a target', (page, target) => {
  const [path = '', anchor] = target.split('#');
  const file = path ? relative(root, resolve(root, dirname(page), path)) : page;
  expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: true });
  if (anchor) expect(anchorsOf(file)).toContain(anchor);
});

const addresses = documents.flatMap(
  (page) => readDocument(page).match(/\w+:\/\/[^\s)>"'`|]+/g) ?? [],
);

test.each([...new Set(addresses)])('the URL %s is encrypted or local', (address) => {
  const { protocol, hostname } = new URL(address);
  if (hostname !== 'localhost') expect(protocol).toBe('https:');
});

test('a story takes each picture of the pages, and its texts are stored next to it', () => {
  const expected = [...stories().keys()].flatMap((name) => [`${name}.png`, `${name}.txt`]);
  expect(readdirSync(join(root, 'docs/pictures')).sort()).toEqual(expected.sort());
});
