import { ACCOUNT_NUMBERS } from './account.ts';
import { type Answer, deleted, failure, json } from './answers.ts';
import { deliver, isOnItsWay, leaveAt } from './delivery.ts';
import type { ErrorCode } from './errors.ts';
import { endsOf, followMessage } from './happenings.ts';
import { pageOf } from './paging.ts';
import { newSid } from './random.ts';
import { dateText, messageRecord } from './records.ts';
import { segmentCount } from './segments.ts';
import type { Request, State } from './state.ts';
import { textOf } from './templates.ts';
import { timesOf } from './times.ts';

const LONGEST_BODY = 1600;

/** How far ahead a message can be scheduled, in milliseconds: 15 minutes to 35 days. */
const SOONEST = 15 * 60_000;
const LATEST = 35 * 86_400_000;

const E164 = /^\+[1-9]\d{6,14}$/;
const SHORT_CODE = /^\d{3,8}$/;
const CHANNEL_ADDRESS = /^[a-z]+:\S+$/;
const ALPHANUMERIC_SENDER = /^(?=.*[A-Za-z])[\w &+-]{1,11}$/;

/** Magic numbers of the service's test credentials. */
const MAGIC_FROM: Record<string, ErrorCode> = {
  '+15005550001': 21212,
  '+15005550007': 21606,
  '+15005550008': 21611,
  'whatsapp:+15005550007': 63007,
};
const MAGIC_TO: Record<string, ErrorCode> = {
  '+15005550001': 21211,
  '+15005550002': 21612,
  '+15005550003': 21408,
  '+15005550004': 21610,
  '+15005550009': 21614,
};

/** The channel of an address; empty for SMS. */
const channelOf = (address: string) => /^(whatsapp|messenger|rcs):/.exec(address)?.[1] ?? '';

interface Draft {
  From: string;
  MessagingServiceSid: string;
  To: string;
  Body: string;
  MediaUrl: string;
  SendAt: string;
  ScheduleType: string;
  ContentSid: string;
}

/**
 * `POST /Messages.json`: queues a message. It reads fields from a form only, so any other body lacks them (21604). `StatusCallback`
 * gets the statuses. `ContentSid` and `ContentVariables` replace the body by a template's. The sandbox does not check whether `From` belongs to the account.
 */
export function sendMessage(state: State, { form }: Request): Answer {
  const field = (name: string) => form.get(name) ?? '';
  const template = form.has('ContentSid')
    ? textOf(field('ContentSid'), field('ContentVariables'))
    : undefined;
  const draft: Draft = {
    ...{ From: field('From'), MessagingServiceSid: field('MessagingServiceSid'), To: field('To') },
    Body: template && 'body' in template ? template.body : field('Body'),
    ...{ MediaUrl: field('MediaUrl'), ContentSid: field('ContentSid') },
    ...{ SendAt: field('SendAt'), ScheduleType: field('ScheduleType') },
  };
  const isLater = draft.ScheduleType === 'fixed' && draft.MessagingServiceSid !== '';
  const from = draft.From || ACCOUNT_NUMBERS.main.number;
  const wrong = template && 'code' in template ? template.code : undefined;
  const optedOut = state.optOuts.has(endsOf(from, draft.To)) ? 21610 : undefined;
  const code =
    objection(draft) ?? wrong ?? optedOut ?? (isLater ? noTime(draft, state.now()) : undefined);
  if (code) return failure(code, { ...draft });
  const message = messageRecord(state.account, state.now(), {
    sid: newSid('SM'),
    from,
    to: draft.To,
    body: draft.Body,
    num_segments: String(segmentCount(draft.Body)),
    num_media: String(form.getAll('MediaUrl').filter((url) => url !== '').length),
    messaging_service_sid: draft.MessagingServiceSid || null,
    status: isLater ? 'scheduled' : 'queued',
    direction: 'outbound-api',
  });
  if (isLater) leaveAt(message, new Date(draft.SendAt));
  state.messages.unshift(message);
  followMessage(state, message, form.get('StatusCallback'));
  return { ...json(201, message), stored: message.sid };
}

/** `GET /Messages/{MessageSid}.json`: one message with its current status, or 20404. */
export function viewMessage(state: State, { sid, path }: Request): Answer {
  deliver(state);
  const message = state.messages.find((one) => one.sid === sid);
  return message ? json(200, message) : failure(20404, { path });
}

/**
 * `POST /Messages/{MessageSid}.json`: cancels a scheduled message with `Status=canceled`, or deletes the text with an empty `Body`. 30409
 * for a message that is not scheduled, 20009 for one on its way.
 */
export function updateMessage(state: State, { sid, path, form }: Request): Answer {
  deliver(state);
  const message = state.messages.find((one) => one.sid === sid);
  if (!message) return failure(20404, { path });
  if (form.get('Status') === 'canceled') {
    if (message.status !== 'scheduled') return failure(30409);
    message.status = 'canceled';
    message.date_updated = dateText(state.now());
  }
  if (form.get('Body') === '') {
    if (isOnItsWay(message)) return failure(20009);
    message.body = '';
    message.date_updated = dateText(state.now());
  }
  state.save();
  return json(200, message);
}

/** `DELETE /Messages/{MessageSid}.json`: 20404 for an unknown message, 20009 for one on its way. */
export function deleteMessage(state: State, { sid, path }: Request): Answer {
  deliver(state);
  const place = state.messages.findIndex((one) => one.sid === sid);
  const message = state.messages[place];
  if (!message) return failure(20404, { path });
  if (isOnItsWay(message)) return failure(20009);
  state.messages.splice(place, 1);
  state.save();
  return deleted();
}

/**
 * `GET /Messages.json`: messages by exact `From` and `To`, and by `DateSent`, each optional. `DateSent` excludes unsent messages.
 */
export function listMessages(state: State, { query }: Request): Answer {
  deliver(state);
  const sent = timesOf(query, 'DateSent');
  const [from, to] = [query.get('From'), query.get('To')];
  const messages = state.messages.filter(
    (message) =>
      (!from || message.from === from) && (!to || message.to === to) && sent(message.date_sent),
  );
  return pageOf(`${state.account.root}/Messages.json`, 'messages', messages, query);
}

function objection({
  From,
  MessagingServiceSid,
  To,
  Body,
  MediaUrl,
  ContentSid,
}: Draft): ErrorCode | undefined {
  if (!To) return 21604;
  if (!From && !MessagingServiceSid) return 21603;
  if (!Body && !MediaUrl && !ContentSid) return 21602;
  if (![E164, SHORT_CODE, CHANNEL_ADDRESS].some((form) => form.test(To))) return 21211;
  if (
    From &&
    ![E164, SHORT_CODE, CHANNEL_ADDRESS, ALPHANUMERIC_SENDER].some((form) => form.test(From))
  ) {
    return 21212;
  }
  const magic = MAGIC_FROM[From] ?? MAGIC_TO[To];
  if (magic) return magic;
  if (From && channelOf(From) !== channelOf(To)) return 21910;
  if (To === From) return 21266;
  return Body.length > LONGEST_BODY ? 21617 : undefined;
}

/** The error of the time of a scheduled message, if there is one. */
function noTime({ SendAt }: Draft, now: Date): ErrorCode | undefined {
  const ahead = Date.parse(SendAt) - now.getTime();
  return ahead >= SOONEST && ahead <= LATEST ? undefined : 35114;
}
