import { type Answer, failure } from './answers.ts';
import { pageOf } from './paging.ts';
import { dateText, type Recording } from './records.ts';
import type { Request, State } from './state.ts';

const TEXT = 'Hello, please call me back tomorrow morning. Thank you.';
const PRICE = '-0.05000';

/** The service's record of a transcription. */
const transcriptionRecord = (
  { account: { sid: account_sid, root } }: State,
  recording: Recording,
) => {
  const sid = `TR${recording.sid.slice(2)}`;
  const ended = new Date(Date.parse(recording.date_created) + 1000 * Number(recording.duration));
  return {
    sid,
    account_sid,
    api_version: '2010-04-01',
    date_created: dateText(ended),
    date_updated: dateText(ended),
    duration: recording.duration,
    price: PRICE,
    price_unit: 'USD',
    recording_sid: recording.sid,
    status: 'completed',
    transcription_text: TEXT,
    type: 'fast',
    uri: `${root}/Transcriptions/${sid}.json`,
  };
};

/** `GET /Recordings/{RecordingSid}/Transcriptions.json`: one for each complete recording, or 20404 for an unknown one. */
export function listTranscriptions(state: State, { sid, path, query }: Request): Answer {
  const recording = state.recordings.find((one) => one.sid === sid);
  if (!recording) return failure(20404, { path });
  const records = recording.status === 'completed' ? [transcriptionRecord(state, recording)] : [];
  return pageOf(path, 'transcriptions', records, query);
}
