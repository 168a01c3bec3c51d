import {
  definitions,
  eventDefinition,
  eventReader,
  type WebhookRequest,
} from '../../src/builder.ts';
import type { EventReading } from '../../src/index.ts';
import { fixtures, parametersOf, raisedFixtures } from './fixtures.ts';
import { account, address, type Parameters, signedForm, signedJson } from './signed.ts';

const receivedAt = new Date('2026-11-20T23:30:00Z');
const reader = eventReader(account, { url: address });
const read = (request: WebhookRequest) => reader(request, receivedAt);

const eventOf = (parameters: Parameters) => {
  const reading = read(signedForm(parameters));
  if (reading.outcome !== 'event') throw new Error(`It is ${reading.outcome}.`);
  return reading.event;
};

const outcomeOf = (parameters: Parameters) => {
  const reading = read(signedForm(parameters));
  if (reading.outcome !== 'event') return reading.outcome;
  return [reading, ...(reading.also ?? [])].map(({ event }) => event.id).join(' and ');
};

test('every event has a fixture', () => {
  const all = [...fixtures, ...raisedFixtures].map(([id]) => id);
  expect(all.sort()).toEqual(definitions.events.map(({ id }) => id).sort());
});

test.each(fixtures)(
  'a complete request becomes a complete record: %s',
  (id, { parameters, record, note }) => {
    const { order, of } = eventDefinition(id);
    const [, ...rest] = note.key.split('/');
    const signature = signedForm(parameters).headers['x-twilio-signature'];
    const reading = read(signedForm(parameters));
    const whole = of && reading.outcome === 'event' ? reading.identity : undefined;
    const expected = {
      event: { id, record, parameters },
      identity: {
        ...note,
        lateFrom: note.step,
        subject: [id, ...(order ? rest.slice(0, -1) : rest)].join('/'),
        signature: of ? `${signature} ${id}` : signature,
        ...(whole && { of: whole }),
      },
    };
    const [{ outcome, also = [], ...first }] = [JSON.parse(JSON.stringify(reading))];
    expect(outcome).toBe('event');
    expect(whole ? also : [first]).toEqual([expected]);
  },
);

/** What a request says, whatever its signature is. */
const unsigned = (reading: EventReading) =>
  reading.outcome === 'event'
    ? [reading, ...(reading.also ?? [])].map(({ event }) => event)
    : reading.outcome;

/** The service sends what the plugin counts in the query as a form. */
const inBody = fixtures.filter(([id]) => !eventDefinition(id).parameters.some((one) => one.in));

test.each(inBody)('a form, JSON and a parsed form give the same event: %s', (_, { parameters }) => {
  const form = read(signedForm(parameters));
  const json = read(signedJson(JSON.stringify(parameters)));
  const parsed = read({ ...signedForm(parameters), body: parameters });
  expect([parsed, unsigned(json)]).toEqual([form, unsigned(form)]);
});

test.each(fixtures)(
  'each value of the record comes from a parameter of the definition: %s',
  (id, fixture) => {
    const { parameters, fixed = {}, receivedAt: dates = [], media } = eventDefinition(id);
    const keys = [...parameters.map(({ key }) => key), ...Object.keys(fixed), ...dates];
    const named = new Set([...keys, ...(media ? ['media'] : [])]);
    const filled = Object.entries(fixture.record).filter(([, value]) => value !== null);
    expect(filled.map(([key]) => key).filter((key) => !named.has(key))).toEqual([]);
  },
);

