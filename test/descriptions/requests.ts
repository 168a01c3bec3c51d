import { ACCOUNT_NUMBERS } from '../../demo/sandbox/index.ts';
import { connect, definitions } from '../../src/builder.ts';
import { openSandbox, type Sandbox } from '../support/open-sandbox.ts';

const app = 'https://app.example.com/events?a=1&b=2';
const phoneNumberSid = ACCOUNT_NUMBERS.main.sid;

/** The inputs of the calls of every operation, in the order of `tools/client.ts`. */
const inputs = (
  sids: Record<'callSid' | 'messageSid' | 'recordingSid', string>,
): [id: string, input: Record<string, unknown>][] => {
  const { callSid, messageSid, recordingSid } = sids;
  const numbers = { from: '+14155550100', to: '+12025550143' };
  const serviceSid = 'VA5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a';
  const pageSize = 2;
  return [
    ['view-a-call', { callSid }],
    ['account-calls', {}],
    ['calls-by-caller-id', { status: 'busy', from: numbers.from, pageSize }],
    ['get-all-recordings-for-a-given-call', { callSid, pageSize }],
    ['recordings-by-caller-id', { pageSize }],
    [
      'calls-by-number-and-date',
      {
        ...{ status: 'completed', ...numbers, pageSize },
        ...{ startTimeAfter: '2026-11-01', startTimeBefore: '2026-11-30T09:00:00Z' },
      },
    ],
    [
      'recordings-by-date',
      { dateCreatedAfter: '2026-11-01', dateCreatedBefore: '2026-11-30', pageSize },
    ],
    ['view-a-message', { messageSid }],
    [
      'account-messages',
      { ...numbers, dateSentAfter: '2026-11-01', dateSentBefore: '2026-11-30', pageSize },
    ],
    ['media-of-a-message', { messageSid, pageSize }],
    ['transcriptions-of-a-recording', { recordingSid, pageSize }],
    ['phone-numbers', { phoneNumber: numbers.from, pageSize }],
    ['message-templates', { pageSize }],
    ['look-up-a-number', { phoneNumber: numbers.to }],
    ['account-balance', {}],
    [
      'usage-by-category',
      { category: 'sms', startDate: '2026-11-01', endDate: '2026-11-30', pageSize },
    ],
    ['usage-by-day', { category: 'totalprice', startDate: '2026-11-19', pageSize }],
    ['create-a-call-recording', { callSid }],
    ['stop-a-call-recording', { callSid, recordingSid }],
    ['end-a-call', { callSid }],
    ['make-a-call', { ...numbers, url: 'https://www.example.com/instructions.xml' }],
    [
      'send-a-message',
      {
        ...{ messagingServiceSid: 'MG0123456789abcdef0123456789abcdef', to: numbers.to },
        ...{ body: 'Hi & bye' },
        mediaUrl: ['https://www.example.com/menu.png', 'https://www.example.com/map.png'],
        ...{ sendAt: '2026-11-30T09:00:00Z', scheduleType: 'fixed' },
      },
    ],
    ['send-sms', { ...numbers, body: 'Hi 😀' }],
    [
      'send-a-template',
      {
        ...numbers,
        contentSid: 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002',
        contentVariables: { 1: 'Ada', 2: '1001' },
      },
    ],
    ['send-a-one-time-code', { serviceSid, to: numbers.to, channel: 'call' }],
    ['check-a-one-time-code', { serviceSid, to: numbers.to, code: '123456' }],
    ['cancel-a-scheduled-message', { messageSid }],
    ['redact-a-message', { messageSid }],
    ['delete-a-message', { messageSid }],
    ['delete-a-recording', { recordingSid }],
    ['set-up-a-number', { phoneNumberSid, smsUrl: app, smsMethod: 'POST', voiceUrl: app }],
  ];
};

const sorted = (text: string) => [...new URLSearchParams(text)].sort();

/** The requests since the last call. The order of parameters means nothing, nor does how a plus sign in a path is written. */
export const takeRequests = ({ requests }: Sandbox) =>
  requests.splice(0).map(({ method, path, query, body, user }) => {
    return {
      ...{ method, path: decodeURIComponent(path), user },
      ...{ query: sorted(query), body: sorted(body) },
    };
  });

/** The request of a form that has one field for each parameter. */
export const withSingleValues = <Request extends { body: [string, string][] }>({
  body,
  ...rest
}: Request) => ({ ...rest, body: [...new Map(body)] });

/** A sandbox, and the requests that the library sends to it for each operation. */
export async function openWithRequests() {
  const sandbox = await openSandbox({ now: new Date('2026-11-20T12:00:00Z') });
  const { username, password, url: baseUrl } = sandbox;
  const sids = {
    callSid: sandbox.calls[0]?.sid ?? '',
    messageSid: sandbox.messages[0]?.sid ?? '',
    recordingSid: sandbox.recordings[0]?.sid ?? '',
  };
  const table = inputs(sids);
  expect(table.map(([id]) => id).sort()).toEqual(
    [...definitions.dataSources, ...definitions.actions].map(({ id }) => id).sort(),
  );
  const { run } = connect({ username, password, baseUrl, ...sandbox.hosts });
  for (const [id, input] of table) await run(id, input).catch(() => undefined);
  const requests = takeRequests(sandbox);
  expect(requests).toHaveLength(table.length);
  sandbox.reset();
  sandbox.requests.length = 0;
  return {
    sandbox,
    requests,
    ids: table.map(([id]) => id),
    inputs: table,
    settings: {
      ...{ baseUrl, username, password, ...sandbox.hosts },
      inPath: {
        ...{ CallSid: sids.callSid, MessageSid: sids.messageSid, RecordingSid: sids.recordingSid },
        PhoneNumber: '+12025550143',
        PhoneNumberSid: phoneNumberSid,
        ServiceSid: 'VA5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a',
      },
    },
  };
}
