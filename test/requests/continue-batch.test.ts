import {
  Continuation,
  type EarlierBatch,
  interruptedItems,
  sentFirst,
} from '../../src/batch/continue-batch.ts';
import { readDeliveries } from '../../src/batch/deliveries.ts';
import { digestOf } from '../../src/batch/row-item.ts';
import {
  definitions,
  isToSend,
  planRow,
  type RowItem,
  runItems,
  type SkipChoice,
} from '../../src/builder.ts';
import { inEnglishRow } from '../support/in-english.ts';
import { answerWith, isolate, type ServiceAnswer, telephony } from './service.ts';

isolate();
afterEach(() => jest.restoreAllMocks());

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');

const from = '+14155550100';
const names = Array.from({ length: 12 }, (_, index) => `P${index}`);
const phoneOf = (name: string) => `+1202555${name.slice(1).padStart(4, '0')}`;
const planned = (who: string): RowItem =>
  planRow(action, {
    ...{ name: who, filled: ['to'] },
    input: () => ({ from, to: phoneOf(who), body: 'Hello' }),
  });
const plan = () => names.map(planned);

/** The rows of a batch as they are left after earlier ones. */
async function continueBatch(items: RowItem[], earlier: EarlierBatch[], choice?: SkipChoice) {
  const continuation = new Continuation(choice);
  for (const item of items) continuation.want(item);
  for (const one of earlier) for (const item of sentFirst(one.items)) continuation.add(item, one);
  return items.map(await continuation.decide());
}

const batch = (items: RowItem[], more: Partial<EarlierBatch> = {}): EarlierBatch => ({
  ...{ items, isRunning: false, startedAt: Date.now(), isSameButton: true },
  ...more,
});

/** The items of a batch that continues none. */
const begun = (items: RowItem[]): RowItem[] =>
  items.map((item) =>
    isToSend(item) && item.values ? { ...item, digest: digestOf(item.values) } : item,
  );

/** What a database returns. */
const stored = (items: RowItem[]): RowItem[] => JSON.parse(JSON.stringify(items));

const created: ServiceAnswer = { status: 201, body: { sid: 'SM1' } };
const now: ServiceAnswer = {
  ...{ status: 200, body: { messages: [] } },
  headers: { date: new Date().toUTCString() },
};

/** A batch whose process ends with the nth save. Returns the stored items, and the recipients. */
async function crash(items: RowItem[], saves: number) {
  // Waits before retries take no time.
  jest.spyOn(Math, 'random').mockReturnValue(0);
  const sent = answerWith([now, ...Array(items.length).fill(created)]);
  let count = 0;
  let kept = stored(items);
  const open = async () => telephony({ confirmTimeoutMs: 0 });
  const save = async () => {
    count += 1;
    if (count > saves) throw new Error('The process has ended.');
    kept = stored(items);
  };
  const log = { changed: () => {}, write: save };
  await runItems(action as never, items, { open, isStopped: async () => false, log }).catch(
    () => {},
  );
  const reached = sent.flatMap(({ body }) => new URLSearchParams(String(body)).get('To') ?? []);
  return { kept, reached };
}

test.each(Array.from({ length: 14 }, (_, saves) => saves))(
  'sends to no one twice, and to everyone else, after a crash at save %d',
  async (saves) => {
    const { kept, reached } = await crash(begun(plan()), saves);
    const next = await continueBatch(plan(), [batch(interruptedItems(kept, false))]);
    const again = next.filter(({ outcome, isPending }) => outcome === 'waiting' && !isPending);
    const phones = again.map(({ values }) => String(values?.to));
    expect(phones.filter((phone) => reached.includes(phone))).toEqual([]);
    const open = next.filter(({ isPending }) => isPending);
    expect(open.length).toBeLessThanOrEqual(10);
    for (const { begun } of open) expect(new Date(begun ?? '').getTime()).not.toBeNaN();
  },
);

const outcomesAfter = async (items: RowItem[], more: Partial<EarlierBatch> = {}) =>
  (await continueBatch(plan(), [batch(items, more)])).map(({ outcome, isPending }) =>
    isPending ? 'pending' : outcome,
  );

