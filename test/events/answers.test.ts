import { answerIn, readAnswers } from '../../src/builder.ts';

const answers = readAnswers(
  [
    'YES, OK, да = true = Thank you, 1 + 1 = 2.',
    '  no,not now=false  ',
    'hayır, İptal, straße = tr =',
    '好的 = zh',
    '👍, sí = thumb',
    "can't = later",
    '1 = = Which one?',
  ].join('\r\n'),
);

test('reads texts, a value and a reply of each line', () => {
  expect(answers.slice(0, 2)).toEqual([
    { texts: ['YES', 'OK', 'да'], value: 'true', reply: 'Thank you, 1 + 1 = 2.' },
    { texts: ['no', 'not now'], value: 'false', reply: '' },
  ]);
  expect(answers.at(-1)).toEqual({ texts: ['1'], value: '', reply: 'Which one?' });
});

const said: [text: string, value: string | undefined][] = [
  ...(['yes', ' Yes! ', '"YES"', 'Oh yes, please.', 'yes ok', 'ＹＥＳ', 'ДА'].map((text) => [
    text,
    'true',
  ]) as [string, string][]),
  ['yesterday', undefined],
  ['eyes', undefined],
  ['OK no', undefined],
  ['No.', 'false'],
  ['Not\nnow', 'false'],
  ['not right now', undefined],
  ['HAYIR', 'tr'],
  ['iptal', 'tr'],
  ['IPTAL', 'tr'],
  ['STRASSE', 'tr'],
  ['好的', 'zh'],
  ['好的，谢谢', 'zh'],
  ['👍🏽', 'thumb'],
  ['Si', 'thumb'],
  ["I can't", 'later'],
  ['I can’t', 'later'],
  ['\u2068Yes\u2069', 'true'],
  ['1', ''],
  ['1️⃣', ''],
  ['11', undefined],
  ['', undefined],
];
test.each(said)('the text “%s” is the answer with the value %j', (text, value) => {
  expect(answerIn(answers, text)?.value).toBe(value);
});

test.each(['YES', '= true', 'YES, = true', 'yes = 1\nYES = 2', '... = 1'])(
  'refuses the lines %j',
  (lines) => {
    expect(() => readAnswers(lines)).toThrow(/is no answer, or repeats one/);
  },
);
