import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sayIn, sentence } from '../../src/builder.ts';
import { root } from '../support/root.ts';
import { filesWithPlainErrors, sentenceTexts } from '../support/sentences.ts';

const folder = join(root, 'translations/sentences');
const catalogues = readdirSync(folder).map(
  (name): [name: string, texts: Record<string, string>] => [
    name,
    JSON.parse(readFileSync(join(folder, name), 'utf8')),
  ],
);

/** The names of the values in a text. The forms of a plural are in braces, too. */
const namesIn = (text: string) =>
  [...new Set(text.match(/(?<!(?:one|other) )\{\w+(?=[,}])/g))].sort();

test.each(catalogues)('%s has every sentence of the code, and no other', (_, texts) => {
  expect(Object.keys(texts).sort()).toEqual(sentenceTexts());
});

test.each(catalogues)('%s keeps the values of each sentence', (_, texts) => {
  for (const [text, translation] of Object.entries(texts))
    expect([text, namesIn(translation)]).toEqual([text, namesIn(text)]);
});

test.each(catalogues)('each plural in %s has all forms of its language', (_, texts) => {
  const categories = (code: string) =>
    new Intl.PluralRules(code).resolvedOptions().pluralCategories.slice().sort();
  const forms = Object.entries(texts).flatMap(([text, translation]) =>
    [
      ['en', text],
      [texts.en ?? '', translation],
    ].flatMap(([code = '', said = '']) =>
      [...said.matchAll(/\{\w+, plural,((?: \w+ \{[^{}]*\})+)\}/g)].map(([, found = '']) => [
        ...[said, [...found.matchAll(/(\w+) \{/g)].map(([, name]) => name).sort()],
        categories(code),
      ]),
    ),
  );
  expect(forms.length).toBeGreaterThan(0);
  for (const [text, found, wanted] of forms) expect([text, found]).toEqual([text, wanted]);
});

/** The files with errors that only a log or a crash report contains. */
const forLogs = [
  'plugin/nocobase/server/event/event-workflows.ts',
  'plugin/saltcorn/account/own-key.ts',
];

/** The files with errors for programmers: a wrong argument, an unknown id, or a builder that stays English. */
const forProgrammers = [
  'src/batch/run-batch.ts',
  'src/connect.ts',
  'src/definition/operation.ts',
  'src/events/deliver/event-delivery.ts',
  'src/events/deliver/reply.ts',
  'src/events/deliver/stored-delivery-log.ts',
  'src/events/poll/poll-events.ts',
  'src/events/receive/handlers.ts',
  'src/events/receive/read-event.ts',
  'src/field-types/days.ts',
  'src/input/check-values.ts',
  'src/list/field-choices.ts',
  'src/media/open-media.ts',
  'src/media/send-media.ts',
  'src/query/query-fields.ts',
  'src/query/run-query.ts',
  'src/settings/check-options.ts',
  'src/settings/check-settings.ts',
  'src/settings/limits.ts',
  'src/settings/spending.ts',
  'src/status/wait-for-final-status.ts',
  'src/store/sqlite-store.ts',
];

test.each([
  ['plugin/nocobase', forLogs],
  ['plugin/saltcorn', forLogs],
  ['src', forProgrammers],
])('the errors of %s that people read are sentences', (folder, others) => {
  expect(filesWithPlainErrors(folder)).toEqual(others.filter((file) => file.startsWith(folder)));
});

const rows = 'Skipping {count, plural, one {# row} other {# rows}}: already sent.';
const said: [language: string, count: number, text: string][] = [
  ['', 1, 'Skipping 1 row: already sent.'],
  ['', 10_000, 'Skipping 10,000 rows: already sent.'],
  ['de-DE', 1, '1 Zeile wird übersprungen: schon gesendet.'],
  ['de-DE', 10_000, '10.000 Zeilen werden übersprungen: schon gesendet.'],
  ['zh-CN', 10_000, '跳过 10,000 行：已发送。'],
];
test.each(said)('in the language “%s”, %d rows are counted', (language, count, text) => {
  const texts = Object.fromEntries(catalogues)[`${language}.json`] ?? {};
  const say = sayIn((english) => texts[english] ?? english);
  expect(say({ text: rows, values: { count } })).toBe(text);
});

test('a sentence without a translation stays English, with the plurals of English', () => {
  const say = sayIn((text) => (text === 'en' ? 'zh' : text));
  expect(say({ text: rows, values: { count: 1 } })).toBe('Skipping 1 row: already sent.');
});

test('a sentence without words has the numbers of the language', () => {
  const say = sayIn((text) => (text === 'en' ? 'de' : text));
  expect(say({ text: '{count} {what}', values: { count: 1_000, what: 'x' } })).toBe('1.000 x');
});

test('the values of a sentence are written as they are', () => {
  const values = { first: '{next}', next: ['a', { text: '{x}', values: { x: '$&' } }] };
  expect(sayIn()({ text: '{first}: {next}', values })).toBe('{next}: a, $&');
});

test('a builder writes times in its own way, also after JSON', () => {
  const said = JSON.parse(JSON.stringify(sentence('Since {time}.', { time: new Date(0) })));
  expect(sayIn()(said)).toBe('Since 1970-01-01 00:00:00 UTC.');
  expect(sayIn(undefined, (time) => String(time.getTime()))(said)).toBe('Since 0.');
});
