import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  filterHint,
  inputOf,
  readFilter,
  recordFilter,
} from '../../../plugin/nocobase/server/data-source/read-filter.ts';
import {
  type CleanPhone,
  connect,
  type DataSource,
  inEnglish,
  type TelephonyRecord,
} from '../../../src/builder.ts';
import { root } from '../../support/root.ts';

// Tests in NocoBase's server cover its parser. Here, dates are parsed already.
jest.mock(
  '@nocobase/utils',
  () => ({
    parseDate(value: unknown) {
      if (value === '2026-13-45') throw new RangeError('Invalid time value');
      return value === 'soon' ? undefined : value;
    },
  }),
  { virtual: true },
);

const source = (id: string): DataSource =>
  JSON.parse(readFileSync(join(root, 'data-sources', `${id}.json`), 'utf8'));
const calls = source('calls-by-caller-id');

const inputFor = (one: DataSource, filter: unknown, clean?: CleanPhone) =>
  inputOf(one, readFilter(one, filter, clean));

const nothing = undefined;
const anyOf = (...statuses: string[]) => ({ status: { $in: statuses } });

test.each<[string, unknown, object | undefined]>([
  ['no conditions', undefined, {}],
  ['an empty filter', { $and: [] }, {}],
  ['a value', { from: { $eq: '+1 (415) 555-0100' } }, { from: '+14155550100' }],
  ['a value without an operator', { status: 'busy' }, { status: 'busy' }],
  ['a value in a path', { 'status.$eq': 'busy' }, { status: 'busy' }],
  ['a list of one value', { status: { $in: ['busy'] } }, { status: 'busy' }],
  ['one value instead of a list', { status: { $in: 'busy' } }, { status: 'busy' }],
  ['no value instead of a list', { status: { $in: null } }, nothing],
  ['several choices', anyOf('busy', 'failed'), { status: ['busy', 'failed'] }],
  [
    'several choices in a path',
    { 'status.$in': ['busy', 'failed'] },
    { status: ['busy', 'failed'] },
  ],
  [
    'choices of which one is possible',
    { $and: [anyOf('busy', 'failed'), { status: 'failed' }] },
    { status: 'failed' },
  ],
  [
    'choices that exclude each other',
    { $and: [anyOf('busy', 'failed'), { status: 'queued' }] },
    nothing,
  ],
  ['choices of which one has no value', { status: { $in: ['busy', null] } }, nothing],
  ['two columns', { $and: [{ status: 'busy' }, { from: '+1' }] }, { status: 'busy', from: '+1' }],
  ['only one alternative', { $or: [{ status: 'busy' }] }, { status: 'busy' }],
  [
    'only one alternative of several conditions',
    { $or: [{ $and: [{ status: 'busy' }, { from: '+1' }] }] },
    { status: 'busy', from: '+1' },
  ],
  [
    'alternatives of one column',
    { $or: [{ status: { $eq: 'busy' } }, { $and: [anyOf('failed')] }] },
    { status: ['busy', 'failed'] },
  ],
  [
    'alternatives of which one has no value',
    { $or: [{ status: 'busy' }, { status: {} }] },
    nothing,
  ],
  ['the same value twice', { $and: [{ from: '+1' }, { 'from.$eq': '+1' }] }, { from: '+1' }],
  ['two values of one column', { $and: [{ from: '+1' }, { from: '+2' }] }, nothing],
  ['an empty list', { status: { $in: [] } }, nothing],
  ['a missing value', { from: {} }, nothing],
  ['null', { from: { $eq: null } }, nothing],
  ['a blank', { from: { $eq: ' ' } }, nothing],
  ['false', { from: false }, nothing],
])('reads a filter with %s', (_, filter, input) => {
  expect(inputFor(calls, filter)).toEqual(input);
});

const [alike, inUs] = [
  { $and: [{ from: { $eq: '+1 (202) 555-0143' } }, { from: { $eq: '+12025550143' } }] },
  { $and: [{ from: { $eq: '+12025550143' } }, { from: { $eq: '(202) 555-0143' } }] },
];

test.each<[string, unknown, string, object | undefined]>([
  ['two spellings of one number', alike, '', { from: '+12025550143' }],
  ['a national number and the whole one', inUs, 'US', { from: '+12025550143' }],
  ['a national number of no country', inUs, '', nothing],
  ['a national number', { from: '(202) 555-0143' }, 'US', { from: '+12025550143' }],
])("combines a role's scope and a filter: %s", (_, filter, defaultCountry, input) => {
  const { cleanPhone } = connect({ username: 'AC1', password: 'x', defaultCountry });
  expect(inputFor(calls, filter, cleanPhone)).toEqual(input);
  const record = { from: '+12025550143' };
  expect(recordFilter(calls, readFilter(calls, filter, cleanPhone), cleanPhone)(record)).toBe(
    input !== nothing,
  );
});

