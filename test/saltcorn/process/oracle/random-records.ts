import * as fc from 'fast-check';
import {
  type Call,
  callRecord,
  dateText,
  recordingRecord,
} from '../../../../demo/sandbox/records.ts';

/** Few values, so that a random filter often matches some rows only. */
export const statuses = ['queued', 'in-progress', 'completed', 'busy', 'no-answer'] as const;
export const directions = ['inbound', 'outbound-api', 'outbound-dial'] as const;
export const numbers = [
  '+12025550143',
  '+12025550144',
  '+14155550100',
  '+13125550188',
  'anonymous',
];
export const names = ['ada', 'grace', 'ada lovelace', 'linus'];
export const durations = [0, 1, 9, 30, 60, 61, 600];
export const prices = [-0.5, -0.0085, 0, 0.25, 1];
const day = 86_400_000;
export const newest = Date.parse('2026-11-20T12:00:00Z');
const midnight = Date.parse('2026-11-17T00:00:00Z');
export const moments = [
  ...[0, 1, 3, 40, 200].map((days) => newest - days * day),
  ...[midnight, midnight - 1000, midnight + day],
];

const some = <T>(values: readonly T[]) => fc.constantFrom(...values);
const perhaps = <T>(values: readonly T[]) => fc.option(some(values), { freq: 3 });

const facts = fc.record({
  status: some(statuses),
  direction: some(directions),
  from: some(numbers),
  to: some(numbers),
  duration: perhaps(durations),
  queueTime: some(durations),
  price: perhaps(prices),
  startTime: perhaps(moments),
  endTime: perhaps(moments),
  callerName: perhaps(names),
  answeredBy: perhaps(['human', 'machine']),
  forwardedFrom: perhaps(numbers),
  parent: perhaps([0, 1, 2, 3]),
});

const text = (value: number | null) => (value === null ? null : String(value));
const date = (value: number | null) => (value === null ? null : dateText(new Date(value)));

/** The service's records of calls, newest first. */
export function randomCalls(
  account: Parameters<typeof callRecord>[0],
  count: number,
  seed: number,
) {
  const sid = (index: number) => `CA${String(index).padStart(32, '0')}`;
  return fc.sample(facts, { numRuns: count, seed }).map((one, index) => ({
    ...callRecord(account, new Date(newest - index * 1000), {
      ...{ sid: sid(index), from: one.from, to: one.to, status: one.status },
      direction: one.direction,
    }),
    ...{ duration: text(one.duration), queue_time: String(one.queueTime), price: text(one.price) },
    ...{ start_time: date(one.startTime), end_time: date(one.endTime) },
    ...{ caller_name: one.callerName, answered_by: one.answeredBy },
    ...{ forwarded_from: one.forwardedFrom },
    parent_call_sid: one.parent === null ? null : sid(one.parent),
  })) as Call[];
}

const gone = `CA${'f'.repeat(32)}`;

/** Recordings of some of the calls, and of a deleted one. */
export function randomRecordings(
  account: Parameters<typeof recordingRecord>[0],
  calls: Call[],
  count: number,
  seed: number,
) {
  const arbitrary = fc.record({
    call: fc.oneof({ weight: 9, arbitrary: fc.nat(15) }, fc.constant(-1)),
    status: fc.constantFrom('in-progress' as const, 'completed' as const),
    duration: some(durations),
  });
  return fc.sample(arbitrary, { numRuns: count, seed }).map(({ call, status, duration }, index) =>
    recordingRecord(account, new Date(newest - (index * day) / 4), {
      sid: `RE${String(index).padStart(32, '0')}`,
      ...{ call_sid: calls[call]?.sid ?? gone, status, source: 'DialVerb' },
      duration: String(duration),
    }),
  );
}