const stopped = (rest: RowItem['outcome']) =>
  begun(plan()).map(
    ({ who, digest = '' }, index): RowItem => ({
      ...{ who, digest },
      outcome: index < 3 ? 'done' : index < 5 ? 'unknown' : rest,
    }),
  );
const dayAgo = Date.now() - 25 * 3_600_000;
const all = (outcome: string) => names.map(() => outcome);
const rest = (outcome: string) => [
  ...Array(3).fill('already-done'),
  ...Array(2).fill('pending'),
  ...Array(7).fill(outcome),
];

test.each<[name: string, items: RowItem[], more: Partial<EarlierBatch>, outcomes: string[]]>([
  ['that was stopped', stopped('not-run'), {}, rest('waiting')],
  ['that was stopped days ago', stopped('not-run'), { startedAt: dayAgo }, rest('waiting')],
  ['in which some failed', stopped('failed'), {}, rest('waiting')],
  [
    'in which some had unsubscribed',
    stopped('opted-out').map((one) =>
      one.outcome === 'unknown' ? { ...one, outcome: 'done' } : one,
    ),
    {},
    [...Array(5).fill('already-done'), ...Array(7).fill('waiting')],
  ],
  ['in which some failed, days ago', stopped('failed'), { startedAt: dayAgo }, rest('waiting')],
  ['that is in progress', stopped('waiting'), { isRunning: true }, rest('failed')],
  [
    'that reached everyone',
    stopped('done').map((one) => ({ ...one, outcome: 'done' })),
    {},
    all('already-done'),
  ],
  [
    'that reached everyone left, and records that of the others',
    stopped('done').map((one) => ({ ...one, outcome: 'already-done' })),
    ...([{}, all('already-done')] as const),
  ],
  ['of another button', stopped('not-run'), { isSameButton: false }, rest('waiting')],
])('continues a batch %s', async (_, items, more, outcomes) => {
  expect(await outcomesAfter(items, more)).toEqual(outcomes);
});

test.each(['done', 'already-done'] as const)(
  'remembers of rows that were %s that they were only scheduled',
  async (outcome) => {
    const earlier = begun(plan()).map(
      ({ who, digest = '' }, index): RowItem => ({
        ...{ who, digest, outcome },
        ...(index === 1 && { isScheduled: true }),
      }),
    );
    const next = await continueBatch(plan(), [batch(earlier)]);
    expect(next.filter(({ isScheduled }) => isScheduled)).toMatchObject([
      { who: earlier[1]?.who, outcome: 'already-done' },
    ]);
  },
);

const rowsWith = (body: string) =>
  names.map((name, index) =>
    planRow(action, {
      ...{ row: ['People', index], name, filled: ['to'] },
      input: () => ({ from, to: phoneOf(name), body }),
    }),
  );
const done = (items: RowItem[]) =>
  begun(items).map(
    ({ values: _, ...one }, index): RowItem => ({
      ...one,
      outcome: index % 2 === 0 ? 'done' : 'already-done',
    }),
  );
const indexes = names.map((_, index) => index);
test.each<[name: string, next: RowItem[], earlier: EarlierBatch, repeated: number[]]>([
  ['that was completed', plan(), batch(done(plan())), indexes],
  ['of another button', plan(), batch(done(plan()), { isSameButton: false }), indexes],
  ['with another text', rowsWith('Good bye'), batch(done(rowsWith('Hello'))), []],
  ['that is resumed', plan(), batch(stopped('not-run')), []],
  ['with failures days ago', plan(), batch(stopped('failed'), { startedAt: dayAgo }), [0, 1, 2]],
])('marks the rows that repeat a batch %s', async (_, next, earlier, repeated) => {
  const marked = async (skipsSent?: boolean) =>
    (await continueBatch(next, [earlier], skipsSent === undefined ? {} : { skipsSent })).flatMap(
      ({ isRepeated, outcome, values }, index) => (isRepeated ? [[index, outcome, !values]] : []),
    );
  const skipped = repeated.map((index) => [index, 'already-done', true]);
  expect([await marked(), await marked(true), await marked(false)]).toEqual([
    ...[skipped, skipped],
    repeated.map((index) => [index, 'waiting', false]),
  ]);
});

