import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Definitions } from './rules.ts';

const operationTable = ({ dataSources, actions }: Definitions) =>
  [
    '| | | |',
    '|---|---|---|',
    ...dataSources.map(({ name, description }) => `| data source | **${name}** | ${description} |`),
    ...actions.map(({ name, description }) => `| action | **${name}** | ${description} |`),
  ].join('\n');

/** Links lead to the package's own README and pages; pictures and other links are left out. */
const packed = (builder: string, page: string) =>
  page
    .replaceAll('](../../docs/', '](docs/')
    .replaceAll(`](../plugin/${builder}/README.md`, '](../README.md')
    .replaceAll(/^ *!\[[^\]]*\]\([^)]*\)\n+/gm, '')
    .replaceAll(/\[([^\]]+)\]\((?:\.\.\/(?!README)|contributing\/)[^)]*\)/g, '$1');

/**
 * The pages that a builder's package contains.
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
  const read = (path: string) => readFile(join(root, path), 'utf8');
  const readme = await read(`plugin/${builder}/README.md`);
  const names = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
  const pages = names.map(async (name) => [
    `docs/${name}`,
    packed(builder, await read(`docs/${name}`)),
  ]);
  return {
    'README.md': packed(builder, readme).replace('<!-- operations -->', () =>
      operationTable(definitions),
    ),
    ...Object.fromEntries(await Promise.all(pages)),
  };
}
