import {
  type BatchResult,
  type BatchRow,
  type StoredNote,
  TelephonyError,
} from '../../src/builder.ts';
import { answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();

const input = { from: '+14155550100', to: '+12025550143', body: 'Row' };
const date = new Date();
const sent = { sid: 'SM00000000000000000000000000000001', status: 'queued' };
const answer = (body: object): ServiceAnswer => ({
  ...{ status: 200, body },
  headers: { date: date.toUTCString() },
});

/** Notes as the simplest program has them: in JSON, and without a promise. */
function notesIn(stored: { note?: string }) {
  return {
    read: () => stored.note && JSON.parse(stored.note),
    replace(old: StoredNote | undefined, note: StoredNote) {
      if (old?.outcome !== (stored.note && JSON.parse(stored.note).outcome)) return false;
      stored.note = JSON.stringify(note);
      return true;
    },
  };
}

async function run(rows: unknown[], options: object = {}) {
  const results: [row: unknown, result: BatchResult][] = [];
  await telephony().runBatch('send-sms' as string, rows as BatchRow[], {
    onResult: (row, result) => results.push([row, result]),
    ...options,
  });
  return results;
}

const badRows: [name: string, row: unknown, message: RegExp][] = [
  ['nothing', undefined, /^A row must be an object/],
  ['null', null, /^A row must be an object/],
  ['text', '+12025550143', /^A row must be an object/],
  ['a list', [], /^A row must be an object/],
  ['notes without functions', { input, notes: {} }, /must have the functions read and replace/],
  ['no input', {}, /^"From" is missing/],
  ['text as input', { input: 'x' }, /^The input must be an object/],
  ['a date as body', { input: { ...input, body: new Date() } }, /^"Body" must be/],
];

test.each(badRows)('a row with %s fails, and the other rows run', async (_, row, message) => {
  const requests = answerWith([answer(sent), answer(sent)]);
  const good = [{ input }, { input: { ...input, to: '+12025550144' } }];
  const results = new Map(await run([good[0], row, good[1]]));
  expect(good.map((one) => results.get(one)?.outcome)).toEqual(['done', 'done']);
  const { outcome, error } = results.get(row) ?? {};
  expect(outcome).toBe('failed');
  expect(error).toBeInstanceOf(TelephonyError);
  expect(error).toMatchObject({ code: 'input', message: expect.stringMatching(message) });
  expect(requests).toHaveLength(2);
});

test('notes may be synchronous and have their time as text', async () => {
  const stored: { note?: string } = {};
  const rows = [{ input, notes: notesIn(stored) }];
  answerWith([answer({ calls: [] }), answer(sent)]);
  expect(await run(rows)).toEqual([[rows[0], { outcome: 'done', record: expect.anything() }]]);
  expect(JSON.parse(stored.note ?? '')).toEqual({
    ...{ outcome: 'sent', sid: sent.sid },
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
  });
  expect(await run(rows)).toEqual([[rows[0], { outcome: 'already-done' }]]);
});

test('a row that was started is checked since the time in its note', async () => {
  const time = new Date(date.getTime() - 3_600_000);
  const stored = { note: JSON.stringify({ outcome: 'in progress', time }) };
  const message = { ...input, ...sent, date_created: time.toUTCString() };
  answerWith([answer({ calls: [] }), answer({ messages: [message] })]);
  expect(await run([{ input, notes: notesIn(stored) }])).toMatchObject([
    [{ input }, { outcome: 'done', record: { sid: sent.sid } }],
  ]);
});

test('a signal stops the batch after the rows in progress', async () => {
  const stop = new AbortController();
  const requests = answerWith(Array(9).fill(answer(sent)));
  const rows = Array.from({ length: 9 }, (_, index) => ({
    input: { ...input, to: `+1202555010${index}` },
  }));
  const outcomes: string[] = [];
  await run(rows, {
    signal: stop.signal,
    onResult(_: unknown, { outcome }: BatchResult) {
      outcomes.push(outcome);
      stop.abort();
    },
  });
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(requests.length);
  expect(requests.length).toBeLessThan(9);
  expect(outcomes.filter((one) => one === 'not-run')).toHaveLength(9 - requests.length);
});
