import { ACCOUNT_NUMBERS } from '../../demo/sandbox/index.ts';
import { NOW, sandboxFor } from './client.ts';

const MOMENTS = ['2026-03-11T15:00:00Z', '2026-03-15T03:00:00Z', '2028-02-29T23:59:59Z'];

test('the same seed and time produce the same records, another seed others', async () => {
  const [first, same, other] = await Promise.all([
    sandboxFor({ seed: 3 }),
    sandboxFor({ seed: 3 }),
    sandboxFor({ seed: 4 }),
  ]);
  expect([same.calls, same.messages]).toEqual([first.calls, first.messages]);
  expect(other.calls).not.toEqual(first.calls);
});

test.each(MOMENTS)('the records of the account are plausible at %s', async (moment) => {
  const now = new Date(moment);
  const { calls, recordings, messages } = await sandboxFor({ now });
  const count = (status: string) => calls.filter((one) => one.status === status).length;
  const bySid = new Map(calls.map((call) => [call.sid, call]));

  expect(calls.length).toBeGreaterThan(110);
  expect(['queued', 'ringing', 'in-progress'].map(count)).toEqual([1, 1, 2]);
  for (const status of ['completed', 'busy', 'failed', 'no-answer', 'canceled']) {
    expect(count(status)).toBeGreaterThan(3);
  }
  for (const list of [calls, recordings, messages]) {
    const dates = list.map((one) => Date.parse(one.date_created));
    expect(dates).toEqual(dates.toSorted((a, b) => b - a));
    expect(dates[0]).toBeLessThanOrEqual(now.getTime());
    expect(new Set(list.map(({ sid }) => sid)).size).toBe(list.length);
  }
  for (const call of calls.filter(({ end_time }) => end_time)) {
    const length = Date.parse(call.end_time ?? '') - Date.parse(call.start_time ?? '');
    expect(length).toBe(Number(call.duration) * 1000);
    expect(Date.parse(call.end_time ?? '')).toBeLessThanOrEqual(now.getTime());
  }
  for (const leg of calls.filter((one) => one.parent_call_sid)) {
    expect(bySid.get(leg.parent_call_sid ?? '')).toMatchObject({
      direction: 'inbound',
      from: leg.from,
    });
  }
  for (const recording of recordings) {
    expect(bySid.get(recording.call_sid)).toMatchObject({
      status: 'completed',
      parent_call_sid: null,
    });
  }
});

test('calls involve the account’s own numbers, a repeat caller and an anonymous one', async () => {
  const { calls } = await sandboxFor({ now: NOW });
  const own = Object.values(ACCOUNT_NUMBERS).map(({ number }): string => number);
  const inbound = calls.filter(({ direction }) => direction === 'inbound');
  const outbound = calls.filter(({ direction }) => direction === 'outbound-api');
  expect(inbound.every(({ to, from }) => own.includes(to) && !own.includes(from))).toBe(true);
  expect(outbound.every(({ to, from }) => own.includes(from) && !own.includes(to))).toBe(true);
  expect(inbound.filter(({ from }) => from === '+12025550143').length).toBeGreaterThan(9);
  expect(inbound.some(({ from }) => from === 'anonymous')).toBe(true);
});
