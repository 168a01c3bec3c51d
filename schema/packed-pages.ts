import { readdir, readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Definitions } from './rules.ts';

const operationTable = ({ dataSources, actions }: Definitions) =>
  [
    '| | | |',
    '|---|---|---|',
    ...dataSources.map(({ name, description }) => `| data source | **${name}** | ${description} |`),
    ...actions.map(({ name, description }) => `| action | **${name}** | ${description} |`),
  ].join('\n');

/** Links lead to pages of the package, whose README is the builder's guide; pictures and other links are left out. */
function packed(page: string, text: string, pages: string[], guide: string) {
  const placeOf = (one: string) => (one === guide ? 'README.md' : one);
  const from = posix.dirname(placeOf(page));
  return text
    .replaceAll(/^ *!\[[^\]]*\]\([^)]*\)\n+/gm, '')
    .replaceAll(
      /\[([^\]]+)\]\((?![\w+]+:\/\/)([^)#]+)(#[^)]*)?\)/g,
      (_, words: string, path: string, anchor = '') => {
        const target = posix.join(posix.dirname(page), path);
        if (!pages.includes(target)) return words;
        return `[${words}](${posix.relative(from, placeOf(target))}${anchor})`;
      },
    );
}

/**
 * The pages that a builder's package contains: those for every builder, and its own.
 *
 * @param root the folder of the repository
 * @param builder the name of its folder in `plugin/`
 * @returns their texts, by path
 */
export async function packedPages(
  root: string,
  builder: string,
  definitions: Definitions,
): Promise<Record<string, string>> {
  const pagesIn = async (folder: string) =>
    (await readdir(join(root, folder)))
      .filter((name) => name.endsWith('.md'))
      .map((name) => `${folder}/${name}`);
  const guide = `docs/builders/${builder}.md`;
  const own = [guide, `docs/builders/${builder}-recipes.md`];
  const pages = [
    ...(await pagesIn('docs')),
    ...(await pagesIn('docs/builders')).filter((page) => own.includes(page)),
  ];
  const texts = pages.map(async (page) => {
    const text = packed(page, await readFile(join(root, page), 'utf8'), pages, guide);
    return page === guide
      ? ['README.md', text.replace('<!-- operations -->', () => operationTable(definitions))]
      : [page, text];
  });
  return Object.fromEntries(await Promise.all(texts));
}
