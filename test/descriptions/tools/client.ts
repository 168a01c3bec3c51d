/** Calls every operation with the client that openapi-fetch and openapi-typescript create from the document. */
import createClient from 'openapi-fetch';
import type { paths } from './service.ts';

const { baseUrl, contentUrl, lookupsUrl, verifyUrl, username, password, inPath } = JSON.parse(
  process.argv[2] ?? '',
);
const { CallSid: callSid, MessageSid: messageSid, RecordingSid: recordingSid } = inPath;
const credentials = Buffer.from(`${username}:${password}`).toString('base64');
const client = createClient<paths>({
  baseUrl,
  headers: { authorization: `Basic ${credentials}` },
  bodySerializer: (body) =>
    new URLSearchParams(
      Object.entries(body ?? {}).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, String(one)]),
      ),
    ),
});
const AccountSid: string = username;
const From = '+14155550100';
const To = '+12025550143';
const root = '/2010-04-01/Accounts/{AccountSid}';

const call = { AccountSid, CallSid: callSid };
const path = { AccountSid };
await client.GET(`${root}/Calls/{CallSid}.json`, { params: { path: call } });
await client.GET(`${root}/Calls.json`, { params: { path } });
await client.GET(`${root}/Calls.json`, {
  params: { path, query: { Status: 'busy', From, PageSize: 2 } },
});
await client.GET(`${root}/Recordings.json`, {
  params: { path, query: { CallSid: callSid, PageSize: 2 } },
});
await client.GET(`${root}/Recordings.json`, { params: { path, query: { PageSize: 2 } } });
await client.GET(`${root}/Calls.json`, {
  params: {
    path,
    query: {
      ...{ Status: 'completed', From, To, PageSize: 2 },
      ...{ 'StartTime>': '2026-11-01', 'StartTime<': '2026-11-30T09:00:00Z' },
    },
  },
});
await client.GET(`${root}/Recordings.json`, {
  params: {
    path,
    query: { 'DateCreated>': '2026-11-01', 'DateCreated<': '2026-12-01', PageSize: 2 },
  },
});
await client.GET(`${root}/Messages/{MessageSid}.json`, {
  params: { path: { AccountSid, MessageSid: messageSid } },
});
await client.GET(`${root}/Messages.json`, {
  params: {
    path,
    query: { From, To, 'DateSent>': '2026-11-01', 'DateSent<': '2026-12-01', PageSize: 2 },
  },
});
await client.GET(`${root}/Messages/{MessageSid}/Media.json`, {
  params: { path: { AccountSid, MessageSid: messageSid }, query: { PageSize: 2 } },
});
await client.GET(`${root}/Recordings/{RecordingSid}/Transcriptions.json`, {
  params: { path: { AccountSid, RecordingSid: recordingSid }, query: { PageSize: 2 } },
});
await client.GET(`${root}/IncomingPhoneNumbers.json`, {
  params: { path, query: { PhoneNumber: From, PageSize: 2 } },
});
await client.GET('/v1/Content', {
  baseUrl: contentUrl,
  params: { query: { PageSize: 2 } },
});
await client.GET('/v2/PhoneNumbers/{PhoneNumber}', {
  baseUrl: lookupsUrl,
  params: { path: { PhoneNumber: To }, query: { Fields: 'line_type_intelligence' } },
});
await client.GET(`${root}/Balance.json`, { params: { path } });
await client.GET(`${root}/Usage/Records.json`, {
  params: {
    path,
    query: { Category: 'sms', StartDate: '2026-11-01', EndDate: '2026-11-30', PageSize: 2 },
  },
});
await client.GET(`${root}/Usage/Records/Daily.json`, {
  params: { path, query: { Category: 'totalprice', StartDate: '2026-11-19', PageSize: 2 } },
});
await client.POST(`${root}/Calls/{CallSid}/Recordings.json`, {
  params: { path: call },
  body: {},
});
await client.POST(`${root}/Calls/{CallSid}/Recordings/{RecordingSid}.json`, {
  params: { path: { ...call, RecordingSid: recordingSid } },
  body: { Status: 'stopped' },
});
await client.POST(`${root}/Calls/{CallSid}.json`, {
  params: { path: call },
  body: { Status: 'completed' },
});
await client.POST(`${root}/Calls.json`, {
  params: { path },
  body: { From, To, Url: 'https://www.example.com/instructions.xml' },
});
await client.POST(`${root}/Messages.json`, {
  params: { path },
  body: {
    ...{ MessagingServiceSid: 'MG0123456789abcdef0123456789abcdef', To, Body: 'Hi & bye' },
    ...{ MediaUrl: ['https://www.example.com/menu.png', 'https://www.example.com/map.png'] },
    ...{ SendAt: '2026-11-30T09:00:00Z', ScheduleType: 'fixed' },
  },
});
await client.POST(`${root}/Messages.json`, { params: { path }, body: { From, To, Body: 'Hi 😀' } });
await client.POST(`${root}/Messages.json`, {
  params: { path },
  body: {
    ...{ From, To, ContentSid: 'HX5a5a5a5a5a5a5a5a5a5a5a5a5a5a0002' },
    ContentVariables: '{"1":"Ada","2":"1001"}',
  },
});
const verify = { params: { path: { ServiceSid: inPath.ServiceSid } }, baseUrl: verifyUrl };
await client.POST('/v2/Services/{ServiceSid}/Verifications', {
  ...verify,
  body: { To, Channel: 'call' },
});
await client.POST('/v2/Services/{ServiceSid}/VerificationCheck', {
  ...verify,
  body: { To, Code: '123456' },
});
const message = { path: { AccountSid, MessageSid: messageSid } };
await client.POST(`${root}/Messages/{MessageSid}.json`, {
  params: message,
  body: { Status: 'canceled' },
});
await client.POST(`${root}/Messages/{MessageSid}.json`, { params: message, body: { Body: '' } });
await client.DELETE(`${root}/Messages/{MessageSid}.json`, { params: message });
await client.DELETE(`${root}/Recordings/{RecordingSid}.json`, {
  params: { path: { AccountSid, RecordingSid: recordingSid } },
});
const app = 'https://app.example.com/events?a=1&b=2';
await client.POST(`${root}/IncomingPhoneNumbers/{PhoneNumberSid}.json`, {
  params: { path: { AccountSid, PhoneNumberSid: inPath.PhoneNumberSid } },
  body: { SmsUrl: app, SmsMethod: 'POST', VoiceUrl: app },
});

// The types reject what the service would refuse. Never called.
const body = { From, Body: 'Hi' };
const query = { Status: 'gone' } as const;
export const refused = [
  // @ts-expect-error: no recipient
  () => client.POST(`${root}/Messages.json`, { params: { path }, body }),
  // @ts-expect-error: no such status
  () => client.GET(`${root}/Calls.json`, { params: { path, query } }),
];
