import { callStatus, recordingStatus } from './event-parameters.ts';
import type { CallEvent } from './events.ts';
import { type Call, dateText, type Recording } from './records.ts';
import type { State } from './state.ts';

const SECOND = 1000;
/** How long a recording of an open-ended call takes: long enough for a person to stop it. */
const RECORDS = 60 * SECOND;
/** How long after its stop a recording is ready to play. */
const PROCESSES = 1 * SECOND;

/** The webhook URL of a call, and the statuses that it gets. */
export interface Watch {
  url?: string | null | undefined;
  events?: readonly CallEvent[] | undefined;
}

interface Watched {
  /** Evaluated for each status, because the URL of a number can change. */
  watch(): Watch | undefined;
  reports: number;
}

const watched = new WeakMap<Call, Watched>();

/** Reports a call's statuses from now on. */
export function watchCall(call: Call, watch: Watched['watch']): void {
  watched.set(call, { watch, reports: 0 });
}

/** Whether a call has not ended. */
export const isLive = ({ status }: Call): boolean =>
  ['queued', 'ringing', 'in-progress'].includes(status);

/** Changes the status of a call, and reports it to its webhook URLs. */
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
  const end_time = dateText(now);
  // As at the service, a call that rang has started, answered or not.
  const start_time = call.start_time ?? (call.status === 'queued' ? null : end_time);
  progress(state, call, 'completed', { status, start_time, end_time, duration });
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

/** Completes a recording when its call ends, or after its maximum length. */
export function followRecording(state: State, recording: Recording, url: string | null): void {
  if (!url) return;
  state.callbacks.set(recording.sid, url);
  state.clock.after(RECORDS, () => endRecording(state, recording));
}

/** Stops a recording in progress. It is soon ready to play. */
export function stopRecording(state: State, recording: Recording): void {
  const now = state.clock.now();
  const seconds = Math.round((now.getTime() - Date.parse(recording.start_time)) / SECOND);
  const date_updated = dateText(now);
  Object.assign(recording, { status: 'stopped', duration: String(seconds), date_updated });
  state.save();
  state.clock.after(PROCESSES, () => endRecording(state, recording));
}