const sms = parametersOf('sms-received');
const status = parametersOf('message-status');
const call = parametersOf('call-status');
const recording = parametersOf('recording-ready');
const incoming = parametersOf('call-received');
const without = (parameters: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

const cases: [what: string, parameters: Parameters, outcome: string][] = [
  ['a message with an empty text, such as a picture', { ...sms, Body: '' }, 'sms-received'],
  ['a message without MessageSid', without(sms, 'MessageSid'), 'sms-received'],
  ['an incoming message with MessageStatus', { ...sms, MessageStatus: 'received' }, 'sms-received'],
  ['an unknown status', { ...status, MessageStatus: 'lost' }, 'message-status'],
  ['an empty MessageStatus next to SmsStatus', { ...status, MessageStatus: '' }, 'message-status'],
  ['no status', { ...without(status, 'SmsStatus'), MessageStatus: '' }, 'other'],
  ['a ringing call', { ...call, CallStatus: 'ringing' }, 'call-status'],
  ['a call that comes in', incoming, 'call-received'],
  [
    'a call that a program made and that rings',
    { ...incoming, Direction: 'outbound-api' },
    'call-status',
  ],
  [
    'a call in progress that asks for more instructions',
    {
      ...incoming,
      CallStatus: 'in-progress',
      RecordingUrl: recording.RecordingUrl ?? '',
      Digits: '',
    },
    'other',
  ],
  [
    'a call whose caller hung up while a message was recorded',
    {
      ...incoming,
      CallStatus: 'completed',
      RecordingUrl: recording.RecordingUrl ?? '',
      Digits: 'hangup',
    },
    'other',
  ],
  ['the end of a call with digits', { ...call, Digits: 'hangup' }, 'call-status'],
  ['a recording in progress', { ...recording, RecordingStatus: 'in-progress' }, 'other'],
  ['an absent recording', { ...recording, RecordingStatus: 'absent' }, 'other'],
  [
    'a recording of a conference',
    { ...without(recording, 'CallSid'), ConferenceSid: 'CF1' },
    'recording-ready',
  ],
  ['a message without an identifier', without(sms, 'MessageSid', 'SmsSid'), 'other'],
  ['a call without an identifier', { ...call, CallSid: '' }, 'other'],
  ['unknown parameters', { ...sms, __proto__x: 'y' }, 'sms-received'],
  ['an SMS such as STOP', { ...sms, OptOutType: 'STOP' }, 'sms-received and opted-out'],
  ['an SMS such as START', { ...sms, OptOutType: 'START' }, 'sms-received and opted-in'],
  ['another word of opt-outs', { ...sms, OptOutType: 'stop' }, 'sms-received'],
  ['an opt-out without a text', { ...without(sms, 'Body'), OptOutType: 'STOP' }, 'other'],
  ['no parameters', {}, 'other'],
];

test('a secret in any parameter is masked', () => {
  const parameters = { ...sms, FromCity: `at ${account.password}` };
  expect(eventOf(parameters).parameters).toEqual({ ...sms, FromCity: 'at ***' });
});

test.each(cases)('the reader finds the right event, or none, in %s', (_, parameters, outcome) => {
  expect(outcomeOf(parameters)).toBe(outcome);
});

test('untyped values of another service become null, as in records', () => {
  const reading = read(
    signedForm({
      ...call,
      CallDuration: '',
      CallStatus: 'in-progress',
      Timestamp: 'soon',
      CallerName: '',
    }),
  );
  expect(reading).toMatchObject({
    event: {
      record: { duration: null, status: 'in-progress', dateUpdated: null, callerName: null },
    },
  });
});

test('a message with only a picture has an empty text', () => {
  const reading = read(signedForm({ ...sms, Body: '', NumMedia: '1', MessagingServiceSid: '' }));
  expect(reading).toMatchObject({
    event: { record: { body: '', numMedia: 1, messagingServiceSid: null } },
  });
});

test('lists only files with a web address', () => {
  const hostile = { ...sms, MediaUrl0: 'javascript:alert(1)', MediaUrl2: 'https://example.com/3' };
  expect(read(signedForm(hostile))).toMatchObject({
    event: {
      record: {
        media: [
          { url: sms.MediaUrl1, contentType: 'audio/amr' },
          { url: 'https://example.com/3', contentType: null },
        ],
      },
    },
  });
});

test('refuses a request with two URLs for one file', () => {
  const twice = { ...sms, MediaUrl1: ['https://example.com/1', 'https://example.com/2'] };
  expect(read(signedForm(twice))).toEqual({
    ...{ outcome: 'refused', reason: 'form', isSigned: true },
  });
});

test('an unknown event id throws', () => {
  expect(() => eventDefinition('fax-received')).toThrow(
    'Unknown event "fax-received". Choose one of: sms-received, opted-out, opted-in, message-status, call-received, caller-answered, call-not-answered, call-status, recording-ready, limit-reached.',
  );
});

test('reading a request twice gives the same result', () => {
  const request = signedForm(sms);
  expect(read(request)).toEqual(read(request));
});
