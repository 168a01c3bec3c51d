import { type Answer, failure, json } from './answers.ts';
import { followRecording } from './happenings.ts';
import { pageOf } from './paging.ts';
import { newSid } from './random.ts';
import { recordingRecord } from './records.ts';
import type { Request, State } from './state.ts';
import { timesOf } from './times.ts';

/**
 * `POST /Calls/{CallSid}/Recordings.json`: starts a recording, or answers the one already running.
 * `RecordingStatusCallback` is called when it is complete. 20404 for an unknown call, 21220 for one that is not in progress.
 */
export function startRecording(state: State, { sid, path, form }: Request): Answer {
  const call = state.calls.find((one) => one.sid === sid);
  if (!call) return failure(20404, { path });
  if (call.status !== 'in-progress') return failure(21220);
  const running = state.recordings.find(
    (one) => one.call_sid === call.sid && one.status === 'in-progress',
  );
  if (running) return json(201, running);
  const recording = recordingRecord(state.account, state.now(), {
    sid: newSid('RE'),
    call_sid: call.sid,
    status: 'in-progress',
    source: 'StartCallRecordingAPI',
  });
  state.recordings.unshift(recording);
  followRecording(state, recording, form.get('RecordingStatusCallback'));
  return { ...json(201, recording), stored: recording.sid };
}

/**
 * `GET /Recordings.json`: recordings by `CallSid` and by `DateCreated`. `From` is no parameter of the original service,
 * which ignores what it does not know; some compatible services may filter by it.
 */
export function listRecordings(state: State, { query }: Request): Answer {
  const callSid = query.get('CallSid');
  const created = timesOf(query, 'DateCreated');
  const from = state.settings.ignoreRecordingsFrom ? null : query.get('From');
  const recordings = state.recordings.filter(
    ({ call_sid, date_created }) =>
      (!callSid || call_sid === callSid) &&
      created(date_created) &&
      (!from || state.calls.some((call) => call.sid === call_sid && call.from === from)),
  );
  return pageOf(`${state.account.root}/Recordings.json`, 'recordings', recordings, query);
}
