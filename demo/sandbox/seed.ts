import { ACCOUNT_NUMBERS, type Account } from './account.ts';
import { seededRandom } from './random.ts';
import {
  type Call,
  callRecord,
  dateText,
  type Message,
  messageRecord,
  type Recording,
  recordingRecord,
} from './records.ts';
import type { Records } from './records-file.ts';
import { segmentCount } from './segments.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const OPENING_HOUR = 8.5;
const CLOSING_HOUR = 17.5;
const WORKING_DAYS = 8;
const CALLS_A_DAY = 16;
const FINISHED_CALLS = 100;
const ENDED_AGO = 20 * MINUTE;

const PRICE_A_MINUTE = { inbound: 0.0085, 'outbound-api': 0.014, 'outbound-dial': 0.014 };
const RECORDING_PRICE = '-0.00250';
const SHORTEST_RECORDED = 30;

const { main, support } = ACCOUNT_NUMBERS;
const AGENTS = ['+14155550120', '+14155550121', '+14155550122'];
/** The first ones call most often. A withheld number is a word. */
const CALLERS = [
  '+12025550143',
  '+12125550117',
  '+13125550188',
  '+16175550162',
  '+12065550131',
  '+13055550174',
  'anonymous',
  '+17135550109',
  '+15035550155',
  '+14045550126',
  '+442079460018',
];
const OUTCOMES: readonly Call['status'][] = [
  ...(['completed', 'completed', 'no-answer', 'completed', 'completed', 'busy'] as const),
  ...(['completed', 'completed', 'completed', 'no-answer', 'completed', 'canceled'] as const),
  ...(['completed', 'completed', 'completed', 'failed', 'completed', 'completed'] as const),
];
const TEXTS = [
  'Your appointment is confirmed for tomorrow at 10:30. Reply C to cancel.',
  'Thanks for calling! Your reference number is 48213.',
  'Your order has shipped and should arrive on Thursday.',
  'We tried to reach you. Call us back any time before 17:30.',
  '¡Gracias por llamar! Le devolvemos la llamada hoy mismo 🙂',
];
const REPLIES = ['C', 'Thank you!', 'Can you call me after 3 pm?', 'Got it 👍'];

/** The sources of demo records: the account, the time of the newest ones, and random numbers. */
interface Source {
  account: Account;
  now: number;
  random: () => number;
}

/**
 * The demo records of an account: two working weeks of calls with their recordings and messages, and calls that are queued, ringing
 * and (exactly two) in progress at `now`. Times are UTC.
 *
 * @param seed the same seed and the same `now` produce the same records
 */
export function seedRecords(account: Account, now: Date, seed: number): Records {
  const source = { account, now: now.getTime(), random: seededRandom(seed) };
  const finished = officeTimes(source).map((time, index) => finishedCall(source, time, index));
  const parents = [...finished, ...liveCalls(source)];
  const legs = finished.filter(isPutThrough).map((call) => secondLeg(source, call));
  const recordings = finished.flatMap((call) => recordingsOf(source, call));
  const messages = officeTimes(source).filter((_, index) => index % 4 === 0);
  return {
    calls: newestFirst([...parents, ...legs]),
    recordings: newestFirst(recordings),
    messages: newestFirst(messages.map((time, index) => pastMessage(source, time, index))),
  };
}

/** Times within office hours of the last working days, oldest first. */
function officeTimes({ now, random }: Source): number[] {
  const today = now - (now % DAY);
  const days = Array.from({ length: 2 * WORKING_DAYS }, (_, ago) => today - ago * DAY);
  const workdays = days.filter((day) => new Date(day).getUTCDay() % 6 !== 0);
  const times = workdays.slice(0, WORKING_DAYS).flatMap((day) =>
    Array.from({ length: CALLS_A_DAY }, () => {
      const hour = OPENING_HOUR + random() * (CLOSING_HOUR - OPENING_HOUR);
      return day + Math.floor(hour * HOUR);
    }),
  );
  const past = times.filter((time) => time < now - ENDED_AGO);
  return past.sort((a, b) => a - b).slice(-FINISHED_CALLS);
}

function finishedCall(source: Source, time: number, index: number): Call {
  const status = OUTCOMES[index % OUTCOMES.length] ?? 'completed';
  const inbound = status !== 'failed' && status !== 'canceled' && source.random() < 0.7;
  const own = source.random() < 0.75 ? main : support;
  const other = someone(source);
  const party = inbound || other === 'anonymous' ? incoming(own, other) : outgoing(own, other);
  const seconds = status === 'completed' ? 15 + Math.floor(source.random() ** 2 * 800) : 0;
  return callRecord(source.account, new Date(time), {
    sid: sid(source, 'CA'),
    ...party,
    status,
    ...ended(time + 2 * SECOND, seconds, party.direction),
  });
}