test.each<[what: string, earlier: EarlierBatch, outcomes: string[]]>([
  ['that was completed', batch(done(plan())), all('already-done')],
  ['of another button', batch(done(plan()), { isSameButton: false }), all('already-done')],
  ['that was stopped', batch(stopped('not-run')), rest('waiting')],
  [
    'with failures and unknown rows, days ago',
    batch(stopped('failed'), { startedAt: dayAgo }),
    rest('waiting'),
  ],
])('names what a batch %s sent to the rows that it skips', async (_, earlier, outcomes) => {
  const sids = (items: RowItem[]) => items.map((item, index) => ({ ...item, sid: `SM${index}` }));
  const known = { ...earlier, items: sids(earlier.items) };
  const next = await continueBatch(plan(), [known]);
  expect(next.map(({ outcome, isPending }) => (isPending ? 'pending' : outcome))).toEqual(outcomes);
  expect(next.map(({ outcome, sid }) => outcome === 'already-done' && sid)).toEqual(
    outcomes.map((outcome, index) => outcome === 'already-done' && `SM${index}`),
  );
});

test('recognises rows of batches that an earlier version stored', async () => {
  const [first, ...others] = plan();
  const old = stored([{ who: first?.who ?? '', outcome: 'done' }, ...others]);
  const outcomes = await outcomesAfter(interruptedItems(old, false));
  expect(outcomes).toEqual(['already-done', ...Array(11).fill('pending')]);
  expect((await outcomesAfter(interruptedItems(old, false), { isSameButton: false }))[0]).toBe(
    'waiting',
  );
});

test('treats another text, or another number, as another message', async () => {
  const [first] = begun(plan());
  const done = batch([
    { who: '', outcome: 'done', ...(first?.digest && { digest: first.digest }) },
    { who: '', outcome: 'not-run' },
  ]);
  const changed = planRow(action, {
    ...{ name: 'P0', filled: ['to'] },
    input: () => ({ from, to: phoneOf('P0'), body: 'Good bye' }),
  });
  expect(
    (await continueBatch([changed, planned('P0')], [done])).map(({ outcome }) => outcome),
  ).toEqual(['waiting', 'already-done']);
});

const dated =
  (text: string, more: { to?: string; from?: string } = {}) =>
  (who: string) =>
    planRow(action, {
      ...{ row: ['People', who], name: who, filled: ['to', 'body'] },
      input: () => ({ from, to: phoneOf(who), body: `${text} ${who}`, ...more }),
    });

/** The result of pressing the button again for six rows whose batch ended with these outcomes. */
async function pressAgain(more: Partial<EarlierBatch> = {}, again = dated('At 10:01')) {
  const ends: RowItem['outcome'][] = [
    ...(['done', 'already-done', 'unknown', 'failed', 'not-run'] as const),
  ];
  const before = begun(names.slice(0, 5).map(dated('At 10:00')));
  const items = before.map(
    ({ values: _, ...item }, index): RowItem => ({
      ...item,
      outcome: ends[index] ?? 'not-run',
    }),
  );
  return continueBatch(names.slice(0, 6).map(again), [batch(stored(items), more)]);
}

const waiting = Array(6).fill('waiting');

test('skips rows that a stopped batch has texted, even if their text has changed', async () => {
  const next = await pressAgain();
  expect(next.map(({ outcome }) => outcome)).toEqual([
    ...['already-done', 'already-done', 'unknown', 'waiting', 'waiting', 'waiting'],
  ]);
  expect(next.map(inEnglishRow)[2]).toMatchObject({
    message: expect.stringContaining('another text'),
  });
  expect(next.slice(0, 3).filter(({ values }) => values)).toEqual([]);
  const third = await continueBatch(names.slice(0, 6).map(dated('At 10:02')), [
    batch(interruptedItems(stored(next), false)),
  ]);
  expect(third.map(({ outcome }) => outcome)).toEqual(next.map(({ outcome }) => outcome));
});

const skipping = ['already-done', 'already-done', 'unknown', 'waiting', 'waiting', 'waiting'];
test.each<[name: string, more: Partial<EarlierBatch>, outcomes: string[], changed: number]>([
  ['a stopped batch', {}, skipping, 3],
  ['a stopped batch of another button', { isSameButton: false }, skipping, 3],
  ['a batch of yesterday', { startedAt: dayAgo }, waiting, 0],
])('sends a changed text after %s', async (_, more, outcomes, changed) => {
  const next = await pressAgain(more);
  expect(next.map(({ outcome }) => outcome)).toEqual(outcomes);
  expect(next.filter(({ isChanged }) => isChanged).length).toBe(changed);
});