const hint =
  'Nothing found. "From" is (202) 555-0143, which has no country code. Enter it with its country code, such as +12025550143';
test.each<[string, unknown, boolean, string | undefined]>([
  ['a national number', inUs, false, expect.stringContaining(`${hint}, or set "Default country"`)],
  ['a national number that the default country lacks', inUs, true, `${hint}.`],
  ['whole numbers', alike, false, undefined],
  ['no value', { from: null, status: 'busy' }, false, undefined],
])('an empty list has a hint about %s', (_, filter, hasDefault, said) => {
  const found = filterHint(calls, readFilter(calls, filter), hasDefault);
  expect(found && inEnglish(found)).toEqual(said);
});

test.each<[string, unknown, string | undefined]>([
  [
    'is not set',
    undefined,
    "Set “Call SID” in the block's data scope to show “Get all Recordings for a given Call”.",
  ],
  ['is bound to nothing', { callSid: { $eq: null } }, undefined],
  ['is set', { callSid: 'CA1' }, undefined],
])('a list has a hint if the filter that it needs %s', (_, filter, said) => {
  const recordings = source('get-all-recordings-for-a-given-call');
  const found = filterHint(recordings, readFilter(recordings, filter), false);
  expect(found && inEnglish(found)).toBe(said);
});

test.each<[string, unknown]>([
  ['another operator', { status: { $ne: 'busy' } }],
  ['two operators', { status: { $eq: 'busy', $ne: 'failed' } }],
  ['several values of a column without choices', { from: { $in: ['+1', '+2'] } }],
  ['an operator instead of a list', { status: { $in: { $eq: 'busy' } } }],
  ['alternatives of two columns', { $or: [{ status: 'busy' }, { from: '+1' }] }],
  [
    'an alternative with two conditions',
    { $or: [{ status: 'busy', from: '+1' }, { status: 'failed' }] },
  ],
  ['alternatives of a column without choices', { $or: [{ from: '+1' }, { from: '+2' }] }],
  ['only an empty alternative', { $or: [{}] }],
  ['an empty alternative', { $or: [{ status: 'busy' }, {}] }],
  ['no alternative', { $or: [] }],
  ['a group that is no list', { $or: { length: 1, 0: { status: 'busy' } } }],
  ['another column', { to: '+1' }],
  ['a text', 'status'],
  ['a condition that is null', { $and: [null] }],
])('refuses a filter with %s', (_, filter) => {
  expect(() => readFilter(calls, filter)).toThrow(/cannot be filtered/);
});

const texts = (count: number) => Array.from({ length: count }, (_, index) => `busy ${index}`);
const tooManyValues =
  '“Calls by caller id” cannot be filtered by more than 100 values of “Status”. Choose fewer.';

test.each<[string, object, string]>([
  ['more than 100 values', anyOf(...texts(101)), tooManyValues],
  [
    'more than 100 alternatives',
    { $or: texts(101).map((one) => ({ status: one })) },
    tooManyValues,
  ],
  [
    'more than 100 conditions',
    { $and: texts(101).map((one) => ({ status: one })) },
    '“Calls by caller id” cannot be filtered by more than 100 conditions. Remove some.',
  ],
  [
    'more than 100 conditions of dates',
    { $and: texts(101).map(() => ({ startTime: { $gte: '2026-11-20' } })) },
    '“Calls by caller id” cannot be filtered by more than 100 conditions. Remove some.',
  ],
])('refuses a filter with %s', (_, filter, message) => {
  expect(() => readFilter(calls, filter)).toThrow(
    expect.objectContaining({ code: 'input', message }),
  );
});

test('reads a filter with 100 values', () => {
  expect(inputFor(calls, anyOf(...texts(100)))).toEqual({ status: texts(100) });
});

