import {
  type BatchResult,
  type BatchRow,
  connect,
  type StoredNote,
  TelephonyError,
} from '../../src/builder.ts';
import { account, answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();

const input = { from: '+14155550100', to: '+12025550143', body: 'Row' };
const date = new Date();
const sent = { sid: 'SM00000000000000000000000000000001', status: 'queued' };
const answer = (body: object): ServiceAnswer => ({
  ...{ status: 200, body },
  headers: { date: date.toUTCString() },
});

/** Notes as in the simplest program: in JSON, and without promises. */
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

async function run(rows: unknown[], options: object = {}, from = telephony()) {
  const results: [row: unknown, result: BatchResult][] = [];
  await from.runBatch('send-sms' as string, rows as BatchRow[], {
    onResult: (row, result) => results.push([row, result]),
    ...options,
  });
  return results;
}

const fail = () => {
  throw new Error('My database is closed.');
};

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

test('a hole in the array fails like any value that is no row', async () => {
  answerWith([answer(sent)]);
  const rows: unknown[] = [];
  rows[1] = { input };
  const outcomes = (await run(rows)).map(([row, { outcome }]) => [row, outcome]);
  expect(outcomes).toEqual([
    [undefined, 'failed'],
    [{ input }, 'done'],
  ]);
});

test('rows that would send the same are sent once', async () => {
  const requests = answerWith([answer(sent), answer(sent)]);
  const rows = [{ input }, { input: { ...input, to: '+1 (202) 555-0143' } }];
  const outcomes = new Map((await run(rows)).map(([row, { outcome }]) => [row, outcome]));
  expect(rows.map((row) => outcomes.get(row))).toEqual(['done', 'duplicate']);
  expect(requests).toHaveLength(1);
});

test('a national number and the same one with its country code are sent once', async () => {
  const requests = answerWith([answer(sent), answer(sent)]);
  const rows = [{ input: { ...input, to: '(202) 555-0143' } }, { input }];
  const results = await run(rows, {}, connect({ ...account, defaultCountry: 'US' }));
  const outcomes = new Map(results.map(([row, { outcome }]) => [row, outcome]));
  expect(rows.map((row) => outcomes.get(row))).toEqual(['done', 'duplicate']);
  expect(requests).toHaveLength(1);
});

test('of equal rows, one with notes is sent, so that the next batch skips it', async () => {
  const stored: { note?: string } = {};
  const rows = [{ input }, { input, notes: notesIn(stored) }];
  const requests = answerWith([answer({ calls: [] }), answer(sent), answer(sent)]);
  await run(rows);
  const outcomes = new Map((await run(rows)).map(([row, { outcome }]) => [row, outcome]));
  expect(rows.map((row) => outcomes.get(row))).toEqual(['duplicate', 'already-done']);
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

const sentNote = JSON.stringify({ outcome: 'sent', time: date, sid: sent.sid });
const unknownNote = JSON.stringify({ outcome: 'unknown', time: date });

interface NotedCase {
  name: string;
  notes: (string | undefined)[];
  outcomes: string[];
  after: string[];
}

const notedCases: NotedCase[] = [
  { name: 'none', notes: ['', ''], outcomes: ['done', 'duplicate'], after: ['sent', 'sent'] },
  {
    ...{ name: 'the second one as sent', notes: ['', sentNote] },
    ...{ outcomes: ['duplicate', 'already-done'], after: ['sent', 'sent'] },
  },
  {
    ...{ name: 'the second one as unknown', notes: ['', unknownNote] },
    ...{ outcomes: ['duplicate', 'done'], after: ['sent', 'sent'] },
  },
  {
    ...{ name: 'both as sent', notes: [sentNote, sentNote] },
    ...{ outcomes: ['already-done', 'already-done'], after: ['sent', 'sent'] },
  },
];

test.each(notedCases)(
  'of two equal rows whose notes record $name, none is sent again, and both notes say so',
  async ({ name, notes, outcomes, after }) => {
    const logged = { ...input, ...sent, date_created: date.toUTCString() };
    const requests = answerWith([
      answer({ calls: [] }),
      name === 'none' ? answer(sent) : answer({ messages: [logged] }),
      ...Array(3).fill(answer(sent)),
    ]);
    const stored = notes.map((note) => (note ? { note } : {}) as { note?: string });
    const rows = stored.map((one) => ({ input, notes: notesIn(one) }));
    const results = new Map((await run(rows)).map(([row, { outcome }]) => [row, outcome]));
    expect(rows.map((row) => results.get(row))).toEqual(outcomes);
    expect(stored.map(({ note }) => JSON.parse(note ?? '{}').outcome)).toEqual(after);
    expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(
      name === 'none' ? 1 : 0,
    );
  },
);

test('of equal rows, one with an unknown status is left alone, and the other one is sent', async () => {
  const paused = { note: JSON.stringify({ outcome: 'paused' }) };
  const empty: { note?: string } = {};
  const requests = answerWith([answer({ calls: [] }), answer(sent), answer(sent)]);
  const rows = [paused, empty].map((stored) => ({ input, notes: notesIn(stored) }));
  const outcomes = new Map((await run(rows)).map(([row, { outcome }]) => [row, outcome]));
  expect(rows.map((row) => outcomes.get(row))).toEqual(['failed', 'done']);
  expect([paused, empty].map(({ note }) => JSON.parse(note ?? '{}').outcome)).toEqual([
    ...['paused', 'sent'],
  ]);
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

test('of equal rows, one whose notes cannot be read is not run, and the others are', async () => {
  const failure = new Error('The file is locked.');
  const locked = { ...notesIn({}), read: () => Promise.reject(failure) };
  const stored: { note?: string } = {};
  const requests = answerWith([answer({ calls: [] }), answer(sent), answer(sent)]);
  const rows = [
    { input, notes: locked },
    { input, notes: notesIn(stored) },
  ];
  const outcomes = new Map<unknown, string>();
  const onResult = (row: unknown, { outcome }: BatchResult) => outcomes.set(row, outcome);
  await expect(run(rows, { onResult })).rejects.toBe(failure);
  expect(rows.map((row) => outcomes.get(row))).toEqual(['not-run', 'done']);
  expect(JSON.parse(stored.note ?? '{}').outcome).toBe('sent');
  expect(requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
});

const failures: [name: string, onResult: () => unknown][] = [
  ['throws', fail],
  ['is rejected', async () => fail()],
];

test.each(failures)('if onResult %s, the batch fails after all rows', async (_, onResult) => {
  const requests = answerWith([answer(sent), answer(sent)]);
  const rows = [null, { input }, { input }, { input: { ...input, to: '+12025550144' } }];
  const reported: unknown[] = [];
  const counted = (row: unknown) => {
    reported.push(row);
    return onResult();
  };
  await expect(run(rows, { onResult: counted })).rejects.toThrow('My database is closed.');
  expect(new Set(reported)).toEqual(new Set(rows));
  expect(requests).toHaveLength(2);
});

test('the batch ends when the promises of onResult have', async () => {
  answerWith([answer(sent)]);
  const stored: unknown[] = [];
  const onResult = async (_: unknown, { outcome }: BatchResult) => {
    await new Promise(setImmediate);
    stored.push(outcome);
  };
  await run([{ input }, null], { onResult });
  expect(stored).toEqual(['failed', 'done']);
});

test('sends what each row contained at the start, even if the program changes it meanwhile', async () => {
  const requests = answerWith(Array(12).fill(answer(sent)));
  const numbers = Array.from({ length: 12 }, (_, index) => `+120255501${index + 10}`);
  const rows = numbers.map((to) => ({ input: { ...input, to } }));
  const onResult = () => {
    for (const row of rows) row.input.to = '+12025550199';
  };
  await run(rows, { onResult });
  const recipients = requests.map(({ body }) => new URLSearchParams(body).get('To'));
  expect(recipients.sort()).toEqual(numbers);
});

test('two rows never send the same, even if a getter returns another value each time', async () => {
  const requests = answerWith([answer(sent), answer(sent)]);
  let reads = 0;
  const changing = {
    ...input,
    get to() {
      reads += 1;
      return reads === 1 ? '+12025550144' : input.to;
    },
  };
  const row = { input: changing };
  await run([row, { input }]);
  const recipients = requests.map(({ body }) => new URLSearchParams(body).get('To'));
  expect(recipients.sort()).toEqual([input.to, '+12025550144']);
});
