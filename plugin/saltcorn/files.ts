import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { textPrefix } from './text-prefix.ts';

/** Saltcorn's language codes have no region. */
const languageOf = (file: string) => basename(file, '.json').split('-')[0];

/**
 * The package's files except its code: the translations of the definitions and of the plugin's own texts. Saltcorn
 * reads them at startup.
 *
 * @param root the folder of the repository
 */
export async function files(root: string): Promise<Record<string, string>> {
  const found: Record<string, Record<string, string>> = {};
  for (const folder of ['translations', 'plugin/saltcorn/locale'])
    for (const name of await readdir(join(root, folder))) {
      const texts = JSON.parse(await readFile(join(root, folder, name), 'utf8'));
      const path = `locales/${languageOf(name)}.json`;
      found[path] ??= {};
      for (const [text, translation] of Object.entries<string>(texts))
        found[path][textPrefix + text] = translation;
    }
  return Object.fromEntries(
    Object.entries(found).map(([path, texts]) => [path, JSON.stringify(texts)]),
  );
}
