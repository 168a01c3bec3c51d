import { dateText, recordingRecord } from '../../demo/sandbox/records.ts';
import type { Sandbox } from '../support/open-sandbox.ts';
import { newest, randomCalls } from './process/oracle/random-records.ts';

const minute = 60_000;

/** Fills a sandbox with 10,000 calls in seventy days, most of which started, and with recordings of a third of the newest 9,000. */
export function fillWithLongLists({ username: sid, url: origin, ...sandbox }: Sandbox) {
  const account = { sid, root: `/2010-04-01/Accounts/${sid}`, origin };
  const calls = randomCalls(account, 10_000, 1).map((call, index) => {
    const time = dateText(new Date(newest - index * 10 * minute));
    return { ...call, date_created: time, start_time: call.start_time && time };
  });
  const recordings = Array.from({ length: 3000 }, (_, index) =>
    recordingRecord(account, new Date(newest - index * 30 * minute), {
      sid: `RE${String(index).padStart(32, '0')}`,
      ...{ call_sid: calls[index * 3]?.sid ?? '', status: 'completed', source: 'DialVerb' },
    }),
  );
  sandbox.calls.splice(0, Number.POSITIVE_INFINITY, ...calls);
  sandbox.recordings.splice(0, Number.POSITIVE_INFINITY, ...recordings);
}
