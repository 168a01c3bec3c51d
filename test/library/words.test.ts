import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { documents, proseOf, readDocument } from '../support/document.ts';
import { root } from '../support/root.ts';

/** Phrases that must not return, and what to say instead. Only those that a pattern finds without false alarms. */
const phrases: [phrase: RegExp, say: string][] = [
  [/\bwhat (be)?(came|comes?) of\b/i, 'outcome, result, status'],
  [/\b(is|are|was|were|be) (told|heard)\b/i, 'delivered, subscribed'],
  [/\bput forward\b|\bbegun anew\b|\bso far\b/i, 'cursor, advance, reset'],
  [/\bask(s|ed|ing)? (for events|every)\b/i, 'poll'],
  [/\bunder way\b/i, 'in progress'],
  [/\b(is|are|was|were) looked for\b|\blooks? for what\b/i, 'check the message log'],
  [/\bpatience\b/i, 'retry budget'],
  [/\brun that goes on\b|\buntried\b|\bnot tried\b/i, 'batch, resume, not run'],
  [/\bsounds?\b/i, 'recording, audio'],
  [/\bin (the )?place of\b/i, 'instead of'],
  [/\banew\b/i, 'again'],
  [/\bbeside\b/i, 'next to'],
  [/\bstands? (in|on|at|there|under|behind|below|beside)\b/i, 'is in, on, next to, below'],
  [/\b(nobody|everybody|whom|whoever)\b/i, 'no one, none, or exactly who'],
  [/\bit is (said|told)\b|\bsaid why\b/i, 'name the actor'],
];

/** The phrases in a text, each with what to say instead. */
const phrasesIn = (text: string): string[] =>
  phrases.flatMap(([phrase, say]) => {
    const [found] = text.match(phrase) ?? [];
    return found === undefined ? [] : [`“${found}”: say ${say}`];
  });

test.each(documents)('%s uses none of the phrases that must not return', (page) => {
  const lines = proseOf(readDocument(page)).split('\n');
  const found = lines.flatMap((line, index) =>
    phrasesIn(line).map((phrase) => `${page}:${index + 1} ${phrase}`),
  );
  expect(found).toEqual([]);
});

const files = readdirSync(join(root, 'schema')).filter((name) => name.endsWith('.json'));

test.each(['errors.json', ...files.map((name) => `schema/${name}`)])(
  '%s uses none of the phrases that must not return',
  (path) => {
    const json = readFileSync(join(root, path), 'utf8');
    const texts = [...json.matchAll(/"(?:description|sentence)": "(.*)"/g)];
    expect(texts.flatMap(([, text = '']) => phrasesIn(text))).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
  },
);

const listed = (...patterns: string[]): string[] =>
  execFileSync('git', ['ls-files', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '');

test.each(listed('translations/*de-DE.json', 'plugin/*/locale/de-DE.json'))(
  'the English texts of %s use none of the phrases that must not return',
  (path) => {
    const texts = Object.keys(JSON.parse(readFileSync(join(root, path), 'utf8')));
    expect(texts.flatMap(phrasesIn)).toEqual([]);
    expect(texts.length).toBeGreaterThan(0);
  },
);

const isComment = (line: string) => /^\s*(?:\/\/|\/?\*)/.test(line);

test('no comment uses a phrase that must not return', () => {
  const sources = listed('*.ts', '*.mjs');
  const found = sources.flatMap((path) =>
    readDocument(path)
      .split('\n')
      .filter(isComment)
      .flatMap((line) => phrasesIn(line.replaceAll(/`[^`]*`/g, '')))
      .map((phrase) => `${path} ${phrase}`),
  );
  expect(found).toEqual([]);
  expect(sources.length).toBeGreaterThan(0);
});

test('finds the phrases in a sentence', () => {
  expect(phrasesIn('It is looked for what became of it.')).toEqual([
    '“what became of”: say outcome, result, status',
    '“is looked for”: say check the message log',
  ]);
});