test.each<[string, string, object, string]>([
  [
    'a column of the records',
    'calls-by-caller-id',
    { startTime: '2026-11-20' },
    '“Calls by caller id” cannot be filtered by “Started” in this way. Use “is” with: Status, From. Use “is any of” with: Status.',
  ],
  [
    'a filter by its key, which is no column',
    'media-of-a-message',
    { messageSid: { $ne: 'MM1' } },
    '“Media of a Message” cannot be filtered by “Message SID” in this way. Use “is” with: Message SID.',
  ],
  [
    'an unknown column',
    'calls-by-caller-id',
    { loudness: 11 },
    '“Calls by caller id” cannot be filtered by “loudness” in this way. Use “is” with: Status, From. Use “is any of” with: Status.',
  ],
  [
    'a column of dates',
    'recordings-by-date',
    { dateCreated: { $dateNotOn: '2026-11-20' } },
    '“Recordings by date” cannot be filtered by “Created” in this way. Use “is”, “is before”, “is after” or “is between” with: Created.',
  ],
  [
    'alternatives',
    'calls-by-caller-id',
    { $or: [{ status: 'busy' }, { from: '+1' }] },
    '“Calls by caller id” cannot be filtered by “Any” of these conditions. Choose “All”, and in a calendar no end date. Use “is” with: Status, From. Use “is any of” with: Status.',
  ],
  [
    'a relation',
    'account-calls',
    { parentCall: { status: { $eq: 'busy' } } },
    '“Account Calls” cannot be filtered by “Parent call” in this way. It has no filters.',
  ],
])('names %s and the possible filters in the error', (_, id, filter, message) => {
  expect(() => readFilter(source(id), filter)).toThrow(
    expect.objectContaining({ code: 'input', message }),
  );
});

test('takes a filter by its key, too', () => {
  const filter = { messageSid: { $eq: 'MM1' } };
  expect(inputFor(source('media-of-a-message'), filter)).toEqual({ messageSid: 'MM1' });
});

test('matches nothing without a required filter', () => {
  expect(inputFor(source('get-all-recordings-for-a-given-call'), undefined)).toBe(nothing);
});

test('refuses a range field as an exact value', () => {
  const filter = { dateSent: { $eq: '2026-11-20' } };
  expect(() => readFilter(source('account-messages'), filter)).toThrow(/cannot be filtered/);
});

const dated = source('calls-by-number-and-date');
const [day, nextDay] = ['2026-11-20T00:00:00.000Z', '2026-11-21T00:00:00.000Z'];
const noon = '2026-11-20T12:00:00.000Z';
const [after, before] = ['startTimeAfter', 'startTimeBefore'];

test.each<[string, object, object | undefined]>([
  [
    'a day',
    { startTime: { $dateOn: [day, nextDay] } },
    { [after]: '2026-11-20T00:00:00Z', [before]: '2026-11-20T23:59:59Z' },
  ],
  [
    'a second',
    { 'startTime.$dateOn': noon },
    { [after]: '2026-11-20T12:00:00Z', [before]: '2026-11-20T12:00:00Z' },
  ],
  [
    'an open range between two times',
    { startTime: { $dateBetween: [day, noon, '()'] } },
    { [after]: '2026-11-20T00:00:01Z', [before]: '2026-11-20T11:59:59Z' },
  ],
  [
    'a closed range between two times',
    { startTime: { $dateBetween: [day, noon, '[]'] } },
    { [after]: '2026-11-20T00:00:00Z', [before]: '2026-11-20T12:00:00Z' },
  ],
  [
    'before a day',
    { startTime: { $dateBefore: [day, nextDay] } },
    { [before]: '2026-11-19T23:59:59Z' },
  ],
  ['before a time', { startTime: { $dateBefore: noon } }, { [before]: '2026-11-20T11:59:59Z' }],
  [
    'after a day',
    { startTime: { $dateAfter: [day, nextDay] } },
    { [after]: '2026-11-21T00:00:00Z' },
  ],
  ['after a time', { startTime: { $dateAfter: noon } }, { [after]: '2026-11-20T12:00:01Z' }],
  [
    'on or after a day',
    { startTime: { $dateNotBefore: [day, nextDay] } },
    { [after]: '2026-11-20T00:00:00Z' },
  ],
  [
    'on or before a day',
    { startTime: { $dateNotAfter: [day, nextDay] } },
    { [before]: '2026-11-20T23:59:59Z' },
  ],
  [
    'a calendar',
    { startTime: { $gte: day, $lte: noon } },
    { [after]: '2026-11-20T00:00:00Z', [before]: '2026-11-20T12:00:00Z' },
  ],
  ['a calendar without an end', { startTime: { $gte: day, $lte: null } }, nothing],
  [
    'two ranges that overlap, and a value',
    {
      $and: [
        { startTime: { $dateOn: [day, nextDay] } },
        { startTime: { $dateAfter: noon } },
        { status: 'busy' },
      ],
    },
    { status: 'busy', [after]: '2026-11-20T12:00:01Z', [before]: '2026-11-20T23:59:59Z' },
  ],
  [
    'two ranges that exclude each other',
    { $and: [{ startTime: { $dateOn: [day, nextDay] } }, { startTime: { $dateAfter: nextDay } }] },
    nothing,
  ],
  ['no date', { startTime: { $dateOn: null } }, nothing],
  ['false', { startTime: { $dateNotBefore: false } }, nothing],
  [
    'no date and a range',
    { $and: [{ startTime: { $dateOn: '' } }, { startTime: { $dateOn: [day, nextDay] } }] },
    nothing,
  ],
])('reads a filter of dates: %s', (_, filter, input) => {
  expect(inputFor(dated, filter)).toEqual(input);
});

