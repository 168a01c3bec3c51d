import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The folder of the repository. */
export const root = resolve(__dirname, '..');

/** A document of the repository, as text. */
export const readDocument = (path: string): string => readFileSync(resolve(root, path), 'utf8');

/** The part of a document below one of its headings. */
export function sectionOf(text: string, heading: string): string {
  const [, ...parts] = text.split(/^#+ /m);
  const part = parts.find((each) => each.startsWith(`${heading}\n`));
  if (part === undefined) throw new Error(`There is no heading “${heading}”.`);
  return part.slice(heading.length);
}

const unindent = (code: string, indent: string) =>
  code.replaceAll(new RegExp(`^${indent}`, 'gm'), '');

/** The blocks of a text, in any language. */
export const blocksOf = (text: string): { language: string; code: string }[] =>
  [...text.matchAll(/^( *)```(\w*)\n(.*?)^ *```$/gms)].map(
    ([, indent = '', language = '', code = '']) => ({ language, code: unindent(code, indent) }),
  );

/** The blocks of a language in a text. */
export const snippetsOf = (text: string, language: string): string[] =>
  blocksOf(text)
    .filter((block) => block.language === language)
    .map(({ code }) => code);

/** The files that a text says to write, by path: the first block after each “Write `path`”. */
export const filesIn = (text: string): Record<string, string> =>
  Object.fromEntries(
    text
      .split(/\bWrite (?=`)/)
      .slice(1)
      .map((part) => [part.split('`')[1], blocksOf(part)[0]?.code]),
  );

/** What the tables of a text say to type into which field, one object for each table. */
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