const ended = (outcome: RowItem['outcome']) => (item: RowItem) => ({ ...item, outcome });
const hello = begun(rowsWith('Hello'));
const complete = hello.map(ended('done'));
const halfDone = hello.map((item, index) => ended(index < 6 ? 'done' : 'not-run')(item));
const oneFailed = hello.map((item, index) => ended(index < 11 ? 'done' : 'failed')(item));
const other = { isSameButton: false };
test.each<
  [
    earlier: string,
    batch: EarlierBatch,
    skipsChanged: boolean | undefined,
    skipped: number,
    changed: number,
  ]
>([
  ['a stopped batch', batch(halfDone, other), undefined, 6, 6],
  ['a stopped batch, including them', batch(halfDone, other), false, 0, 6],
  ['an interrupted batch', batch(complete, { ...other, isInterrupted: true }), undefined, 12, 12],
  ['a complete batch', batch(complete, other), undefined, 0, 12],
  ['a complete batch, skipping them', batch(complete, other), true, 12, 12],
  ['a batch in which one row failed', batch(oneFailed, other), undefined, 0, 11],
  ['a batch of the same button in which one row failed', batch(oneFailed), undefined, 11, 11],
  ['a batch in progress', batch(halfDone, { ...other, isRunning: true }), false, 0, 6],
])(
  'marks the rows that %s sent another text',
  async (_, earlier, skipsChanged, skipped, changed) => {
    const next = await continueBatch(
      rowsWith('Hallo'),
      [earlier],
      skipsChanged === undefined ? {} : { skipsChanged },
    );
    expect(next.filter(({ isChanged }) => isChanged).length).toBe(changed);
    expect(next.filter(({ outcome }) => outcome === 'already-done').length).toBe(skipped);
    expect(next.filter(isToSend).length).toBe(names.length - skipped);
  },
);

test.each<[button: string, isSameButton: boolean, skipped: number, changed: number]>([
  ['another button, in any batch of the day', false, 12, 12],
  // The rows that its own last batch left out are those that it continues with.
  ['the same button, in its last batch', true, 6, 6],
])('marks the rows that got another text from %s', async (_, isSameButton, skipped, changed) => {
  const left = halfDone.map(({ values: _values, ...item }) => item);
  const earlier = [batch(left, { isSameButton }), batch(complete, { isSameButton })];
  const next = await continueBatch(rowsWith('Hallo'), earlier);
  expect(next.filter(({ isChanged }) => isChanged).length).toBe(changed);
  expect(next.filter(({ outcome }) => outcome === 'already-done').length).toBe(skipped);
});

test.each<[why: string, item: (item: RowItem) => RowItem, changed: true | undefined]>([
  ['opted out', ended('opted-out'), true],
  ['failed', ended('failed'), true],
  ['was sent something else, too', ended('done'), true],
  ['was not reached', ended('not-run'), undefined],
])(
  'a row that its button sent a text, and that then %s in another batch, is marked if the next one sends it another text',
  async (_, end, isChanged) => {
    const later = begun(rowsWith('Moved')).map(({ values: _values, ...item }) => end(item));
    const earlier = [batch(stored(later)), batch(complete)];
    for (const skipsChanged of [false, true]) {
      const isSkipped = skipsChanged && isChanged;
      const next = await continueBatch(rowsWith('Closed'), earlier, { skipsChanged });
      expect(next.map((item) => [item.outcome, item.isChanged])).toEqual(
        names.map(() => [isSkipped ? 'already-done' : 'waiting', isChanged]),
      );
    }
    // What it was to get in that batch is not another text.
    const again = await continueBatch(rowsWith('Moved'), earlier);
    expect(again.filter((item) => item.isChanged)).toEqual([]);
  },
);

