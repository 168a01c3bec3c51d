import { packReasons, unpackReasons } from '../../src/batch/packed-reasons.ts';
import { type RowItem, type Said, sentence } from '../../src/builder.ts';

const row = (message?: Said): RowItem => ({
  ...{ who: 'Ann', outcome: 'failed' },
  ...(message !== undefined && { message }),
});
const label = { text: 'To' };
const missing = {
  text: '"{label}" {problem}.',
  values: { label, problem: { text: 'is missing' } },
};
const long = {
  text: '{first} {next}',
  values: { first: missing, next: { text: 'At most {most}.', values: { most: 10 } } },
};
const listed = { text: 'Fill in {fields}.', values: { fields: [label, 'From'] } };
const timed = sentence('At {time}.', { time: new Date(0) });
const cut = { text: '{text}', values: { text: { text: 'One. Two.', part: 'first sentence' } } };

const cases: [what: string, messages: (Said | undefined)[], packed: unknown[]][] = [
  ['no reason, and one of an earlier version', [undefined, 'No.'], [undefined, 'No.']],
  [
    'a text that is used before stored as its number',
    [missing, missing, { text: 'is missing' }],
    [
      ['"{label}" {problem}.', 'label', ['To'], 'problem', ['is missing']],
      [0, 'label', [1], 'problem', [2]],
      [2],
    ],
  ],
  [
    'sentences in sentences, and counts',
    [long],
    [
      [
        ...['{first} {next}', 'first'],
        ['"{label}" {problem}.', 'label', ['To'], 'problem', ['is missing']],
        ...['next', ['At most {most}.', 'most', { count: 10 }]],
      ],
    ],
  ],
  ['lists', [listed], [['Fill in {fields}.', 'fields', { all: [['To'], 'From'] }]]],
  ['a time', [timed], [['At {time}.', 'time', { time: '1970-01-01T00:00:00.000Z' }]]],
  ['a first sentence', [cut as Said], [['{text}', 'text', { first: ['One. Two.'] }]]],
];

test.each(cases)('packs and unpacks %s', (_, messages, packed) => {
  const rows = messages.map(row);
  const stored = JSON.parse(JSON.stringify(packReasons(rows)));
  expect(stored.map(({ message }: { message?: unknown }) => message)).toEqual(packed);
  expect(unpackReasons<RowItem>(stored)).toStrictEqual(rows);
});
