import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions } from '../../generated/definitions.ts';
import { root } from '../support/root.ts';

const longestSentence = 25;

/** The texts below some keys, anywhere in a definition. */
function textsIn(value: unknown, keys: string[]): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, below]) =>
    typeof below === 'string' && keys.includes(key) ? [below] : textsIn(below, keys),
  );
}

const sentencesIn = (text: string) => text.split(/(?<=[.:!?]) +/);

const { dataSources, actions, events, settings } = definitions;
const described = [settings, ...dataSources, ...actions, ...events].map(
  (definition): [name: string, definition: object] => [definition.name, definition],
);

test.each(described)('“%s” has help of short sentences', (_, definition) => {
  const sentences = textsIn(definition, ['help', 'description']).flatMap(sentencesIn);
  expect(sentences).not.toEqual([]);
  const long = sentences.filter((sentence) => sentence.split(/\s+/).length > longestSentence);
  expect(long).toEqual([]);
});

const localeFolders = [
  'translations',
  'translations/sentences',
  ...readdirSync(join(root, 'plugin')).flatMap((builder) =>
    ['locale', 'locales'].map((folder) => join('plugin', builder, folder)),
  ),
].filter((folder) => existsSync(join(root, folder)));

const jsonIn = (folder: string): string[] =>
  readdirSync(join(root, folder)).filter((name) => name.endsWith('.json'));

/** The keys of all texts, also of nested ones. */
const keysOf = (texts: object, above = ''): string[] =>
  Object.entries(texts).flatMap(([key, text]) =>
    typeof text === 'object' && text !== null ? keysOf(text, `${above}${key}/`) : [above + key],
  );

const keysIn = (folder: string) =>
  jsonIn(folder).map((file): [file: string, keys: string[]] => [
    file,
    keysOf(JSON.parse(readFileSync(join(root, folder, file), 'utf8'))).sort(),
  ]);

describe.each(localeFolders)('the languages in %s', (folder) => {
  const languages = keysIn(folder);
  const all = [...new Set(languages.flatMap(([, keys]) => keys))].sort();

  test.each(languages)('%s translates the same texts as the others', (_, keys) => {
    expect(all.filter((key) => !keys.includes(key))).toEqual([]);
  });
});
