import { readTranslations } from '../../../schema/read-translations.ts';
import { fillIn, type Translate } from './translate.ts';

/** A language of the editor other than English. */
export interface Language {
  /** Its folder in Node-RED's `locales/`. */
  folder: string;
  translate: Translate;
}

/** Node-RED's name for a language, if it differs from our files'. A browser set to Austrian German gets `de`, too. */
const folders: Record<string, string> = { 'de-DE': 'de' };

/**
 * Reads the translations of the texts that Node-RED shows. Texts without a translation stay English.
 *
 * @param root the folder of the repository
 */
export async function readLanguages(root: string): Promise<Language[]> {
  return Object.entries(await readTranslations(root, 'node-red')).map(([name, texts]) => ({
    folder: folders[name] ?? name,
    translate: (english, values) => fillIn(texts[english] ?? english, values),
  }));
}
