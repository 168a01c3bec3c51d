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

/** The blocks of a language in a text. */
export const snippetsOf = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n(.*?)^ *\`\`\``, 'gms'))].map(
    ([, indent = '', code = '']) => code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
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
