import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Reads the translations of the definitions, of the code's sentences and of a builder's own texts, by language. Each is keyed by the
 * English text.
 *
 * @param root the folder of the repository
 */
export async function readTranslations(
  root: string,
  builder: string,
): Promise<Record<string, Record<string, string>>> {
  const found: Record<string, Record<string, string>> = {};
  for (const folder of ['translations', 'translations/sentences', `plugin/${builder}/locale`])
    for (const name of (await readdir(join(root, folder))).sort()) {
      if (!name.endsWith('.json')) continue;
      const texts = JSON.parse(await readFile(join(root, folder, name), 'utf8'));
      const language = basename(name, '.json');
      found[language] = { ...found[language], ...texts };
    }
  return found;
}