test('a row that another button skipped because its column says “sent” counts as what it got before', async () => {
  const noted = rowsWith('Moved').map(
    ({ values: _, ...item }, index): RowItem => ({
      ...item,
      outcome: index < 11 ? 'already-done' : 'failed',
    }),
  );
  const moved = batch(begun(rowsWith('Moved')).map(ended('done')), other);
  const marks = async (earlier: EarlierBatch[], body: string) =>
    (await continueBatch(rowsWith(body), earlier)).map(({ outcome, isChanged }) => [
      outcome,
      isChanged,
    ]);
  const newest = batch(noted, other);
  expect(await marks([newest], 'Closed')).toEqual(names.map(() => ['waiting', undefined]));
  expect(await marks([newest, moved], 'Closed')).toEqual(names.map(() => ['waiting', true]));
  expect(await marks([newest, moved], 'Moved')).toEqual(await marks([moved], 'Moved'));
  // The newest batch completed the stopped one, so that there is nothing to complete.
  const stoppedBatch = batch(
    moved.items.map((item, index) => ended(index < 11 ? 'done' : 'not-run')(item)),
    other,
  );
  const completed = batch(
    noted.map((item, index) => ended(index < 11 ? 'already-done' : 'done')(item)),
    other,
  );
  expect((await marks([completed, stoppedBatch], 'Closed')).map(([outcome]) => outcome)).toEqual(
    all('waiting'),
  );
});

test('sends another text during the batch of another button', async () => {
  const running = batch(hello, { ...other, isRunning: true });
  expect((await continueBatch(rowsWith('Hallo'), [running])).every(isToSend)).toBe(true);
  const same = (await continueBatch(rowsWith('Hello'), [running])).map(({ outcome }) => outcome);
  expect(same).toEqual(all('failed'));
});

test.each<[who: string, changed: { to?: string; from?: string }, outcomes: string[]]>([
  ['another recipient', { to: '+12025559999' }, waiting],
  [
    'another sender',
    { from: '+14155550101' },
    ['already-done', 'already-done', 'unknown', 'waiting', 'waiting', 'waiting'],
  ],
])('a row that a stopped batch has texted, now with %s', async (_, changed, outcomes) => {
  const next = await pressAgain({}, dated('At 10:01', changed));
  expect(next.map(({ outcome }) => outcome)).toEqual(outcomes);
});

const keyless = (text: string, to: string) =>
  planRow(action, {
    ...{ row: ['People', null], name: '', filled: ['to', 'body'] },
    input: () => ({ from, to: phoneOf(to), body: text }),
  });
test('recognises a row without a key by its recipient', async () => {
  const texts = (text: string) => [
    keyless(`${text} Ada`, 'P0'),
    keyless(`${text} Bob`, 'P0'),
    keyless(text, 'P1'),
    keyless(text, 'P2'),
  ];
  const ends: RowItem['outcome'][] = ['not-run', 'done', 'unknown', 'not-run'];
  const items = begun(texts('Helo')).map(
    ({ values: _, ...item }, index): RowItem => ({ ...item, outcome: ends[index] ?? 'failed' }),
  );
  const unreadable = planRow(action, {
    ...{ row: ['People', null], name: 'Cleo', filled: [] },
    input: () => ({ from, body: 'Helo' }),
  });
  const next = await continueBatch(texts('Hello'), [batch(stored([unreadable, ...items]), other)]);
  expect(next.map(({ outcome, isChanged }) => [outcome, isChanged])).toEqual([
    ['already-done', true],
    ['already-done', true],
    ['unknown', true],
    ['waiting', undefined],
  ]);
});

test('skips a row of a batch that stored no recipients', async () => {
  const [first] = begun([dated('At 10:00')('P0')]);
  const { values: _, recipient: __, ...item } = first ?? planned('P0');
  const earlier = batch([
    { ...item, outcome: 'done' },
    { who: '', outcome: 'not-run' },
  ]);
  const [next] = await continueBatch([dated('At 10:01')('P0')], [earlier]);
  expect(next?.outcome).toBe('already-done');
});

test('a row that recorded that it was started stays unknown after two crashes', async () => {
  const [first, second] = plan();
  if (!first || !second) throw new Error('There are no rows.');
  const recorded: RowItem[] = [
    { ...first, key: 1, isPending: true },
    { ...second, key: 2 },
  ];
  expect(interruptedItems(begun(recorded), true).map(({ outcome }) => outcome)).toEqual([
    'unknown',
    'not-run',
  ]);
});

