import {
  type Action,
  aboutValues,
  checkInput,
  type DataSource,
  definitions,
  doneSentence,
  emptySenderField,
  errorSentence,
  type Field,
  filterOnlyFields,
  filters,
  freePageSize,
  keyColumn,
  pickSettings,
  rangeEnd,
  requiredColumns,
  testSettings,
  whySilent,
} from '../../src/index.ts';

const sms = definitions.actions.find(({ id }) => id === 'send-sms') as Action;
const action: Action = { ...sms, done: 'A {sid} of {who}, {sid}' };
const sentences: [record: object, sentence: string][] = [
  [{ sid: 'RE1', who: 'us' }, 'A RE1 of us, RE1'],
  [{ sid: '$& {who}', who: null }, 'A $& {who} of , $& {who}'],
  [{}, 'A  of , '],
  [{ sid: 'a\r\n\tb', who: 'é'.repeat(80) }, `A a b of ${'é'.repeat(80)}, a b`],
  [{ sid: '', who: '😀'.repeat(81) }, `A  of ${'😀'.repeat(79)}…, `],
];

test('a code of the service’s errors is a sentence, however it came; one that is not known is none', () => {
  const [known] = definitions.errors;
  expect(known?.sentence).toMatch(/\.$/);
  expect([known?.code ?? 0, String(known?.code), 999_999].map(errorSentence)).toEqual([
    known?.sentence,
    known?.sentence,
    undefined,
  ]);
});

test.each(sentences)('the sentence about %j is %j', (record, sentence) => {
  expect(doneSentence(action, record)).toBe(sentence);
});

const about: [values: object, words: string][] = [
  [
    { body: 'A secret', to: ' +12025550101 ', from: '+14155550100' },
    'From +14155550100, To +12025550101',
  ],
  [{ to: 12345 }, 'To 12345'],
  [{ from: '', to: ' ', body: 'A secret' }, ''],
  [{ from: null }, ''],
  [{ from: { number: '+14155550100' }, to: Object.create(null) }, ''],
];

test.each(about)('a message of %j is about %j', (values, words) => {
  expect(aboutValues(sms, { ...values })).toBe(words);
});

const empty = { username: '', password: '', accountSid: '', baseUrl: '' };
const stored: [values: object, settings: object][] = [
  [{}, empty],
  [
    { username: 'AC1', password: null, z: 'tab', type: 'x' },
    { ...empty, username: 'AC1' },
  ],
];

test.each(stored)('the settings among %j', (values, settings) => {
  expect(pickSettings(values)).toEqual(settings);
});

test('settings that are not complete are tried without asking the service', async () => {
  expect(await testSettings(pickSettings({ username: 'AC1' }))).toEqual({
    outcome: 'wrong-settings',
    message: `"password" in the plugin's settings is empty. Fill it in there first.`,
  });
});

const typed = { to: ' +1 (202) 555-0101 ', body: ' Hi ', from: '+1.415.555.0100' };
const sent = { from: '+14155550100', to: '+12025550101', body: ' Hi ' };
const inputs: [input: object, values: object][] = [
  [typed, sent],
  [sent, sent],
  [
    { ...sent, from: 12345 },
    { ...sent, from: '12345' },
  ],
];

test.each(inputs)('the input %j is the values %j, in the order of the fields', (input, values) => {
  expect(JSON.stringify(checkInput(sms, input))).toBe(JSON.stringify(values));
});

test('what is left empty is no value, not an empty one', () => {
  const [calls] = definitions.dataSources.filter(({ id }) => id === 'calls-by-caller-id');
  const input = { status: '', from: null, pageSize: undefined };
  expect(calls && checkInput(calls, input)).toStrictEqual({});
});

test('an input that cannot be sent has no values', () => {
  expect(() => checkInput(sms, { ...sent, to: ' ' })).toThrow(
    expect.objectContaining({ code: 'input', field: 'to' }),
  );
});

test.each([
  ['a sound', 'recording', {}, undefined],
  [
    'an encrypted one',
    'recording',
    { encryptionDetails: '{}' },
    expect.stringContaining('encrypted'),
  ],
  ['what has no sound', 'call', { encryptionDetails: '{}' }, undefined],
])('why %s is silent', (_, shapeId, record, sentence) => {
  expect(whySilent(shapeId, record)).toEqual(sentence);
});

const field = (key: string, rest: Partial<Field> = {}): Field => ({
  ...{ key, in: 'query', name: key, type: 'text', label: key },
  ...rest,
});

test('what a table can be filtered by, what it has to be, and what no column of it shows', () => {
  const calls = definitions.dataSources.find(({ result }) => result.of === 'call') as DataSource;
  const size = field('size', { type: 'integer', purpose: 'page-size' });
  const chosen = [
    field('from', { required: true }),
    field('begun', { column: 'startTime', required: true }),
    field('mood'),
  ];
  const source = { ...calls, fields: [...chosen, size] };
  expect(filters(source)).toEqual(chosen);
  expect(requiredColumns(source)).toEqual(['from', 'startTime']);
  expect(filterOnlyFields(source)).toEqual([field('mood')]);
  expect(keyColumn(source)).toBe('sid');
  expect(freePageSize(source)).toBe(size);
  expect(freePageSize({ ...source, fields: chosen })).toBeUndefined();
  expect(freePageSize({ ...source, fields: [{ ...size, default: 50 }] })).toBeUndefined();
});

test.each([
  ['DateSent>', 'start'],
  ['DateSent<', 'end'],
  ['DateSent', undefined],
  ['>DateSent', undefined],
])('%s is the %s of a range', (name, end) => {
  expect(rangeEnd({ name })).toBe(end);
});

const sender = field('from', { purpose: 'sender' });
const pool = field('service', { purpose: 'sender-pool' });
const to = field('to');

test.each<[what: string, fields: Field[], given: string[], taken: Field | undefined]>([
  ['nobody is named', [sender, pool, to], ['to'], sender],
  ['there is no other way to name one', [to, sender], [], sender],
  ['a sender is named', [sender, pool, to], ['from', 'to'], undefined],
  ['what chooses one is named', [pool, sender, to], ['service'], undefined],
  ['there is no sender', [pool, to], [], undefined],
])('where %s, this takes the usual sender', (_, fields, given, taken) => {
  expect(emptySenderField({ fields }, (key) => given.includes(key))).toBe(taken);
});
