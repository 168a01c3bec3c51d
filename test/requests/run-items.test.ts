import { abandon } from '../../src/batch/run-items.ts';
import {
  connect,
  countsOf,
  definitions,
  type NotesOf,
  type RowItem,
  type RowNote,
  runItems,
  TelephonyError,
} from '../../src/builder.ts';
import { inEnglishRow } from '../support/in-english.ts';
import { until } from '../support/until.ts';
import { notesOfRows } from './notes-of-rows.ts';
import { account, answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();
afterEach(() => jest.restoreAllMocks());

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const open = async () => telephony({ confirmTimeoutMs: 0 });

const goOn = async () => false;
const from = '+14155550100';

const waiting = (who: string): RowItem => ({
  ...{ who, outcome: 'waiting' },
  values: { from, to: '+12025550143', body: who },
});
const waitingAll = (count: number) =>
  Array.from({ length: count }, (_, index) => waiting(`P${index}`));

const created: ServiceAnswer = { status: 201, body: { sid: 'SM1' } };

const ends: [answer: ServiceAnswer, end: Partial<RowItem>, records: number][] = [
  [created, { outcome: 'done', sid: 'SM1' }, 1],
  [
    { status: 400, body: { message: 'No.' } },
    { outcome: 'failed', message: 'The service rejected the request. It said: No.' },
    0,
  ],
  [
    { status: 400, body: { code: 21610, message: 'No.' } },
    {
      outcome: 'opted-out',
      message:
        'The recipient unsubscribed by replying STOP. They can subscribe again by replying START. The service said: No. (21610)',
    },
    0,
  ],
  [
    { status: 400, body: { code: 21614, message: 'No.' } },
    {
      ...{ outcome: 'failed', refused: expect.stringMatching(/^[\w-]{22}$/) },
      message:
        'The number in "To" cannot receive SMS. It may be a landline. The service said: No. (21614)',
    },
    0,
  ],
  [
    { status: 201, body: { sid: 'SM1', status: 'failed', error_code: 30006 } },
    {
      outcome: 'failed',
      message: expect.stringMatching(/^The service reports the status "failed"\. The number/),
    },
    0,
  ],
  [
    { status: 201, body: { sid: 'SM1', status: 'failed', error_message: 'No route' } },
    { outcome: 'failed', message: 'The service reports the status "failed". No route' },
    0,
  ],
  [
    { status: 201, body: { sid: 'SM1', status: 'failed', error_code: 21610 } },
    {
      outcome: 'opted-out',
      message: expect.stringMatching(
        /^The service reports the status "failed"\. The recipient unsub/,
      ),
    },
    0,
  ],
  [
    { status: 201, body: { sid: 'SM1', status: 'failed' } },
    { outcome: 'failed', message: 'The service reports the status "failed".' },
    0,
  ],
  [
    { status: 500, body: {} },
    {
      outcome: 'unknown',
      message:
        'The service failed while processing the request. The outcome of "Send SMS" is unknown; it was not sent again. Check your account\'s message log before you send it again.',
    },
    0,
  ],
];

test.each(ends)('the response %j sets the outcome of the row', async (answer, end, count) => {
  const sent = answerWith([answer]);
  const items = [waiting('Ann')];
  const records: object[] = [];
  const onRecord = (record: object) => records.push(record);
  await runItems(action, items, { open, isStopped: goOn, onRecord });
  expect(items.map(inEnglishRow)).toStrictEqual([{ who: 'Ann', ...end }]);
  expect(records).toEqual(Array(count).fill(expect.objectContaining({ sid: 'SM1' })));
  expect(sent.map(({ body }) => body)).toEqual(['From=%2B14155550100&To=%2B12025550143&Body=Ann']);
});

test('a batch sends waiting rows only', async () => {
  const sent = answerWith([created]);
  const others: RowItem[] = [
    { who: 'Bob', outcome: 'duplicate' },
    { who: 'Cy', outcome: 'failed', message: 'No number.' },
  ];
  const items = [...others, waiting('Ann')];
  await runItems(action, items, { open, isStopped: goOn });
  expect(items).toStrictEqual([...others, { who: 'Ann', outcome: 'done', sid: 'SM1' }]);
  expect(sent).toHaveLength(1);
});

test('a rejected row does not stop the batch', async () => {
  const sent = answerWith(Array(7).fill({ status: 400, body: {} }));
  const items = waitingAll(7);
  await runItems(action, items, { open, isStopped: goOn });
  expect(countsOf(items)).toMatchObject({ failed: 7 });
  expect(sent).toHaveLength(7);
});

test('wrong credentials stop the batch after the requests in progress', async () => {
  const sent = answerWith(Array(7).fill({ status: 401, body: {} }));
  const items = waitingAll(7);
  await runItems(action, items, { open, isStopped: goOn });
  expect(sent.length).toBeLessThanOrEqual(5);
  expect(items.map(({ outcome }) => outcome)).toEqual([
    ...sent.map(() => 'failed'),
    ...Array(7 - sent.length).fill('not-run'),
  ]);
});

test('a stop ends the wait of rows that the service refused', async () => {
  const refused = { status: 429, body: {}, headers: { 'retry-after': '20' } };
  const sent = answerWith([created, ...Array(5).fill(refused)]);
  const items = waitingAll(9);
  let isStopping = false;
  const over = runItems(action, items, {
    // Its pause would also delay the other tests.
    open: async () => connect({ ...account, password: 'another' }),
    isStopped: async () => isStopping,
  });
  await until(() => sent.length > 1);
  isStopping = true;
  await over;
  expect(countsOf(items)).toMatchObject({ done: 1, 'not-run': 8 });
  const [, ...left] = items;
  for (const item of left) expect(item).not.toHaveProperty('begun');
});

test('a batch ends if the service refuses everything for too long', async () => {
  const refused = { status: 429, body: {}, headers: { 'retry-after': '3600' } };
  const sent = answerWith([created, ...Array(50).fill(refused)]);
  const items = waitingAll(50);
  await runItems(action, items, { open, isStopped: goOn });
  const { done, failed, 'not-run': left } = countsOf(items);
  expect({ done, failed, left }).toEqual({
    done: 1,
    failed: sent.length - 1,
    left: 50 - sent.length,
  });
  // Five, and those that were in progress at the fifth.
  expect(failed).toBeLessThanOrEqual(10);
});

const openings: [kind: string, error: Error, end: Partial<RowItem>][] = [
  [
    'settings',
    new TelephonyError('settings', 'Fill it in.'),
    { outcome: 'failed', message: 'Fill it in.' },
  ],
  ['a programming mistake', new RangeError('A mistake'), { outcome: 'not-run' }],
];

test.each(openings)(
  'an account that cannot be opened ends the first rows and leaves the rest not run: %s',
  async (_, error, end) => {
    const items = waitingAll(6);
    const over = runItems(action, items, { open: () => Promise.reject(error), isStopped: goOn });
    if (error instanceof TelephonyError) await over;
    else await expect(over).rejects.toBe(error);
    expect(items).toStrictEqual([
      ...['P0', 'P1', 'P2', 'P3', 'P4'].map((who) => ({ who, ...end })),
      { who: 'P5', outcome: 'not-run' },
    ]);
  },
);

const fault = new Error('No database');
const stops: [name: string, isStopped: () => Promise<boolean>, end: object][] = [
  ['that is stopped', async () => true, { status: 'fulfilled' }],
  [
    'whose stop flag cannot be read',
    () => Promise.reject(fault),
    { status: 'rejected', reason: fault },
  ],
];

test.each(stops)('a batch %s sends nothing', async (_name, isStopped, end) => {
  const sent = answerWith([]);
  const items = waitingAll(2);
  const [run] = await Promise.allSettled([runItems(action, items, { open, isStopped })]);
  expect(run).toEqual(end);
  expect(items).toStrictEqual([
    { who: 'P0', outcome: 'not-run' },
    { who: 'P1', outcome: 'not-run' },
  ]);
  expect(sent).toEqual([]);
});

const now: ServiceAnswer = { status: 200, body: {}, headers: { date: new Date(0).toUTCString() } };
const sentNote = { outcome: 'sent', sid: 'SM1', time: expect.any(Date) };

const alike: [before: string | undefined, isTaken: boolean][] = [
  [undefined, true],
  ['failed', true],
  ['sent', false],
  ['done', false],
  ['no thanks', false],
];

test.each(alike)(
  'a duplicate row whose status is %p shares the outcome, unless it is already final',
  async (outcome, isTaken) => {
    answerWith([now, created]);
    const before: RowNote | undefined = outcome === undefined ? undefined : { outcome, sid: 'SM0' };
    const { notes, written, notesOf } = notesOfRows({ other: before });
    const items: RowItem[] = [{ ...waiting('Ann'), key: 'own', same: ['other'] }];
    await runItems(action, items, { open, isStopped: goOn, notesOf });
    expect(notes).toEqual({ own: sentNote, other: isTaken ? sentNote : before });
    const steps = (key: string) => [
      [key, 'in progress'],
      [key, 'sent'],
    ];
    expect(written.filter(([key]) => key === 'own')).toEqual(steps('own'));
    expect(written.filter(([key]) => key === 'other')).toEqual(isTaken ? steps('other') : []);
  },
);

test.each(['in progress', 'unknown'])(
  'a row is not sent while an equal one is %s, and can be sent later',
  async (outcome) => {
    jest.spyOn(Math, 'random').mockReturnValue(0);
    const sent = answerWith([now]);
    const pending: RowNote = { outcome, time: new Date(0) };
    const { notes, notesOf } = notesOfRows({ other: pending });
    const items: RowItem[] = [{ ...waiting('Ann'), key: 'own', same: ['other'] }];
    await runItems(action, items, { open, isStopped: goOn, notesOf });
    const message = 'Someone else is changing this row, so it was skipped. Try again.';
    expect(items.map(inEnglishRow)).toEqual([
      { ...{ who: 'Ann', outcome: 'not-run', message }, key: 'own', same: ['other'] },
    ]);
    expect(notes).toEqual({ own: { outcome: 'failed' }, other: pending });
    expect(sent.filter(({ method }) => method !== 'GET')).toEqual([]);
  },
);

test('duplicates record nothing if another program is changing the row they depend on', async () => {
  jest.spyOn(Math, 'random').mockReturnValue(0);
  answerWith([now]);
  const { notes, notesOf } = notesOfRows({});
  const items: RowItem[] = [{ ...waiting('Ann'), key: 'own', same: ['other'] }];
  const taken: NotesOf = (key) =>
    key === 'own' ? { read: async () => undefined, replace: async () => false } : notesOf(key);
  await runItems(action, items, { open, isStopped: goOn, notesOf: taken });
  const message = 'Someone else is changing this row, so it was skipped. Try again.';
  expect(items.map(inEnglishRow)).toEqual([
    { ...{ who: 'Ann', outcome: 'not-run', message }, key: 'own', same: ['other'] },
  ]);
  expect(notes).toEqual({});
});

const gone: [kind: string, error: Error, end: object][] = [
  ['input', new TelephonyError('input', 'It is gone.'), { outcome: 'done', sid: 'SM1' }],
  ['a programming mistake', new RangeError('A mistake'), { outcome: 'not-run' }],
];

test.each(gone)(
  'an unreadable duplicate row leaves the first one sent, or unknown after a mistake: %s',
  async (_, error, end) => {
    answerWith([now, created]);
    const { notesOf } = notesOfRows({});
    const items: RowItem[] = [{ ...waiting('Ann'), key: 'own', same: ['other'] }];
    const broken: NotesOf = (key) => ({
      ...notesOf(key),
      ...(key === 'other' && { read: () => Promise.reject(error) }),
    });
    const over = runItems(action, items, { open, isStopped: goOn, notesOf: broken });
    if (error instanceof TelephonyError) await over;
    else await expect(over).rejects.toBe(error);
    expect(items).toEqual([{ who: 'Ann', key: 'own', same: ['other'], ...end }]);
  },
);

test('a batch first records rows that cannot be sent and duplicates of sent rows', async () => {
  const done = { outcome: 'done', sid: 'SM0' };
  const { notes, notesOf } = notesOfRows({ before: done, noted: { outcome: 'in progress' } });
  const items: RowItem[] = [
    { who: 'Ann', outcome: 'failed', message: 'No number.', key: 'wrong' },
    { who: 'Bob', outcome: 'failed', message: 'No number.', key: 'noted' },
    { who: 'Cy', outcome: 'already-done', key: 'before', same: ['same'] },
    { who: 'Di', outcome: 'duplicate', key: 'other', same: ['untouched'] },
  ];
  const before = structuredClone(items);
  const onRecord = jest.fn();
  await runItems(action, items, { open, isStopped: goOn, notesOf, onRecord });
  expect(onRecord).not.toHaveBeenCalled();
  expect(notes).toEqual({
    ...{ wrong: { outcome: 'failed' }, noted: { outcome: 'in progress' } },
    ...{ before: done, same: done },
  });
  expect(items).toEqual(before);
});

test('a started row that the message log confirms is no longer pending', async () => {
  // A unique record: this process would not use that of another test again.
  const since = new Date(Date.now() - 60_000);
  const made = { sid: 'SM26', from, to: '+12025550143', body: 'Zoe', direction: 'outbound-api' };
  const list = { messages: [{ ...made, date_created: since.toUTCString() }], next_page_uri: null };
  const headers = { date: new Date().toUTCString() };
  answerWith(Array(3).fill({ status: 200, body: list, headers }));
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const { notes, notesOf } = notesOfRows({ own: { outcome: 'unknown', time: since } });
  const items: RowItem[] = [{ ...waiting('Zoe'), key: 'own', isPending: true }];
  await runItems(action, items, { open: async () => telephony(), isStopped: goOn, notesOf });
  expect(items).toStrictEqual([
    { who: 'Zoe', outcome: 'done', key: 'own', isConfirmed: true, sid: 'SM26' },
  ]);
  expect(notes).toEqual({ own: { outcome: 'sent', sid: 'SM26', time: since } });
});

test('abandoning a batch marks waiting rows as not run', () => {
  const known: RowItem[] = [
    { who: 'Bob', outcome: 'done' },
    { who: 'Cy', outcome: 'duplicate' },
  ];
  const items = [...structuredClone(known), waiting('Ann')];
  abandon(action, items, new TelephonyError('settings', 'Fill it in.'));
  expect(items).toStrictEqual([
    ...known,
    { who: 'Ann', outcome: 'not-run', message: 'Fill it in.' },
  ]);
});
