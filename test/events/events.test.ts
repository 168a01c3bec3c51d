import { definitions, eventDefinition, eventReader } from '../../src/index.ts';
import { fixtures, parametersOf } from './fixtures.ts';
import { account, address, type Parameters, signedForm, signedJson } from './signed.ts';

const read = eventReader(account, { address });

const outcomeOf = (parameters: Parameters) => {
  const reading = read(signedForm(parameters));
  return reading.outcome === 'event' ? reading.event.id : reading.outcome;
};

test('every event has a fixture', () => {
  expect(fixtures.map(([id]) => id)).toEqual(definitions.events.map(({ id }) => id).sort());
});

test.each(fixtures)(
  '%s: a whole request makes a whole record',
  (id, { parameters, record, note }) => {
    const [, ...rest] = note.key.split('/');
    const expected = {
      outcome: 'event',
      event: { id, record },
      note: {
        ...note,
        lateFrom: note.step,
        subject: `${id}/${rest[0]}`,
        signature: signedForm(parameters).headers['x-twilio-signature'],
      },
    };
    expect(JSON.parse(JSON.stringify(read(signedForm(parameters))))).toEqual(expected);
  },
);

test.each(fixtures)(
  '%s: JSON says the same, and so does a form that was read',
  (_, { parameters }) => {
    const form = read(signedForm(parameters));
    const json = read(signedJson(JSON.stringify(parameters)));
    const parsed = read({ ...signedForm(parameters), body: parameters });
    expect([parsed, { ...json, note: null }]).toEqual([form, { ...form, note: null }]);
  },
);

test.each(fixtures)('%s: each value comes from a parameter of the definition', (id, fixture) => {
  const { parameters, fixed = {} } = eventDefinition(id);
  const named = new Set([...parameters.map(({ key }) => key), ...Object.keys(fixed)]);
  const filled = Object.entries(fixture.record).filter(([, value]) => value !== null);
  expect(filled.map(([key]) => key).filter((key) => !named.has(key))).toEqual([]);
});

const sms = parametersOf('sms-received');
const status = parametersOf('message-status');
const call = parametersOf('call-status');
const recording = parametersOf('recording-ready');
const without = (parameters: Record<string, string>, ...names: string[]) =>
  Object.fromEntries(Object.entries(parameters).filter(([name]) => !names.includes(name)));

const told: [what: string, parameters: Parameters, outcome: string][] = [
  ['a text that is empty, as that of a picture', { ...sms, Body: '' }, 'sms-received'],
  ['a service that has no MessageSid', without(sms, 'MessageSid'), 'sms-received'],
  [
    'a service that says MessageStatus of it, too',
    { ...sms, MessageStatus: 'received' },
    'sms-received',
  ],
  ['a status that nobody has heard of', { ...status, MessageStatus: 'lost' }, 'message-status'],
  ['an empty status, and SmsStatus', { ...status, MessageStatus: '' }, 'message-status'],
  ['no status', { ...without(status, 'SmsStatus'), MessageStatus: '' }, 'other'],
  ['a call that rings', { ...call, CallStatus: 'ringing' }, 'call-status'],
  ['a recording that began', { ...recording, RecordingStatus: 'in-progress' }, 'other'],
  ['a recording that is absent', { ...recording, RecordingStatus: 'absent' }, 'other'],
  [
    'a recording of a conference',
    { ...without(recording, 'CallSid'), ConferenceSid: 'CF1' },
    'recording-ready',
  ],
  ['a message without an identifier', without(sms, 'MessageSid', 'SmsSid'), 'other'],
  ['a call without an identifier', { ...call, CallSid: '' }, 'other'],
  [
    'parameters that nobody has heard of',
    { ...sms, OptOutType: 'STOP', __proto__x: 'y' },
    'sms-received',
  ],
  ['nothing', {}, 'other'],
];

test.each(told)('%s', (_, parameters, outcome) => {
  expect(outcomeOf(parameters)).toBe(outcome);
});

test('what another service writes is read as records are', () => {
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

test('there is no other event', () => {
  expect(() => eventDefinition('fax-received')).toThrow(
    'There is no event "fax-received". There are: sms-received, message-status, call-status, recording-ready.',
  );
});

test('what is read does not change what is read next', () => {
  const request = signedForm(sms);
  expect(read(request)).toEqual(read(request));
});
