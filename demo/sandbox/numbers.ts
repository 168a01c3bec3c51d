import { ACCOUNT_NUMBERS, type Account } from './account.ts';
import type { Answer } from './answers.ts';
import { pageOf } from './paging.ts';
import type { Request, State } from './state.ts';

const BOUGHT = 'Mon, 02 Mar 2026 09:00:00 +0000';

/** The service's record of a number. */
function numberRecord({ sid: account_sid, root }: Account, { number, sid, name }: OwnNumber) {
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
    status: 'in-use',
    trunk_sid: null,
    type: 'local',
    uri: `${root}/IncomingPhoneNumbers/${sid}.json`,
  };
}

type OwnNumber = (typeof ACCOUNT_NUMBERS)[keyof typeof ACCOUNT_NUMBERS];

/** `GET /IncomingPhoneNumbers.json`: the account's numbers, optionally by exact `PhoneNumber`. */
export function listNumbers({ account }: State, { query }: Request): Answer {
  const asked = query.get('PhoneNumber');
  const numbers = Object.values(ACCOUNT_NUMBERS)
    .filter(({ number }) => !asked || number === asked)
    .map((number) => numberRecord(account, number));
  return pageOf(
    `${account.root}/IncomingPhoneNumbers.json`,
    'incoming_phone_numbers',
    numbers,
    query,
  );
}