test.each<[string, object]>([
  ['another operator of dates', { startTime: { $dateNotOn: [day, nextDay] } }],
  ['a date that does not exist', { startTime: { $dateOn: '2026-13-45' } }],
  ['a word', { startTime: { $dateOn: 'soon' } }],
  [
    'alternatives of dates',
    { $or: [{ startTime: { $dateOn: day } }, { startTime: { $dateOn: nextDay } }] },
  ],
  ['two operators, one of dates', { startTime: { $dateAfter: day, $eq: nextDay } }],
  ['the end of a column that has no dates', { status: { $gte: day, $lte: nextDay } }],
  ['an equal value', { startTime: { $eq: day } }],
  ['a column that the service has no dates of', { endTime: { $dateOn: [day, nextDay] } }],
])('refuses a filter of dates with %s', (_, filter) => {
  expect(() => readFilter(dated, filter)).toThrow(/cannot be filtered/);
});

test.each<[string, unknown, boolean]>([
  ['the first second of the day', day, true],
  ['the last second, as a date', new Date('2026-11-20T23:59:59Z'), true],
  ['the second after it', nextDay, false],
  ['no time', null, false],
])('decides whether a record matches a day: %s', (_, startTime, fits) => {
  const filter = { startTime: { $dateOn: [day, nextDay] } };
  expect(recordFilter(dated, readFilter(dated, filter))({ startTime } as TelephonyRecord)).toBe(
    fits,
  );
});

test.each<[string, unknown, object, boolean]>([
  ['no filter', undefined, { sid: 'CA1' }, true],
  ['an equal value', { status: 'busy' }, { status: 'busy' }, true],
  [
    'another spelling of a phone number',
    { from: '+1 415 555 0100' },
    { from: '+14155550100' },
    true,
  ],
  ['another value', { status: 'busy' }, { status: 'failed' }, false],
  ['one of several choices', anyOf('busy', 'failed'), { status: 'failed' }, true],
  ['none of several choices', anyOf('busy', 'failed'), { status: 'queued' }, false],
  ['a missing value', { status: {} }, { status: 'busy' }, false],
  ['the text “null” for no value', { from: 'null' }, { from: null }, false],
  ['the text “undefined” for no value', { from: 'undefined' }, { sid: 'CA1' }, false],
  ['a record without the column', { from: '+1' }, { sid: 'CA1' }, false],
])('decides whether a record matches: %s', (_, filter, record, fits) => {
  expect(recordFilter(calls, readFilter(calls, filter))(record as TelephonyRecord)).toBe(fits);
});

/** A day in a time zone, as NocoBase parses it. */
const dayIn = (zone: string, day = '2026-11-02') => {
  const start = new Date(`${day}T00:00:00${zone}`);
  return [start, new Date(start.getTime() + 86_400_000), '[)'];
};

test.each([
  ['is', '$dateOn', dayIn('Z'), { startDate: '2026-11-02', endDate: '2026-11-02' }],
  [
    'is, in Honolulu',
    '$dateOn',
    dayIn('-10:00'),
    { startDate: '2026-11-02', endDate: '2026-11-02' },
  ],
  [
    'is, in Auckland',
    '$dateOn',
    dayIn('+13:00'),
    { startDate: '2026-11-02', endDate: '2026-11-02' },
  ],
  ['is before', '$dateBefore', dayIn('+01:00'), { endDate: '2026-11-01' }],
  ['is after', '$dateAfter', dayIn('-05:00'), { startDate: '2026-11-03' }],
  ['is on or after', '$dateNotBefore', dayIn('-05:00'), { startDate: '2026-11-02' }],
  ['is on or before', '$dateNotAfter', dayIn('+05:30'), { endDate: '2026-11-02' }],
])('a filter of days: %s', (_, operator, value, input) => {
  expect(inputFor(source('usage-by-day'), { startDate: { [operator]: value } })).toEqual(input);
});
