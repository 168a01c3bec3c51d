import { hangUp, isLive, progress } from './call-progress.ts';
import { gather, hear, speakingTime } from './caller.ts';
import { callForwarded, messageRecorded } from './event-parameters.ts';
import { type Instruction, instructionsIn } from './instructions.ts';
import { newSid } from './random.ts';
import { type Call, callRecord, dateText, recordingRecord } from './records.ts';
import type { State } from './state.ts';

const SECOND = 1000;
/** How long it rings until someone answers. */
export const RINGS = 2 * SECOND;
const USUAL_TIMEOUT = 30;
const LONGEST_RECORDING = 3600;

/** The behaviour of the people in a call. */
export interface Talk {
  /** How long they talk, in seconds. */
  seconds: number;
  /** Whether the number that the call is forwarded to answers. */
  forwarded: 'completed' | 'no-answer' | 'busy';
}

/** A call that follows instructions. */
interface Following extends Talk {
  state: State;
  call: Call;
  /** The URL of the instructions. */
  url: string;
}

type Next = () => void;

function answer({ state, call }: Following): void {
  if (call.status !== 'ringing') return;
  const start_time = dateText(state.clock.now());
  progress(state, call, 'answered', { status: 'in-progress', start_time });
}

function say(following: Following, { text }: Instruction, next: Next): void {
  answer(following);
  hear(following.call, text);
  following.state.clock.after(speakingTime(text), next);
}

function ask(following: Following, instruction: Instruction, next: Next): void {
  answer(following);
  const { state, call, url } = following;
  const reply = (action: string, response: string) =>
    followInstructions({ ...following, url: action }, instructionsIn(response));
  gather(state, call, instruction, { url, reply, next });
}

function dial(following: Following, { text: to, attributes }: Instruction, next: Next): void {
  const { state, call, seconds, forwarded } = following;
  const {
    callerId: from = call.from,
    timeout = USUAL_TIMEOUT,
    answerOnBridge,
    action,
  } = attributes;
  if (answerOnBridge !== 'true') answer(following);
  const leg = callRecord(state.account, state.clock.now(), {
    ...{ sid: newSid('CA'), from, to, status: 'ringing', direction: 'outbound-dial' },
    parent_call_sid: call.sid,
  });
  state.calls.unshift(leg);
  const end = (status: Call['status']) => {
    hangUp(state, leg, status);
    if (!action || !isLive(call)) return next();
    let isFollowed = false;
    state.events.report(action, callForwarded(call, leg), (response) => {
      // The webhook can be sent twice; the call follows the first response.
      if (isFollowed) return;
      isFollowed = true;
      followInstructions({ ...following, url: action }, instructionsIn(response), true);
    });
  };
  if (forwarded !== 'completed') {
    const rings = forwarded === 'busy' ? RINGS : Number(timeout) * SECOND;
    state.clock.after(rings, () => end(forwarded));
    return;
  }
  state.clock.after(RINGS, () => {
    if (!isLive(call)) return hangUp(state, leg, 'canceled');
    answer(following);
    const start_time = dateText(state.clock.now());
    progress(state, leg, 'answered', { status: 'in-progress', start_time });
    state.clock.after(seconds * SECOND, () => end('completed'));
  });
}

function record(following: Following, { attributes }: Instruction): void {
  answer(following);
  const { state, call, seconds, url } = following;
  const { maxLength = LONGEST_RECORDING, recordingStatusCallback, action = url } = attributes;
  const recording = recordingRecord(state.account, state.clock.now(), {
    ...{ sid: newSid('RE'), call_sid: call.sid, status: 'in-progress', source: 'RecordVerb' },
  });
  state.recordings.unshift(recording);
  if (recordingStatusCallback) state.callbacks.set(recording.sid, recordingStatusCallback);
  state.clock.after(Math.min(seconds, Number(maxLength)) * SECOND, () => {
    if (!isLive(call)) return;
    hangUp(state, call, 'completed');
    state.events.report(action, messageRecorded(call, recording));
  });
}

const VERBS: Record<string, (following: Following, one: Instruction, next: Next) => void> = {
  Say: say,
  Gather: ask,
  Dial: dial,
  Record: record,
};

/**
 * Runs an app's instructions in a call, one after the other, and ends it. Skips unknown instructions.
 *
 * @param isForwarded whether the call was forwarded before, so that it may not have been answered
 */
export function followInstructions(
  following: Following,
  instructions: Instruction[],
  isForwarded = false,
): void {
  const { state, call } = following;
  if (!isLive(call)) return;
  const [first, ...rest] = instructions.filter(({ verb }) => verb in VERBS);
  if (first) {
    const isDial = isForwarded || first.verb === 'Dial';
    VERBS[first.verb]?.(following, first, () => followInstructions(following, rest, isDial));
    return;
  }
  if (!isForwarded) answer(following);
  hangUp(state, call, call.status === 'ringing' ? 'no-answer' : 'completed');
}
