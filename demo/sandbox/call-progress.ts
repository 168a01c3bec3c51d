import { callStatus, recordingStatus } from './event-parameters.ts';
import type { CallEvent } from './events.ts';
import { type Call, dateText, type Recording } from './records.ts';
import type { State } from './state.ts';

const SECOND = 1000;
/** How long somebody is recorded whose call does not end. */
const RECORDS = 5 * SECOND;
/** How long after it was stopped a recording can be played. */
const PROCESSES = 1 * SECOND;

/** Where a call's progress is reported, and which of it. */
export interface Watch {
  url?: string | null | undefined;
  events?: readonly CallEvent[] | undefined;
}

interface Watched {
  /** Asked each time: a number can report elsewhere by then. */
  watch(): Watch | undefined;
  reports: number;
}

const watched = new WeakMap<Call, Watched>();

/** Reports a call from now on. */
export function watchCall(call: Call, watch: Watched['watch']): void {
  watched.set(call, { watch, reports: 0 });
}

/** Whether a call has not ended. */
export const isLive = ({ status }: Call): boolean =>
  ['queued', 'ringing', 'in-progress'].includes(status);

/** Lets a call come further, and reports it to who wants to know. */
export function progress(state: State, call: Call, event: CallEvent, change: Partial<Call>): void {
  Object.assign(call, { ...change, date_updated: dateText(state.clock.now()) });
  state.save();
  const known = watched.get(call);
  const { url, events = ['completed'] } = known?.watch() ?? {};
  if (!known || !events.includes(event)) return;
  state.events.report(url, callStatus(call, known.reports++, state.clock.now()));
}

/** Ends a call that has not ended, and its recordings. */
export function hangUp(state: State, call: Call, status: Call['status']): void {
  if (!isLive(call)) return;
  const now = state.clock.now();
  const seconds = call.start_time ? (now.getTime() - Date.parse(call.start_time)) / SECOND : 0;
  const duration = String(Math.floor(seconds));
  progress(state, call, 'completed', { status, end_time: dateText(now), duration });
  for (const recording of state.recordings)
    if (recording.call_sid === call.sid) endRecording(state, recording);
}

/** Ends a recording, and reports it to its webhook URL. */
function endRecording(state: State, recording: Recording): void {
  if (recording.status === 'in-progress') stopRecording(state, recording);
  if (recording.status !== 'stopped') return;
  const date_updated = dateText(state.clock.now());
  Object.assign(recording, { status: 'completed', date_updated });
  state.save();
  state.events.report(state.callbacks.get(recording.sid), recordingStatus(recording));
}

/** Reports when a recording can be played: its call has ended, or it was long enough. */
export function followRecording(state: State, recording: Recording, url: string | null): void {
  if (!url) return;
  state.callbacks.set(recording.sid, url);
  state.clock.after(RECORDS, () => endRecording(state, recording));
}

/** Stops a recording in progress; it can be played soon. */
export function stopRecording(state: State, recording: Recording): void {
  const now = state.clock.now();
  const seconds = Math.round((now.getTime() - Date.parse(recording.start_time)) / SECOND);
  const date_updated = dateText(now);
  Object.assign(recording, { status: 'stopped', duration: String(seconds), date_updated });
  state.save();
  state.clock.after(PROCESSES, () => endRecording(state, recording));
}
