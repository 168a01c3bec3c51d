import { readTranslations } from '../../schema/read-translations.ts';
import { type Say, sayIn } from '../../src/builder.ts';
import { root } from './root.ts';

/** Returns what writes sentences in a language, with the translations of a builder. */
export async function sayAs(language: string, builder = 'nocobase'): Promise<Say> {
  const texts = (await readTranslations(root, builder))[language] ?? {};
  return sayIn((text) => texts[text] ?? text);
}
