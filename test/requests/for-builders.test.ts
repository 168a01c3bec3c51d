import {
  type Action,
  aboutValues,
  actionOf,
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
  recordFields,
  requiredColumns,
  tableFields,
  testSettings,
  unplayableReason,
} from '../../src/builder.ts';
import { sayAs } from '../support/translations.ts';

const sms = definitions.actions.find(({ id }) => id === 'send-sms') as Action;
const action: Action = { ...sms, done: 'A {sid} of {who}, {sid}' };
const sentences: [record: object, sentence: string][] = [
  [{ sid: 'RE1', who: 'us' }, 'A RE1 of us, RE1'],
  [{ sid: '$& {who}', who: null }, 'A $& {who} of , $& {who}'],
  [{}, 'A  of , '],
  [{ sid: 'a\r\n\tb', who: 'é'.repeat(80) }, `A a b of ${'é'.repeat(80)}, a b`],
  [{ sid: '', who: '😀'.repeat(81) }, `A  of ${'😀'.repeat(79)}…, `],
];

test('a known error code, number or text, has a sentence; an unknown one has none', () => {
  const [known] = definitions.errors;
  expect(known?.sentence).toMatch(/\.$/);
  expect([known?.code ?? 0, String(known?.code), 999_999].map(errorSentence)).toEqual([
    known?.sentence,
    known?.sentence,
    undefined,
  ]);
});

test.each(sentences)('the success sentence for %j is %j', (record, sentence) => {
  expect(doneSentence(action, record)).toBe(sentence);
});

const about: [values: object, words: string][] = [
  [
    { body: 'A secret', to: ' +12025550101 ', from: '+14155550100' },
    'From +14155550100, To +12025550101',
  ],
  [{ to: 12345 }, 'To 12345'],
  // A recipient that someone enters can't write lines of the log.
  [
    { to: '+1\r\n27 Nov 12:00:00 - [info] Paid\u2028\u202eall' },
    'To +1 27 Nov 12:00:00 - [info] Paid all',
  ],
  [{ to: `+${'1'.repeat(300)}` }, `To +${'1'.repeat(78)}…`],
  [{ from: '', to: ' ', body: 'A secret' }, ''],
  [{ from: null }, ''],
  [{ from: { number: '+14155550100' }, to: Object.create(null) }, ''],
];

test.each(about)('the summary of a message with %j is %j', (values, words) => {
  expect(aboutValues(sms, { ...values })).toBe(words);
});

const empty = {
  ...{ username: '', password: '', accountSid: '', baseUrl: '', defaultCountry: '' },
  ...{ contentUrl: '', lookupsUrl: '', verifyUrl: '' },
};
const stored: [values: object, settings: object][] = [
  [{}, empty],
  [
    { username: 'AC1', password: null, z: 'tab', type: 'x' },
    { ...empty, username: 'AC1' },
  ],
];

test.each(stored)('the settings are picked from %j', (values, settings) => {
  expect(pickSettings(values)).toEqual(settings);
});

test('testing incomplete settings fails without a request', async () => {
  expect(await testSettings(pickSettings({ username: 'AC1' }))).toEqual({
    outcome: 'wrong-settings',
    message: `"password" in the settings is empty. Enter it first.`,
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

test.each(inputs)('the input %j becomes %j, in the order of the fields', (input, values) => {
  expect(JSON.stringify(checkInput(sms, input))).toBe(JSON.stringify(values));
});

test('an empty input has no values', () => {
  const [calls] = definitions.dataSources.filter(({ id }) => id === 'calls-by-caller-id');
  const input = { status: '', from: null, pageSize: undefined };
  expect(calls && checkInput(calls, input)).toStrictEqual({});
});

test('an invalid input throws an error that names the field', () => {
  expect(() => checkInput(sms, { ...sent, to: ' ' })).toThrow(
    expect.objectContaining({ code: 'input', field: 'to' }),
  );
});

test.each([
  ['a plain recording', 'recording', {}, undefined],
  [
    'an encrypted recording',
    'recording',
    { encryptionDetails: '{}' },
    expect.stringContaining('encrypted'),
  ],
  ['a record without audio', 'call', { encryptionDetails: '{}' }, undefined],
])('only an unplayable recording has a reason: %s', (_, shapeId, record, sentence) => {
  expect(unplayableReason(shapeId, record)).toEqual(sentence);
});

const field = (key: string, rest: Partial<Field> = {}): Field => ({
  ...{ key, in: 'query', name: key, type: 'text', label: key },
  ...rest,
});

test('a table lists its filters, its required columns and the filters that no column shows', () => {
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
  expect(tableFields(source)).toEqual([...recordFields(source), field('mood')]);
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
])('the field %s has the range end "%s"', (name, end) => {
  expect(rangeEnd({ name })).toBe(end);
});

const sender = field('from', { purpose: 'sender' });
const pool = field('service', { purpose: 'sender-pool' });
const to = field('to');

test.each<[what: string, fields: Field[], given: string[], taken: Field | undefined]>([
  ['fills the empty sender field', [sender, pool, to], ['to'], sender],
  ['fills the sender field of an operation without a sender pool', [to, sender], [], sender],
  ['does not replace a given sender', [sender, pool, to], ['from', 'to'], undefined],
  ['fills nothing next to a given sender pool', [pool, sender, to], ['service'], undefined],
  ['fills nothing in an operation without a sender field', [pool, to], [], undefined],
])('the default sender %s', (_, fields, given, taken) => {
  expect(emptySenderField({ fields }, (key) => given.includes(key))).toBe(taken);
});

const inLanguages: [id: string, record: object, language: string, text: string][] = [
  [
    'send-sms',
    { status: 'queued', to: '+12025550143', body: 'Hi {to}' },
    'de-DE',
    'Nachricht an +12025550143, Status in Warteschlange: „Hi {to}“',
  ],
  ['make-a-call', { status: 'queued', to: '+12025550143' }, 'zh-CN', '呼叫 +12025550143：排队中'],
  ['delete-a-message', { sid: 'SM1' }, 'de-DE', 'Nachricht SM1 gelöscht'],
];
test.each(inLanguages)(
  'the success of %s with %j is said in %s',
  async (id, record, language, text) => {
    expect(doneSentence(actionOf(id), record, await sayAs(language))).toBe(text);
  },
);
