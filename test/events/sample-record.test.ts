import { eventReader, sampleRecord } from '../../src/builder.ts';
import { fixtures, withoutFiles } from './fixtures.ts';
import { account, address, signedForm } from './signed.ts';

const receivedAt = new Date('2026-11-20T23:30:00Z');
const read = eventReader(account, { url: address });
const sample = (id: string, values: object) => sampleRecord(id, { ...values }, account, receivedAt);

test.each(fixtures)(
  'a sample has exactly the record of a received event: %s',
  (id, { parameters, record }) => {
    const reading = read(signedForm(parameters), receivedAt);
    if (reading.outcome !== 'event') throw new Error(`It is ${reading.outcome}.`);
    const { event = reading.event } = reading.also?.find((one) => one.event.id === id) ?? reading;
    expect(sample(id, record)).toEqual(withoutFiles(id, event.record));
  },
);

test.each(fixtures)('a sample takes numbers as text, and dates as dates: %s', (id, { record }) => {
  const retyped = Object.entries(record).map(([key, value]) => [
    key,
    /^\d{4}-.*Z$/.test(value) ? new Date(value) : value === null ? '' : String(value),
  ]);
  expect(sample(id, Object.fromEntries(retyped))).toEqual(sample(id, record));
});

test('a sample belongs to the account, and is received now', () => {
  const since = Date.now();
  const settings = { username: 'SK1', password: 'x', accountSid: 'AC2' };
  const values = { sid: 'SM1', accountSid: 'AC9', dateCreated: '2001-01-01', price: 3 };
  const record = sampleRecord('sms-received', values, settings);
  expect(record).toMatchObject({ sid: 'SM1', accountSid: 'AC2', price: null, body: '' });
  expect(Number(record.dateCreated)).toBeGreaterThanOrEqual(since);
});

const invalid: [what: string, id: string, values: object, sentence: string, field: string][] = [
  ['no identifier', 'sms-received', { body: 'Hi' }, '"SID" is missing.', 'sid'],
  ['an empty identifier', 'call-received', { sid: ' ' }, '"SID" is missing.', 'sid'],
  [
    'an object as identifier',
    'sms-received',
    { sid: { toString: 'SM1' } },
    '"SID" must be an ID from the service: up to 64 letters, digits, "-" or "_".',
    'sid',
  ],
  [
    'a duration that is no number',
    'call-status',
    { sid: 'CA1', status: 'completed', duration: 'long' },
    '"Duration" must be a whole number.',
    'duration',
  ],
  [
    'a date that is none',
    'call-status',
    { sid: 'CA1', status: 'completed', dateUpdated: 'soon' },
    '"Updated" must be a date such as 2026-11-30, or a date and time.',
    'dateUpdated',
  ],
  [
    'a list as text, without a status',
    'message-status',
    { sid: 'SM1', from: ['+12025550143'] },
    '"Status" is missing. "From" must be a phone number with its country code, such as +14155550100, or a sender the service knows.',
    'status',
  ],
];

test.each(invalid)('a sample with %s is an error', (_, id, values, message, field) => {
  expect(() => sample(id, values)).toThrow(
    expect.objectContaining({ code: 'input', message, field }),
  );
});

test('a sample without a complete account is an error', () => {
  const settings = { ...account, password: '' };
  expect(() => sampleRecord('sms-received', { sid: 'SM1' }, settings)).toThrow(
    expect.objectContaining({ code: 'settings', field: 'password' }),
  );
});
