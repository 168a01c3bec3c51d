import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.ts';

const call = /(?<![.\w])sentence\(\s*('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")?/g;

/** The text of a literal in code. */
const textOf = (literal: string): string => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1');

/** The texts that the code passes to `sentence()`. Throws on one that isn't a literal. */
export function sentenceTexts(): string[] {
  const listed = execFileSync('git', ['ls-files', 'src/*.ts', 'plugin/*.ts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const texts = listed.split('\n').flatMap((file) => {
    const code = file === '' ? '' : readFileSync(join(root, file), 'utf8');
    return [...code.matchAll(call)].map(([found, literal]) => {
      if (literal === undefined) throw new Error(`${file}: ${found} has no literal text.`);
      return textOf(literal);
    });
  });
  return [...new Set(texts)].sort();
}
