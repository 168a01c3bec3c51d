import { posix } from 'node:path';
import { packedPages } from '../../schema/packed-pages.ts';
import { readDefinitions } from '../../schema/read-definitions.ts';
import { packagedBuilders } from '../support/document.ts';
import { root } from '../support/root.ts';

const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(packagedBuilders)(
  'every link in the pages of the package for %s leads to one of them',
  async (builder) => {
    const pages = new Map(
      Object.entries(await packedPages(root, builder, await readDefinitions(root))),
    );
    const broken = [...pages].flatMap(([page, text]) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, target = '']) => target)
        .filter((target) => !target.includes('://'))
        .filter((target) => {
          const [path = '', anchor] = target.split('#');
          const linked = pages.get(path ? posix.join(posix.dirname(page), path) : page);
          return (
            linked === undefined || (anchor !== undefined && !anchorsOf(linked).includes(anchor))
          );
        })
        .map((target) => [page, target]),
    );
    expect(pages.size).toBeGreaterThan(5);
    expect(broken).toEqual([]);
  },
);
