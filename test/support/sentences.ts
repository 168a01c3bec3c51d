import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

const call = /(?<![.\w])sentence\(\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")?/g;

/** The text of a literal in code. */
const textOf = (literal: string): string => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');

/** The files of the repository below some folders, with their code. */
const codeIn = (...folders: string[]): [file: string, code: string][] =>
  execFileSync('git', ['ls-files', ...folders.map((folder) => `${folder}/*.ts`)], {
    cwd: root,
    encoding: 'utf8',
  })
    .split('\n')
    .filter((file) => file !== '')
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]);

const plainError =
  /new (?:TelephonyError|Forbidden)\((?:\s*(?:'[a-z-]+'|[\w.]+),)?\s*(?:['"`](?![a-z-]+',)|\w+\.message\b)|new Error\(\s*['"`]|\brefused?\(\s*['"`]/;

/** The files below a folder that create an error with a text that isn't a sentence. */
export const filesWithPlainErrors = (folder: string): string[] =>
  codeIn(folder)
    .filter(([, code]) => plainError.test(code))
    .map(([file]) => file);

/** The texts that the code passes to `sentence()`. Throws on one that isn't a literal. */
export function sentenceTexts(): string[] {
  const texts = codeIn('src', 'plugin').flatMap(([file, code]) => {
    return [...code.matchAll(call)].map(([found, literal]) => {
      if (literal === undefined) throw new Error(`${file}: ${found} has no literal text.`);
      return textOf(literal);
    });
  });
  return [...new Set(texts)].sort();
}
