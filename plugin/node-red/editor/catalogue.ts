import { definitions } from '../../../src/builder.ts';
import sentences from '../../../translations/sentences/de-DE.json';
import { textKey } from '../locale/text-key.ts';
import type { Translate, Translated } from '../locale/translate.ts';
import { uiTexts } from '../locale/ui-texts.ts';

interface Text {
  english: string;
  inLanguage: Translated;
}

const texts = new Map<string, Text>();

/**
 * Adds a text of a dialog or a label to the catalogues.
 *
 * @param inLanguage translates it, if it consists of several texts
 * @returns its key
 */
export function keyOf(english: string, inLanguage: Translated = (t) => t(english)): string {
  const key = textKey(english);
  const known = texts.get(key)?.english ?? english;
  if (known !== english)
    throw new Error(`Two texts have the key "${key}": "${known}", "${english}".`);
  if (!texts.has(key)) texts.set(key, { english, inLanguage });
  return key;
}

for (const text of uiTexts) keyOf(text);
for (const text of Object.keys(sentences)) keyOf(text);
for (const { batch, results } of definitions.actions)
  for (const text of [batch?.one, batch?.other, batch?.outcome, results?.one, results?.other])
    if (text !== undefined) keyOf(text);

/** All texts of dialogs and labels in a language, by key. */
export const catalogue = (t: Translate): Record<string, string> =>
  Object.fromEntries([...texts].sort().map(([key, { inLanguage }]) => [key, inLanguage(t)]));
