import type { Account } from './account.ts';

/** A value that the service sends as text, such as `"42"`, even if it is a number. */
type Numeric = string;
/** RFC 2822, `Tue, 31 Aug 2010 20:36:28 +0000`. */
type DateText = string;

type CallStatus =
  | 'queued'
  | 'ringing'
  | 'in-progress'
  | 'completed'
  | 'busy'
  | 'failed'
  | 'no-answer'
  | 'canceled';

/** The properties of a call that differ from the defaults. */
interface CallFacts {
  sid: string;
  from: string;
  to: string;
  status: CallStatus;
  direction: 'inbound' | 'outbound-api' | 'outbound-dial';
  parent_call_sid?: string;
  phone_number_sid?: string;
  date_updated?: DateText;
  start_time?: DateText;
  end_time?: DateText;
  duration?: Numeric;
  price?: Numeric | null;
}

interface RecordingFacts {
  sid: string;
  call_sid: string;
  status: 'in-progress' | 'stopped' | 'completed';
  source: 'DialVerb' | 'OutboundAPI' | 'RecordVerb' | 'StartCallRecordingAPI';
  date_updated?: DateText;
  duration?: Numeric;
  price?: Numeric;
}

interface MessageFacts {
  sid: string;
  from: string;
  to: string;
  body: string;
  num_segments: Numeric;
  status:
    | 'scheduled'
    | 'queued'
    | 'sent'
    | 'delivered'
    | 'undelivered'
    | 'failed'
    | 'received'
    | 'canceled';
  direction: 'inbound' | 'outbound-api' | 'outbound-reply';
  date_updated?: DateText;
  date_sent?: DateText;
  price?: Numeric;
  error_code?: number | null;
  num_media?: Numeric;
  messaging_service_sid?: string | null;
}

/** A one-time code that was sent and isn't approved yet. */
export interface Verification {
  record: Record<string, unknown>;
  sentAt: number;
  sent: number;
  checked: number;
}

/** The service's record of a call. */
export type Call = ReturnType<typeof callRecord>;
/** The service's record of a recording. */
export type Recording = ReturnType<typeof recordingRecord>;
/** The service's record of a message. */
export type Message = ReturnType<typeof messageRecord>;

const API_VERSION = '2010-04-01';

/** Creates a complete record of a call. */
export function callRecord(account: Account, created: Date, facts: CallFacts) {
  const path = `${account.root}/Calls/${facts.sid}`;
  return {
    date_created: dateText(created),
    date_updated: dateText(created),
    parent_call_sid: null,
    account_sid: account.sid,
    to_formatted: nationalFormat(facts.to),
    from_formatted: nationalFormat(facts.from),
    phone_number_sid: null,
    start_time: null,
    end_time: null,
    duration: null,
    price: null,
    price_unit: 'USD',
    answered_by: null,
    api_version: API_VERSION,
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
    ...facts,
  };
}

/** Creates a complete record of a recording. */
export function recordingRecord(account: Account, created: Date, facts: RecordingFacts) {
  const path = `${account.root}/Recordings/${facts.sid}`;
  return {
    account_sid: account.sid,
    api_version: API_VERSION,
    conference_sid: null,
    date_created: dateText(created),
    date_updated: dateText(created),
    start_time: dateText(created),
    // As at the service, until it is known.
    duration: '-1',
    price: null,
    price_unit: 'USD',
    channels: 1,
    error_code: null,
    uri: `${path}.json`,
    encryption_details: null,
    subresource_uris: {
      add_on_results: `${path}/AddOnResults.json`,
      transcriptions: `${path}/Transcriptions.json`,
    },
    media_url: account.origin + path,
    ...facts,
  };
}

/** Creates a complete record of a message. */
export function messageRecord(account: Account, created: Date, facts: MessageFacts) {
  const path = `${account.root}/Messages/${facts.sid}`;
  return {
    date_created: dateText(created),
    date_updated: dateText(created),
    date_sent: null,
    price: null,
    price_unit: 'USD',
    error_code: null,
    error_message: null,
    uri: `${path}.json`,
    account_sid: account.sid,
    num_media: '0',
    messaging_service_sid: null,
    api_version: API_VERSION,
    subresource_uris: { media: `${path}/Media.json` },
    ...facts,
  };
}

/** A date in the service's format. */
export function dateText(date: Date): DateText {
  return date.toUTCString().replace('GMT', '+0000');
}

function nationalFormat(number: string): string {
  return number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3');
}
