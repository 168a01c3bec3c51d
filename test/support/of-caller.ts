import type { Call, Message, Recording, Sandbox } from '../../demo/sandbox/index.ts';
import { sidsOf } from './sids-of.ts';

/** A number with many calls, which have recordings. */
export const caller = '+12025550143';

/** The calls from a number, newest first. */
export const callsFrom = ({ calls }: Sandbox, number: string): Call[] =>
  calls.filter(({ from }) => from === number);

/** The recordings of the calls from a number, newest first. */
export function recordingsFrom(sandbox: Sandbox, number: string): Recording[] {
  const sids = sidsOf(callsFrom(sandbox, number));
  return sandbox.recordings.filter(({ call_sid }) => sids.includes(call_sid));
}

/** The messages to and from a number. */
export const messagesWith = ({ messages }: Sandbox, number: string): Message[] =>
  messages.filter(({ from, to }) => from === number || to === number);
