import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fillIn, type Translate } from './translate.ts';

/** A language of the editor other than English. */
export interface Language {
  /** Its folder in Node-RED's `locales/`. */
  folder: string;
  translate: Translate;
}

/** Node-RED's name for a language, if it differs from our files'. A browser set to Austrian German gets `de`, too. */
const folders: Record<string, string> = { 'de-DE': 'de' };

const readTexts = async (path: string): Promise<Record<string, string>> =>
  JSON.parse(await readFile(path, 'utf8'));

async function readLanguage(root: string, file: string): Promise<Language> {
  const texts = {
    ...(await readTexts(join(root, 'translations', file))),
    ...(await readTexts(join(root, 'plugin/node-red/locale', file))),
  };
  const name = basename(file, '.json');
  return {
    folder: folders[name] ?? name,
    translate: (english, values) => fillIn(texts[english] ?? english, values),
  };
}

/**
 * Reads the translations of the definitions and of the nodes' own texts. Texts without a translation stay English.
 *
 * @param root the folder of the repository
 */
export async function readLanguages(root: string): Promise<Language[]> {
  const files = (await readdir(join(root, 'plugin/node-red/locale'))).filter((name) =>
    name.endsWith('.json'),
  );
  return Promise.all(files.sort().map((file) => readLanguage(root, file)));
}
