import { isLive } from './call-progress.ts';
import { callerAnswered } from './event-parameters.ts';
import type { Instruction } from './instructions.ts';
import type { Call } from './records.ts';
import type { State } from './state.ts';

const SECOND = 1000;
const CHARACTERS_PER_SECOND = 15;
const USUAL_TIMEOUT = 5;
const USUAL_END = '#';

/** How long it takes to speak a text. */
export const speakingTime = (text: string): number =>
  Math.ceil(text.length / CHARACTERS_PER_SECOND) * SECOND;

/** What a caller does: presses keys, or speaks. */
export interface CallerInput {
  digits?: string;
  speech?: string;
}

/** A caller, as the page shows them. */
interface Caller {
  /** What the caller has heard. */
  heard: string[];
  /** What the caller can do now: `dtmf`, `speech` or both. */
  asked: string[];
  /** Takes what the caller does. */
  take: (input: CallerInput) => void;
}

const callers = new WeakMap<Call, Caller>();

function callerIn(call: Call): Caller {
  const caller = callers.get(call) ?? { heard: [], asked: [], take: () => {} };
  callers.set(call, caller);
  return caller;
}

/** Speaks a text to the caller. */
export function hear(call: Call, text: string): void {
  callerIn(call).heard.push(text);
}

/** The status of a call, what its caller has heard, and what they are asked for. */
export function viewCaller(call: Call) {
  const { heard, asked } = callerIn(call);
  return { status: call.status, heard, asked: isLive(call) ? asked : [] };
}

/** Lets the caller press keys or speak. Throws if the caller isn't asked for it. */
export function answerAs(call: Call, input: CallerInput): void {
  const { take } = callerIn(call);
  const { asked } = viewCaller(call);
  const wanted = input.speech === undefined ? 'dtmf' : 'speech';
  if (!asked.includes(wanted)) throw new RangeError(`The caller is not asked for ${wanted}.`);
  take(input);
}

/**
 * Asks the caller: speaks the texts, and waits for keys or speech. A key interrupts the texts. Without an answer, the call goes on with the
 * next instruction, or the app gets an empty answer if the instruction says so.
 *
 * @param reply called with the app's response to the answer
 * @param next goes on with the next instruction
 */
export function gather(
  state: State,
  call: Call,
  { attributes, inner }: Instruction,
  { url, reply, next }: { url: string; reply(url: string, answer: string): void; next(): void },
): void {
  const { input = 'dtmf', timeout = USUAL_TIMEOUT, action = url } = attributes;
  const { numDigits = Number.POSITIVE_INFINITY, finishOnKey = USUAL_END } = attributes;
  const caller = callerIn(call);
  const texts = inner.filter(({ verb }) => verb === 'Say').map(({ text }) => text);
  let digits = '';
  let waits = 0;
  const end = (answer: { Digits?: string; SpeechResult?: string }) => {
    waits = -1;
    caller.asked = [];
    const isEmpty = !answer.Digits && !answer.SpeechResult;
    if (isEmpty && attributes.actionOnEmptyResult !== 'true') return next();
    let isAnswered = false;
    state.events.report(action, callerAnswered(call, answer), (response) => {
      // The webhook can be sent twice; the call follows the first response.
      if (isAnswered) return;
      isAnswered = true;
      reply(action, response);
    });
  };
  const wait = (milliseconds: number) => {
    waits += 1;
    const wait = waits;
    state.clock.after(milliseconds, () => {
      if (wait === waits && isLive(call)) end(input === 'speech' ? {} : { Digits: digits });
    });
  };
  caller.heard.push(...texts);
  caller.asked = input.split(' ');
  caller.take = ({ digits: pressed = '', speech }) => {
    if (speech !== undefined) return end({ SpeechResult: speech });
    for (const key of pressed) {
      if (key === finishOnKey && digits) return end({ Digits: digits });
      digits += key;
      if (digits.length >= Number(numDigits)) return end({ Digits: digits });
    }
    wait(Number(timeout) * SECOND);
  };
  wait(speakingTime(texts.join('')) + Number(timeout) * SECOND);
}
