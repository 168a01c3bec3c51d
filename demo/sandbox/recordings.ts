import { type Answer, deleted, failure, json } from './answers.ts';
import { followRecording, stopRecording } from './call-progress.ts';
import { pageOf } from './paging.ts';
import { newSid } from './random.ts';
import { recordingRecord } from './records.ts';
import type { Request, State } from './state.ts';
import { timesOf } from './times.ts';

const NOT_RECORDABLE = { reason: 'Requested resource is not eligible for recording' };

/**
 * `POST /Calls/{CallSid}/Recordings.json`: starts a recording, or returns the one in progress.
 * `RecordingStatusCallback` is called when it is complete. 20404 for an unknown call, 21220 for one that is not in progress.
 */
export function startRecording(state: State, { sid, path, form }: Request): Answer {
  const call = state.calls.find((one) => one.sid === sid);
  if (!call) return failure(20404, { path });
  if (call.status !== 'in-progress') return failure(21220, NOT_RECORDABLE);
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
 * `POST /Calls/{CallSid}/Recordings/{Sid}.json`: stops a recording with `Status=stopped`. 20404 for an unknown recording, 21220
 * for one that is not in progress.
 */
export function updateRecording(state: State, { sid, path, form }: Request): Answer {
  const recording = state.recordings.find(
    (one) => one.call_sid === sid && path.endsWith(`/${one.sid}.json`),
  );
  if (!recording) return failure(20404, { path });
  if (recording.status !== 'in-progress') return failure(21220, NOT_RECORDABLE);
  if (form.get('Status') === 'stopped') stopRecording(state, recording);
  return json(200, recording);
}

/** `DELETE /Recordings/{Sid}.json`: 20404 for an unknown recording, 20009 for one in progress. */
export function deleteRecording(state: State, { sid, path }: Request): Answer {
  const place = state.recordings.findIndex((one) => one.sid === sid);
  const recording = state.recordings[place];
  if (!recording) return failure(20404, { path });
  if (recording.status === 'in-progress') return failure(20009);
  state.recordings.splice(place, 1);
  state.save();
  return deleted();
}

/**
 * `GET /Recordings.json`: recordings by `CallSid` and by `DateCreated`. The original service ignores `From`; some
 * compatible services may filter by it.
 */
export function listRecordings(state: State, { query }: Request): Answer {
  const callSid = query.get('CallSid');
  const created = timesOf(query, 'DateCreated');
  const from = state.settings.ignoreRecordingsFrom ? null : query.get('From');
  const made = new Set(state.calls.filter((call) => call.from === from).map((call) => call.sid));
  const recordings = state.recordings.filter(
    ({ call_sid, date_created }) =>
      (!callSid || call_sid === callSid) && created(date_created) && (!from || made.has(call_sid)),
  );
  return pageOf(`${state.account.root}/Recordings.json`, 'recordings', recordings, query);
}
