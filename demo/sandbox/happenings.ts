import { hangUp, isLive, progress, type Watch, watchCall } from './call-progress.ts';
import { speakingTime } from './caller.ts';
import { DELIVERY_TIMES, deliver } from './delivery.ts';
import {
  callReceived,
  callStatus,
  messageReceived,
  messageStatus,
  optOutType,
} from './event-parameters.ts';
import { followInstructions, RINGS, type Talk } from './follow-instructions.ts';
import { instructionsIn } from './instructions.ts';
import { newSid } from './random.ts';
import { type Call, callRecord, dateText, type Message, messageRecord } from './records.ts';
import { segmentCount } from './segments.ts';
import type { State } from './state.ts';

const SECOND = 1000;

/** A message to a number of the account. */
export interface IncomingMessage {
  from: string;
  to: string;
  body: string;
  /** How many pictures it has; none by default. */
  pictures?: number;
}

/** A call to a number of the account, and its final status. */
export interface IncomingCall extends Partial<Talk> {
  from: string;
  to: string;
  /** Its final status; `completed` by default. */
  end?: 'completed' | 'no-answer' | 'busy';
}

const now = ({ clock }: State) => dateText(clock.now());

function newMessage(state: State, incoming: IncomingMessage, isReply: boolean): Message {
  const { from, to, body, pictures = 0 } = incoming;
  const message = messageRecord(state.account, state.clock.now(), {
    num_media: String(pictures),
    ...{ sid: newSid('SM'), from, to, body, num_segments: String(segmentCount(body)) },
    ...(isReply
      ? { status: 'queued', direction: 'outbound-reply' }
      : { status: 'received', direction: 'inbound', date_sent: now(state) }),
  });
  state.messages.unshift(message);
  state.save();
  return message;
}

/** Identifies a sender and a recipient. */
export const endsOf = (from: string, to: string): string => `${from} ${to}`;

/** Receives a message, and sends the app's reply. */
export function receiveMessage(state: State, incoming: IncomingMessage): Message {
  const message = newMessage(state, incoming, false);
  const wish = optOutType(message);
  if (wish === 'STOP') state.optOuts.add(endsOf(message.to, message.from));
  if (wish === 'START') state.optOuts.delete(endsOf(message.to, message.from));
  const { smsUrl, smsApplicationSid } = state.events.numbers.get(incoming.to) ?? {};
  state.events.report(
    smsApplicationSid ? undefined : smsUrl,
    messageReceived(message, state.account.origin),
    (answer) => {
      for (const { verb, text: body } of instructionsIn(answer))
        if (verb === 'Message')
          newMessage(state, { from: incoming.to, to: incoming.from, body }, true);
    },
  );
  return message;
}

/** Reports the status of a sent message. */
export function followMessage(state: State, message: Message, url: string | null): void {
  let { status } = message;
  const look = () => {
    deliver(state);
    if (message.status === status) return;
    status = message.status;
    state.events.report(url, messageStatus(message));
  };
  if (url) for (const time of DELIVERY_TIMES) state.clock.after(time, look);
}

/**
 * Receives a call: it rings for two seconds, is answered or not, and ends. If its number has a webhook URL for calls, the app's
 * response contains the instructions for the answered call.
 */
export function receiveCall(state: State, incoming: IncomingCall): Call {
  const { from, to, end = 'completed', seconds = 10, forwarded = 'completed' } = incoming;
  const call = callRecord(state.account, state.clock.now(), {
    ...{ sid: newSid('CA'), from, to, status: 'ringing', direction: 'inbound' },
  });
  state.calls.unshift(call);
  watchCall(call, () => {
    const { statusCallback, statusCallbackEvents } = state.events.numbers.get(to) ?? {};
    return { url: statusCallback, events: statusCallbackEvents };
  });
  progress(state, call, 'ringing', {});
  const { voiceUrl } = state.events.numbers.get(to) ?? {};
  if (voiceUrl) {
    let isAnswered = false;
    state.events.report(voiceUrl, callReceived(call), (answer) => {
      // The webhook can be sent twice; the call follows the first response.
      if (isAnswered || end !== 'completed') return;
      isAnswered = true;
      const following = { state, call, url: voiceUrl, seconds, forwarded };
      state.clock.after(RINGS, () => followInstructions(following, instructionsIn(answer)));
    });
    if (end === 'completed') return call;
  }
  state.clock.after(RINGS, () => {
    if (!isLive(call)) return;
    if (end !== 'completed') return hangUp(state, call, end);
    progress(state, call, 'answered', { status: 'in-progress', start_time: now(state) });
    state.clock.after(seconds * SECOND, () => hangUp(state, call, 'completed'));
  });
  return call;
}

/** A call from a number of the account. */
export interface OutgoingCall {
  from: string;
  to: string;
  /** The TwiML; empty if the instructions are at a URL. */
  twiml: string;
  url: string;
  report: Watch;
}

/** The length of a call with instructions at a URL. */
const FOLLOWS = 10 * SECOND;

/** Places a call: it rings for two seconds, is answered, says its text and ends. */
export function placeCall(state: State, { from, to, twiml, url, report }: OutgoingCall): Call {
  const call = callRecord(state.account, state.clock.now(), {
    ...{ sid: newSid('CA'), from, to, status: 'queued', direction: 'outbound-api' },
  });
  state.calls.unshift(call);
  watchCall(call, () => report);
  const steps: [after: number, step: () => void][] = [
    [SECOND, () => progress(state, call, 'ringing', { status: 'ringing' })],
    [
      SECOND + RINGS,
      () => {
        progress(state, call, 'answered', { status: 'in-progress', start_time: now(state) });
        const length = twiml ? speakingTime(twiml.replace(/<[^>]*>/g, '')) : FOLLOWS;
        if (!twiml) state.events.report(url, callStatus(call, 0, state.clock.now()));
        state.clock.after(length, () => hangUp(state, call, 'completed'));
      },
    ],
  ];
  for (const [after, step] of steps) state.clock.after(after, () => isLive(call) && step());
  return call;
}
