import type { Call } from '../../demo/sandbox/records.ts';
import { errorPayload, get, given, NOW_TEXT, pathOf, post, sandboxFor } from './client.ts';

const calls = (all: { sid: string }[]) => all.map(({ sid }) => sid);

test('a call has every field of the real service, with the same types', async () => {
  const sandbox = await sandboxFor();
  const { sid } = given(sandbox.calls.find((one) => one.parent_call_sid));
  const answer = await get(sandbox, `/Calls/${sid}.json`);
  const path = pathOf(sandbox, `/Calls/${sid}`);
  const date = expect.stringMatching(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d \+0000$/);
  expect(answer).toEqual({
    status: 200,
    body: {
      sid,
      date_created: date,
      date_updated: date,
      parent_call_sid: expect.stringMatching(/^CA[0-9a-f]{32}$/),
      account_sid: sandbox.username,
      to: expect.stringMatching(/^\+1415555012\d$/),
      to_formatted: expect.stringMatching(/^\(415\) 555-012\d$/),
      from: expect.any(String),
      from_formatted: expect.any(String),
      phone_number_sid: null,
      status: 'completed',
      start_time: date,
      end_time: date,
      duration: expect.stringMatching(/^\d+$/),
      price: expect.stringMatching(/^-\d\.\d{5}$/),
      price_unit: 'USD',
      direction: 'outbound-dial',
      answered_by: null,
      api_version: '2010-04-01',
      forwarded_from: null,
      group_sid: null,
      caller_name: null,
      queue_time: '0',
      trunk_sid: null,
      uri: `${path}.json`,
      subresource_uris: {
        notifications: `${path}/Notifications.json`,
        recordings: `${path}/Recordings.json`,
      },
    },
  });
});

test.each([
  ['without a filter', '', () => true],
  ['by status', 'Status=in-progress', (call) => call.status === 'in-progress'],
  ['by caller', 'From=%2B12025550143', (call) => call.from === '+12025550143'],
  ['by anonymous caller', 'From=anonymous', (call) => call.from === 'anonymous'],
  [
    'by status and caller',
    'Status=completed&From=%2B12025550143',
    (call) => call.status === 'completed' && call.from === '+12025550143',
  ],
  ['by recipient', 'To=%2B14155550100', (call) => call.to === '+14155550100'],
  [
    'of one day',
    'StartTime=2026-03-10',
    (call) => call.start_time?.startsWith('Tue, 10 Mar') === true,
  ],
  [
    'starting at or after a midnight',
    'StartTime%3E=2026-03-10',
    (call) => Date.parse(call.start_time ?? '') >= Date.parse('2026-03-10T00:00Z'),
  ],
  [
    'starting at or before a midnight',
    'StartTime%3C=2026-03-10',
    (call) => Date.parse(call.start_time ?? '') <= Date.parse('2026-03-10T00:00Z'),
  ],
  [
    'by status, recipient and a range of start times',
    'Status=completed&To=%2B14155550100&StartTime%3E=2026-03-06T10:00:00Z&StartTime%3C=2026-03-10',
    ({ status, to, start_time }) =>
      status === 'completed' &&
      to === '+14155550100' &&
      Date.parse(start_time ?? '') >= Date.parse('2026-03-06T10:00Z') &&
      Date.parse(start_time ?? '') <= Date.parse('2026-03-10T00:00Z'),
  ],
  ['by invalid dates, which it ignores', 'StartTime=&StartTime%3E=soon', () => true],
  ['by empty values, which it ignores', 'Status=&From=', () => true],
  ['by an unencoded plus sign, which matches nothing', 'From=+12025550143', () => false],
  ['by an unknown status, which matches nothing', 'Status=lost', () => false],
] satisfies [string, string, (call: Call) => boolean][])(
  'the sandbox lists calls %s',
  async (_, query, wanted) => {
    const sandbox = await sandboxFor();
    const { status, body } = await get(sandbox, `/Calls.json?PageSize=1000&${query}`);
    expect([status, calls(body.calls)]).toEqual([200, calls(sandbox.calls.filter(wanted))]);
  },
);