test('uses the outcomes of the newest batch', async () => {
  const items = stopped('not-run');
  const complete = items.map((one): RowItem => ({ ...one, outcome: 'done' }));
  const next = await continueBatch(plan(), [batch(complete), batch(items)]);
  expect(next.map(({ outcome }) => outcome)).toEqual(all('already-done'));
});

test('a row is sent again only if the very message that it got was not delivered', async () => {
  const items = begun(plan()).map((item, index) => ({ ...item, sid: `SM${index}` }));
  const earlier = batch(items.map((item): RowItem => ({ ...item, outcome: 'done' })));
  const [first, second] = plan() as [RowItem, RowItem];
  const left = await continueBatch(
    [
      { ...first, undelivered: 'SM0' },
      { ...second, undelivered: 'SM0' },
    ],
    [earlier],
  );
  expect(left.map(({ outcome }) => outcome)).toEqual(['waiting', 'already-done']);
});

test('a message that was found undelivered is sent again, until a later one is sent', async () => {
  const items = begun(plan()).map((item, index) => ({ ...item, sid: `SM${index}` }));
  const sentAll = items.map((item): RowItem => ({ ...item, outcome: 'done' }));
  const checked = sentAll.map((item, index) =>
    index === 0
      ? { ...item, delivery: 'undelivered: Blocked' }
      : { ...item, delivery: 'delivered' },
  );
  const outcomesAfter = async (...earlier: RowItem[][]) =>
    (
      await continueBatch(
        plan(),
        earlier.map((one) => batch(one)),
      )
    ).map(({ outcome }) => outcome);
  const [, ...rest] = all('already-done');
  expect(await outcomesAfter(checked)).toEqual(['waiting', ...rest]);
  // The later batch skipped the row before it was checked.
  const skipped = sentAll.map((item): RowItem => ({ ...item, outcome: 'already-done' }));
  expect(await outcomesAfter(skipped, checked)).toEqual(['waiting', ...rest]);
  const again = sentAll.map((item) => ({ ...item, sid: `${item.sid}b` }));
  expect(await outcomesAfter(again, checked)).toEqual(all('already-done'));
});

const blocked = 'undelivered: Blocked';
const sentAs =
  (sid: string) =>
  (item: RowItem, index: number): RowItem => ({
    ...{ ...item, outcome: 'done' },
    sid: `${sid}${index || ''}`,
  });
const undeliveredAs = (sid: string) => (item: RowItem, index: number) => ({
  ...sentAs(sid)(item, index),
  delivery: blocked,
});
test.each<
  [what: string, since: EarlierBatch[], isChanged: true | undefined, sid: string | undefined]
>([
  ['nothing', [], undefined, undefined],
  ['another text', [batch(begun(rowsWith('Bye')).map(sentAs('SM2')), other)], true, 'SM2'],
  ['it, undelivered too', [batch(hello.map(undeliveredAs('SM2')), other)], undefined, undefined],
])('a message that was not delivered after which another button sent %s', async (...all) => {
  const [, since, isChanged, sid] = all;
  const first = batch(hello.map(undeliveredAs('SM1')));
  const left = await continueBatch(rowsWith('Hello'), [...since, first]);
  expect(left).toMatchObject(left.map(() => ({ outcome: 'waiting' })));
  expect(left[0]?.isChanged).toBe(isChanged);
  expect(left[0]?.sid).toBe(sid);
});

test.each<[what: string, delivery: string | undefined, status: string, found: string | undefined]>([
  ['was not delivered', undefined, 'undelivered', blocked],
  ['was delivered after all', blocked, 'delivered', 'delivered'],
  ['is still not delivered', blocked, 'undelivered', undefined],
  ['was delivered before', 'delivered', 'undelivered', undefined],
])('finds in the log a message that %s', async (_, delivery, status, found) => {
  answerWith([
    {
      status: 200,
      body: { messages: [{ sid: 'SM0', status, error_message: 'Blocked' }] },
    },
  ]);
  const item: RowItem = { who: 'P0', outcome: 'done', sid: 'SM0', ...(delivery && { delivery }) };
  const deliveries = await readDeliveries(telephony(), action, [item]);
  expect(deliveries.get('SM0')).toBe(found);
});
