import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { deskFile } from './desk/desk-file.ts';
import { deskPack } from './desk/desk-pack.ts';
import { textPrefix } from './text-prefix.ts';

/** Saltcorn's language codes have no region. */
const languageOf = (file: string) => basename(file, '.json').split('-')[0];

/**
 * The package's files except its code: the pack of telephony pages, and the translations of the definitions and of the
 * plugin's own texts. Saltcorn reads them at startup.
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
  const [desk, inbox] = await Promise.all(
    ['desk', 'inbox'].map(async (pack) =>
      JSON.parse(await readFile(join(root, `demo/saltcorn/${pack}.json`), 'utf8')),
    ),
  );
  return {
    [deskFile]: JSON.stringify(deskPack(desk, inbox)),
    ...Object.fromEntries(
      Object.entries(found).map(([path, texts]) => [path, JSON.stringify(texts)]),
    ),
  };
}