test('an unknown call gets status 404', async () => {
  const sandbox = await sandboxFor();
  const path = pathOf(sandbox, `/Calls/CA${'0'.repeat(32)}.json`);
  expect(await get(sandbox, path)).toEqual(
    errorPayload(20404, 404, `The requested resource ${path} was not found`),
  );
});

test.each(['queued', 'ringing', 'in-progress'])(
  'the sandbox ends a call that is %s',
  async (was) => {
    const sandbox = await sandboxFor();
    const call = given(sandbox.calls.find(({ status }) => status === was));
    const answer = await post(sandbox, `/Calls/${call.sid}.json`, { Status: 'completed' });
    const isAnswered = was === 'in-progress';
    expect(answer).toEqual({
      status: 200,
      body: {
        ...call,
        status: isAnswered ? 'completed' : 'canceled',
        duration: isAnswered ? expect.stringMatching(/^[1-9]\d*$/) : '0',
        ...{ end_time: NOW_TEXT, date_updated: NOW_TEXT },
      },
    });
    expect((await get(sandbox, `/Calls/${call.sid}.json`)).body).toEqual(answer.body);
  },
);

test('the sandbox does not cancel a call in progress', async () => {
  const sandbox = await sandboxFor();
  const { sid } = given(sandbox.calls.find(({ status }) => status === 'in-progress'));
  const { body } = await post(sandbox, `/Calls/${sid}.json`, { Status: 'canceled' });
  expect(body.status).toBe('in-progress');
});

test('ending a call that has ended, or that is unknown, is an error', async () => {
  const sandbox = await sandboxFor();
  const { sid } = given(sandbox.calls.find(({ status }) => status === 'completed'));
  expect(await post(sandbox, `/Calls/${sid}.json`, { Status: 'completed' })).toEqual(
    errorPayload(21220, 400, 'Call is not in-progress. Cannot redirect.'),
  );
  const path = pathOf(sandbox, '/Calls/CA0.json');
  expect(await post(sandbox, path, { Status: 'completed' })).toEqual(
    errorPayload(20404, 404, `The requested resource ${path} was not found`),
  );
});

const DRAFT = {
  From: '+14155550100',
  To: '+12025550143',
  Twiml: '<Response><Say>Hi</Say></Response>',
};

test('the sandbox places a call', async () => {
  const sandbox = await sandboxFor();
  const { status, body } = await post(sandbox, '/Calls.json', DRAFT);
  expect([status, body]).toEqual([
    201,
    {
      ...sandbox.calls[0],
      ...{ from: DRAFT.From, to: DRAFT.To, status: 'queued', direction: 'outbound-api' },
      ...{ date_created: NOW_TEXT, start_time: null, end_time: null, duration: null },
    },
  ]);
});

test.each<[code: number, draft: Record<string, string>, message: string]>([
  [21201, { To: '' }, "No 'To' number is specified"],
  [21205, { Twiml: '' }, 'Url parameter is required.'],
  [21211, { To: 'Dana' }, "Invalid 'To' Phone Number: Dana"],
  [21212, { From: 'My Shop' }, "Invalid 'From' Phone Number: My Shop"],
  [21213, { From: '' }, "No 'From' number is specified"],
  [21214, { To: '+15005550002' }, "'To' phone number cannot be reached: +15005550002"],
  [21217, { To: '+15005550001' }, 'Phone number does not appear to be valid: +15005550001'],
])('the sandbox refuses a call with the error %s for %j', async (code, draft, message) => {
  const sandbox = await sandboxFor();
  const before = calls(sandbox.calls);
  expect(await post(sandbox, '/Calls.json', { ...DRAFT, ...draft })).toEqual(
    errorPayload(code, 400, message),
  );
  expect(calls(sandbox.calls)).toEqual(before);
});
