import { type RecordShape, recordShape } from '../../src/builder.ts';
import { isRecord, readRecord } from '../../src/response/read-record.ts';

/** Wire fields of a recording, and the record fields. */
const fields: [wire: object, record: object][] = [
  [
    { sid: 12, call_sid: true },
    { sid: '12', callSid: 'true' },
  ],
  [{ sid: 'RE\ud83d', call_sid: ['CA1'] }, { sid: 'RE\ufffd' }],
  [{ duration: ' 12 ', channels: ' ' }, { duration: 12 }],
  [{ duration: true, channels: '0x' }, {}],
  [{ duration: '-1', price: '-1' }, { price: -1 }],
  [{ duration: -1 }, {}],
  [{ duration: 0 }, { duration: 0 }],
  [{ duration: Number.POSITIVE_INFINITY, channels: 'Infinity' }, {}],
  [{ start_time: '2026', date_created: {} }, { startTime: new Date('2026-01-01T00:00:00Z') }],
  [{ start_time: 2026 }, { startTime: new Date('2026-01-01T00:00:00Z') }],
  [{ encryption_details: { type: 'rsa' } }, { encryptionDetails: 'yes' }],
  [{ encryption_details: 'rsa' }, { encryptionDetails: 'yes' }],
  [{ encryption_details: {} }, {}],
  [{ encryption_details: [] }, {}],
  [{ encryption_details: '' }, {}],
  [{ encryption_details: null }, {}],
];

test.each(fields)('the wire fields %j become the record fields %j', (wire, record) => {
  const read = readRecord('recording', { ...wire });
  const said = Object.entries(read).filter(([, value]) => value !== null);
  expect(Object.fromEntries(said)).toEqual(record);
  expect(Object.keys(read)).toEqual(recordShape('recording').fields.map(({ key }) => key));
});

/** The capabilities of a phone number, and the record fields. */
const capabilities: [said: unknown, record: object][] = [
  [{ voice: true, sms: false, mms: null }, { voice: 'yes' }],
  [
    { voice: true, sms: true, mms: true, fax: true },
    { voice: 'yes', sms: 'yes', mms: 'yes' },
  ],
  [{}, {}],
  [null, {}],
  [undefined, {}],
  ['sms', {}],
  [['sms'], {}],
];

test.each(capabilities)('the capabilities %j become the record fields %j', (said, record) => {
  const read = readRecord('phone-number', { sid: 'PN1', capabilities: said });
  const given = Object.entries(read).filter(([, value]) => value !== null);
  expect(Object.fromEntries(given)).toEqual({ sid: 'PN1', ...record });
});

const unreachable =
  "The recipient's phone was unreachable. It may be switched off, out of range or abroad. Try again later.";

/** The error of a message, and its explanation. */
const errors: [wire: object, code: string | null, message: string | null][] = [
  [{ error_code: 30003 }, '30003', unreachable],
  [{ error_code: '30003', error_message: null }, '30003', unreachable],
  [{ error_code: 30003, error_message: '' }, '30003', unreachable],
  [{ error_code: 30003, error_message: 'Switched off' }, '30003', 'Switched off'],
  [{ error_code: 99, error_message: 'Too late' }, '99', 'Too late'],
  [{ error_code: 99 }, '99', null],
  [{ error_code: { toString: 1 } }, null, null],
  [{ error_code: null }, null, null],
  [{ error_message: 'Too late' }, null, 'Too late'],
  [{}, null, null],
];

test.each(errors)(
  'a message with %j has the error code %j and the error message %j',
  (wire, errorCode, errorMessage) => {
    const empty = recordShape('message').fields.map(({ key }) => [key, null]);
    const record = { ...Object.fromEntries(empty), sid: 'SM1', errorCode, errorMessage };
    expect(readRecord('message', { sid: 'SM1', ...wire })).toEqual(record);
  },
);

test('an unknown record shape throws', () => {
  expect(() => readRecord('fax', {})).toThrow('No record shape "fax"');
});

const shape: RecordShape = {
  ...recordShape('call'),
  key: 'id',
  fields: [
    { key: 'sid', name: 'sid', type: 'sid', label: 'SID' },
    { key: 'id', name: 'call_id', type: 'text', label: 'Id' },
  ],
};

test.each([
  [{ call_id: 'CA1' }, true],
  [{ call_id: 0 }, true],
  [{ call_id: '' }, false],
  [{ call_id: null }, false],
  [{ call_id: ['CA1'] }, false],
  [{ sid: 'CA1', id: 'CA1' }, false],
  [['CA1'], false],
  ['CA1', false],
  [null, false],
])('%j identifies a record: %j', (value, isOne) => {
  expect(isRecord(shape, value)).toBe(isOne);
});
