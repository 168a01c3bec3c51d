import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../plugin/node-red/editor/catalogue.ts';
import { helpHtml } from '../../../plugin/node-red/editor/html.ts';
import { pages } from '../../../plugin/node-red/editor/pages.ts';
import { readLanguages } from '../../../plugin/node-red/locale/languages.ts';
import { textKey } from '../../../plugin/node-red/locale/text-key.ts';
import { english } from '../../../plugin/node-red/locale/translate.ts';
import { root } from '../../support/root.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const locale = join(root, 'plugin/node-red/locale');
const languages = readdirSync(locale).filter((name) => name.endsWith('.json'));
const readTexts = (path: string): Record<string, string> => JSON.parse(readFileSync(path, 'utf8'));

/** Every text that the editor and the status of nodes show, in English. */
function shownTexts(): Set<string> {
  const asked = new Set<string>();
  const record = (text: string, values?: Record<string, string | number>) => {
    asked.add(text);
    return english(text, values);
  };
  catalogue(record);
  for (const page of pages) helpHtml(page, record);
  return asked;
}

/** The parts of a text that no translation changes. */
const marksOf = (text: string) => (text.match(/<code>.*?<\/code>|<\/?\w+>|__\w+?__/g) ?? []).sort();

test.each(languages)('%s has every text of the nodes, and no other', (language) => {
  const own = readTexts(join(locale, language));
  const shared = {
    ...readTexts(join(root, 'translations', language)),
    ...readTexts(join(root, 'translations/sentences', language)),
  };
  const shown = shownTexts();
  expect([...shown].filter((text) => !(text in own) && !(text in shared))).toEqual([]);
  expect(Object.keys(own).filter((text) => !shown.has(text) || text in shared)).toEqual([]);
});

test.each(languages)('%s keeps the placeholders and the tags of each text', (language) => {
  for (const [text, translation] of Object.entries(readTexts(join(locale, language)))) {
    expect([text, marksOf(translation)]).toEqual([text, marksOf(text)]);
    expect(translation.trim()).not.toBe('');
  }
});

test('a text without a translation stays English, with its values', async () => {
  const folder = temporaryFolder('locale');
  cpSync(join(root, 'translations'), join(folder, 'translations'), { recursive: true });
  mkdirSync(join(folder, 'plugin/node-red/locale'), { recursive: true });
  writeFileSync(
    join(folder, 'plugin/node-red/locale/de-DE.json'),
    JSON.stringify({ 'Last poll: __time__.': 'Letzte Abfrage: __time__.' }),
  );
  const [german] = await readLanguages(folder);
  expect(german?.folder).toBe('de');
  expect(german?.translate('Last poll: __time__.', { time: '10:00' })).toBe(
    'Letzte Abfrage: 10:00.',
  );
  expect(german?.translate('Last event: __time__.', { time: '10:00' })).toBe('Last event: 10:00.');
});

test('no key of the catalogue is a path in Node-RED', () => {
  const keys = Object.keys(catalogue(english));
  expect(keys.length).toBeGreaterThan(100);
  expect(keys.filter((key) => !/^[\p{L}\p{N}_-]+$/u.test(key))).toEqual([]);
  expect(textKey('One, two')).not.toBe(textKey('One. two'));
});
