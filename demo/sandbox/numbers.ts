import { ACCOUNT_NUMBERS, type Account } from './account.ts';
import { type Answer, failure, json } from './answers.ts';
import type { NumberSettings } from './events.ts';
import { pageOf } from './paging.ts';
import type { Request, State } from './state.ts';

const BOUGHT = 'Mon, 02 Mar 2026 09:00:00 +0000';

/** The service's record of a number. */
function numberRecord({ account, events }: State, { number, sid, name }: OwnNumber) {
  const { sid: account_sid, root }: Account = account;
  const { smsUrl, voiceUrl, statusCallback, smsApplicationSid } = events.numbers.get(number) ?? {};
  return {
    sid,
    account_sid,
    friendly_name: name,
    phone_number: number,
    capabilities: { mms: true, sms: true, voice: true, fax: false },
    date_created: BOUGHT,
    date_updated: BOUGHT,
    address_requirements: 'none',
    address_sid: null,
    api_version: '2010-04-01',
    beta: false,
    bundle_sid: null,
    identity_sid: null,
    origin: 'twilio',
    sms_application_sid: smsApplicationSid ?? '',
    sms_method: 'POST',
    sms_url: smsUrl ?? '',
    status_callback: statusCallback ?? '',
    status_callback_method: 'POST',
    status: 'in-use',
    trunk_sid: null,
    type: 'local',
    uri: `${root}/IncomingPhoneNumbers/${sid}.json`,
    voice_application_sid: '',
    voice_method: 'POST',
    voice_url: voiceUrl ?? '',
  };
}

type OwnNumber = (typeof ACCOUNT_NUMBERS)[keyof typeof ACCOUNT_NUMBERS];

/** `GET /IncomingPhoneNumbers.json`: the account's numbers, optionally by exact `PhoneNumber`. */
export function listNumbers(state: State, { query }: Request): Answer {
  const asked = query.get('PhoneNumber');
  const numbers = Object.values(ACCOUNT_NUMBERS)
    .filter(({ number }) => !asked || number === asked)
    .map((number) => numberRecord(state, number));
  return pageOf(
    `${state.account.root}/IncomingPhoneNumbers.json`,
    'incoming_phone_numbers',
    numbers,
    query,
  );
}

/** The parameters that set a number's webhook URLs. The sandbox always posts. */
const PARAMETERS = {
  SmsUrl: 'smsUrl',
  SmsApplicationSid: 'smsApplicationSid',
  VoiceUrl: 'voiceUrl',
  StatusCallback: 'statusCallback',
} as const satisfies Record<string, keyof NumberSettings>;

/** `POST /IncomingPhoneNumbers/{Sid}.json`: sets the webhook URLs that are given; an empty one removes it. */
export function updateNumber(state: State, { sid, path, form }: Request): Answer {
  const own = Object.values(ACCOUNT_NUMBERS).find((one) => one.sid === sid);
  if (!own) return failure(20404, { path });
  const given = Object.entries(PARAMETERS).filter(([name]) => form.has(name));
  const { numbers } = state.events;
  const settings = Object.fromEntries(given.map(([name, key]) => [key, form.get(name) ?? '']));
  numbers.set(own.number, { ...numbers.get(own.number), ...settings });
  return json(200, numberRecord(state, own));
}
