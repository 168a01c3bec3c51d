import { dateText, type Message } from './records.ts';
import type { State } from './state.ts';

const SECOND = 1000;
/** The time from a message's creation until it is sent, and until its final status. */
const LEAVES_AFTER = 1 * SECOND;
const ENDS_AFTER = 3 * SECOND;

/** The times at which a message's status changes. */
export const DELIVERY_TIMES = [LEAVES_AFTER, ENDS_AFTER] as const;

const PRICE_A_SEGMENT = 0.0079;

/**
 * Recipients that no message reaches, with its final status and error code: `+1500555` and that code, for SMS or, after
 * `whatsapp:`, for WhatsApp. The service itself has no such numbers: it rejects messages to its test numbers at once.
 */
const UNREACHABLE: Record<string, { status: 'undelivered' | 'failed'; error_code: number }> = {
  '+15005553001': { status: 'failed', error_code: 30001 },
  '+15005553003': { status: 'undelivered', error_code: 30003 },
  '+15005553004': { status: 'undelivered', error_code: 30004 },
  '+15005553005': { status: 'undelivered', error_code: 30005 },
  '+15005553006': { status: 'undelivered', error_code: 30006 },
  '+15005553007': { status: 'undelivered', error_code: 30007 },
  '+15005553008': { status: 'undelivered', error_code: 30008 },
  '+15005553034': { status: 'undelivered', error_code: 30034 },
  'whatsapp:+15005553003': { status: 'undelivered', error_code: 63003 },
  'whatsapp:+15005553015': { status: 'failed', error_code: 63015 },
  'whatsapp:+15005553016': { status: 'undelivered', error_code: 63016 },
  'whatsapp:+15005553018': { status: 'failed', error_code: 63018 },
  'whatsapp:+15005553024': { status: 'failed', error_code: 63024 },
  'whatsapp:+15005553049': { status: 'undelivered', error_code: 63049 },
};

const leaving = new WeakMap<Message, number>();

/** Keeps a message scheduled until its time. */
export function leaveAt(message: Message, time: Date): void {
  leaving.set(message, time.getTime());
}

/** Whether a message has no final status yet. */
export const isOnItsWay = ({ status }: Message): boolean =>
  status === 'scheduled' || status === 'queued' || status === 'sent';

/** Updates the status of messages by the sandbox's clock. */
export function deliver({ messages, now }: State): void {
  const time = now().getTime();
  for (const message of messages) if (isOnItsWay(message)) advance(message, time);
}

function advance(message: Message, time: number): void {
  const created = leaving.get(message) ?? Date.parse(message.date_created);
  if (time < created) return;
  const left = dateText(new Date(created + LEAVES_AFTER));
  const end = UNREACHABLE[message.to] ?? { status: 'delivered' as const, error_code: null };
  const price = (-PRICE_A_SEGMENT * Number(message.num_segments)).toFixed(5);
  if (time >= created + LEAVES_AFTER && end.status !== 'failed')
    Object.assign(message, { status: 'sent', date_sent: left, date_updated: left, price });
  if (time >= created + ENDS_AFTER)
    Object.assign(message, { ...end, date_updated: dateText(new Date(created + ENDS_AFTER)) });
}
