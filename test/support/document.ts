import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from './root.ts';

/** The text of a file of the repository. */
export const readDocument = (path: string): string => readFileSync(resolve(root, path), 'utf8');

const entriesOf = (folder: string) => readdirSync(join(root, folder), { withFileTypes: true });

/** The folders in a folder of the repository. */
export const foldersIn = (folder: string): string[] =>
  entriesOf(folder).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/** The builders that get a package with code, and not only descriptions. */
export const packagedBuilders: string[] = foldersIn('plugin').filter((name) =>
  existsSync(join(root, 'plugin', name, 'index.ts')),
);

/** Every document of the repository. */
export const documents: string[] = [
  '.',
  'docs',
  'docs/builders',
  'docs/contributing',
  'bench',
].flatMap((folder) =>
  entriesOf(folder).flatMap(({ name }) => (name.endsWith('.md') ? [join(folder, name)] : [])),
);

/** The part of a document below one of its headings. */
export function sectionOf(text: string, heading: string): string {
  const [, ...parts] = text.split(/^#+ /m);
  const part = parts.find((each) => each.startsWith(`${heading}\n`));
  if (part === undefined) throw new Error(`There is no heading “${heading}”.`);
  return part.slice(heading.length);
}

const unindent = (code: string, indent: string) =>
  code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');

const block = /^( *)```(\w*)\n(.*?)^ *```$/gms;

/** The blocks of a text, in any language. */
export const blocksOf = (text: string): { language: string; code: string }[] =>
  [...text.matchAll(block)].map(([, indent = '', language = '', code = '']) => ({
    language,
    code: unindent(code, indent),
  }));

/** The blocks of a language in a text. */
export const snippetsOf = (text: string, language: string): string[] =>
  blocksOf(text)
    .filter((one) => one.language === language)
    .map(({ code }) => code);

/** The code within the sentences of a text. */
export const inlineCodeOf = (text: string): string[] =>
  [...text.replaceAll(block, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
    code.replaceAll(/\s+/g, ' '),
  );

/** A text without code, UI labels in italics and targets of links, line by line. */
export const proseOf = (text: string): string =>
  text
    .replaceAll(block, (code) => code.replaceAll(/[^\n]/g, ''))
    .replaceAll(/`[^`\n]*`|(?<!\w)_[^_\n]+_(?!\w)|\]\([^)\n]*\)/g, '');

/** The files that a text instructs readers to write, by path: the first block after each “Write `path`”. */
export const filesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(/\bWrite (?=`)/)
      .slice(1)
      .map((part) => [part.split('`')[1], blocksOf(part)[0]?.code]),
  );

/** The values that the tables of a text give for each field, one object for each table. */
export const typedIn = (text: string): Record<string, string>[] =>
  text
    .split(/^ *\|[-|]+\| *$/m)
    .slice(1)
    .map((table) =>
      Object.fromEntries(
        [...table.matchAll(/^ *\| ([^|]+) \| `(.+)` \|$/gm)].map(([, field, value = '']) => [
          field,
          value.replaceAll('\\|', '|'),
        ]),
      ),
    );