function liveCalls(source: Source): Call[] {
  const [regular = '', second = '', third = '', fourth = ''] = CALLERS;
  const live = (ago: number, facts: Pick<Call, 'from' | 'to' | 'status' | 'direction'>) => {
    const created = new Date(source.now - ago);
    const started = facts.status === 'in-progress' ? { start_time: dateText(created) } : {};
    return callRecord(source.account, created, { sid: sid(source, 'CA'), ...facts, ...started });
  };
  return [
    live(4 * MINUTE, { ...incoming(main, regular), status: 'in-progress' }),
    live(90 * SECOND, { ...outgoing(support, second), status: 'in-progress' }),
    live(9 * SECOND, { ...incoming(main, third), status: 'ringing' }),
    live(3 * SECOND, { ...outgoing(support, fourth), status: 'queued' }),
  ];
}

function isPutThrough(call: Call, index: number): boolean {
  return call.status === 'completed' && call.direction === 'inbound' && index % 3 === 0;
}

/** The leg of a forwarded inbound call, from the account to the agent. */
function secondLeg(source: Source, parent: Call): Call {
  const created = Date.parse(parent.date_created) + 6 * SECOND;
  const seconds = Math.max(Number(parent.duration) - 8, 1);
  return callRecord(source.account, new Date(created), {
    sid: sid(source, 'CA'),
    parent_call_sid: parent.sid,
    from: parent.from,
    to: oneOf(source, AGENTS),
    status: 'completed',
    direction: 'outbound-dial',
    ...ended(created + 2 * SECOND, seconds, 'outbound-dial'),
  });
}

/** Up to two recordings of a call, if it was long enough. */
function recordingsOf(source: Source, call: Call): Recording[] {
  const seconds = Number(call.duration);
  if (seconds < SHORTEST_RECORDED || source.random() < 0.3) return [];
  const parts = source.random() < 0.15 ? 2 : 1;
  return Array.from({ length: parts }, (_, part) => {
    const length = Math.floor(seconds / parts) - 2;
    const started = Date.parse(call.start_time ?? '') + part * length * SECOND;
    return recordingRecord(source.account, new Date(started), {
      sid: sid(source, 'RE'),
      call_sid: call.sid,
      date_updated: dateText(new Date(started + (length + 3) * SECOND)),
      duration: String(length),
      price: RECORDING_PRICE,
      status: 'completed',
      source: call.direction === 'inbound' ? 'DialVerb' : 'OutboundAPI',
    });
  });
}

function pastMessage(source: Source, time: number, index: number): Message {
  const inbound = index % 4 === 3;
  const body = oneOf(source, inbound ? REPLIES : TEXTS);
  const failed = index % 9 === 5;
  const other = CALLERS[index % 3] ?? '';
  const sent = dateText(new Date(time + SECOND));
  const { from, to } = inbound ? incoming(main, other) : outgoing(main, other);
  return messageRecord(source.account, new Date(time), {
    ...{ sid: sid(source, 'SM'), from, to, body },
    num_segments: String(segmentCount(body)),
    direction: inbound ? 'inbound' : 'outbound-api',
    date_updated: dateText(new Date(time + 3 * SECOND)),
    date_sent: sent,
    price: amount(segmentCount(body) * 0.0079),
    status: inbound ? 'received' : failed ? 'undelivered' : 'delivered',
    error_code: failed && !inbound ? 30003 : null,
  });
}

type Line = { number: string; sid: string };

function incoming(own: Line, other: string) {
  const direction = 'inbound' as const;
  return { from: other, to: own.number, phone_number_sid: own.sid, direction };
}

function outgoing(own: Line, other: string) {
  const direction = 'outbound-api' as const;
  return { from: own.number, to: other, phone_number_sid: own.sid, direction };
}

/** The times and the price of an ended call. */
function ended(start: number, seconds: number, direction: Call['direction']) {
  const end = dateText(new Date(start + seconds * SECOND));
  const price = seconds > 0 ? amount(Math.ceil(seconds / 60) * PRICE_A_MINUTE[direction]) : null;
  const start_time = dateText(new Date(start));
  return { start_time, end_time: end, date_updated: end, duration: String(seconds), price };
}

function amount(cost: number): string {
  return (-cost).toFixed(5);
}

function someone(source: Source): string {
  return CALLERS[Math.floor(source.random() ** 1.7 * CALLERS.length)] ?? '';
}

function oneOf({ random }: Source, list: readonly string[]): string {
  return list[Math.floor(random() * list.length)] ?? '';
}

function sid({ random }: Source, prefix: string): string {
  const digit = () => Math.floor(random() * 16).toString(16);
  return prefix + Array.from({ length: 32 }, digit).join('');
}

function newestFirst<T extends { date_created: string }>(records: T[]): T[] {
  return records.sort((a, b) => Date.parse(b.date_created) - Date.parse(a.date_created));
}
