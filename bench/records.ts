/** Records in the service's format. */

export const account = {
  username: 'AC00000000000000000000000000000001',
  password: 'not-a-real-token-5a5a',
};
export const authorization = `Basic ${Buffer.from(`${account.username}:${account.password}`).toString('base64')}`;
export const accountPath = `/2010-04-01/Accounts/${account.username}`;
export const sms = { from: '+14155550100', to: '+12025550143', body: 'Hello from the benchmark' };

const sid = (prefix: string, number: number) => prefix + String(number).padStart(32, '0');
export const callSid = sid('CA', 0);

const dates = {
  date_created: 'Tue, 10 Nov 2026 09:15:02 +0000',
  date_updated: 'Tue, 10 Nov 2026 09:17:10 +0000',
};

export const callRecord = (number: number) => ({
  sid: sid('CA', number),
  ...dates,
  parent_call_sid: null,
  account_sid: account.username,
  to: '+14155550100',
  to_formatted: '(415) 555-0100',
  from: '+12025550143',
  from_formatted: '(202) 555-0143',
  phone_number_sid: sid('PN', 1),
  status: 'completed',
  start_time: 'Tue, 10 Nov 2026 09:15:04 +0000',
  end_time: 'Tue, 10 Nov 2026 09:17:09 +0000',
  duration: '125',
  price: '-0.02550',
  price_unit: 'USD',
  direction: 'inbound',
  answered_by: null,
  api_version: '2010-04-01',
  forwarded_from: '',
  group_sid: null,
  caller_name: 'JONES DANA',
  queue_time: '0',
  trunk_sid: null,
  uri: `${accountPath}/Calls/${sid('CA', number)}.json`,
  subresource_uris: { recordings: `${accountPath}/Calls/${sid('CA', number)}/Recordings.json` },
});

export const messageRecord = {
  body: sms.body,
  num_segments: '1',
  direction: 'outbound-api',
  from: sms.from,
  to: sms.to,
  ...dates,
  price: null,
  error_message: null,
  uri: `${accountPath}/Messages/${sid('SM', 1)}.json`,
  account_sid: account.username,
  num_media: '0',
  status: 'queued',
  messaging_service_sid: null,
  sid: sid('SM', 1),
  date_sent: null,
  error_code: null,
  price_unit: 'USD',
  api_version: '2010-04-01',
  subresource_uris: { media: `${accountPath}/Messages/${sid('SM', 1)}/Media.json` },
};

export const callPage = (size: number, next: string | null) => ({
  first_page_uri: `${accountPath}/Calls.json?PageSize=${size}&Page=0`,
  end: size - 1,
  previous_page_uri: null,
  calls: Array.from({ length: size }, (_, number) => callRecord(number)),
  next_page_uri: next,
  page: 0,
  page_size: size,
  start: 0,
  uri: `${accountPath}/Calls.json?PageSize=${size}`,
});
