import {
  type Action,
  type Batch,
  type BatchBuilder,
  batchError,
  batchPart,
  batchText,
  batchView,
  definitions,
  inEnglish,
  type PreviousBatch,
  type RowItem,
  type Sentence,
} from '../../src/builder.ts';

const [send, later] = ['send-sms', 'send-a-message'].map((id) => {
  const action = definitions.actions.find((one) => one.id === id);
  if (!action) throw new Error('An action of the tests is gone.');
  return action;
}) as [Action, Action];

const values = (to: string) => ({ from: '+14155550100', to, body: 'Hello' });
const waiting = (who: string, to = '+12025550101'): RowItem => ({
  ...{ who, outcome: 'waiting', values: values(to) },
});
const withBody = (body: string): RowItem => ({
  ...waiting('Ada'),
  values: { ...values('+12025550101'), body },
});
const batch = (state: Batch<object>['state'], items: RowItem[], startedAt = 0): Batch<object> => ({
  ...{
    key: 'K1',
    owner: '1',
    context: {},
    actionId: send.id,
    button: 'B',
    state,
    items,
    startedAt,
  },
});
const skips: [skipped: Sentence, included: Sentence] = [
  { text: 'They are skipped.' },
  { text: 'They are included.' },
];
const builder: BatchBuilder = {
  ...{ name: 'Tiny', isText: true, toContinue: { text: 'Go on.' } },
  toRepeat: () => ({ text: 'send it alone' }),
  skips: { skipsSent: skips, skipsChanged: skips, skipsSentSingly: skips },
};
const text = (one: Batch<object>, previous: PreviousBatch<object> = {}, action = send) =>
  batchText(batchPart(action, batchView(action, one, previous), builder));

const ended = batch('ended', [
  { who: 'Ada', outcome: 'done' },
  { who: 'Bob', outcome: 'failed', message: 'No number.' },
  { who: 'Cid', outcome: 'failed', message: 'No number.' },
  { who: 'Dan', outcome: 'not-run' },
]);

const first = 'First message: From “+14155550100”, To “+12025550101”, Body “Hello”';

const cases: [what: string, text: string, lines: string[]][] = [
  [
    'a preview: who gets it, the first message, its cost, and who is skipped why',
    text(
      batch('preview', [
        ...[waiting('Ada'), waiting('Bob', '+12025550102'), { who: 'Cid', outcome: 'duplicate' }],
        { who: 'Dan', outcome: 'already-done' },
        { who: 'Eve', outcome: 'failed', message: 'No number.' },
      ] as RowItem[]),
    ),
    [
      'Send SMS for 2 rows: Ada, Bob',
      first,
      'Cost: 2 SMS segments to 2 people. Country: US. Sender: +14155550100.',
      'Skipping 1 row: already sent.',
      'Skipping 1 row: same message as another row.',
      'Skipping 1 row:',
      'Eve: No number.',
    ],
  ],
  [
    'a preview: which rows have the same number',
    text(
      batch('preview', [
        { ...waiting('Ada'), to: '+12025550101' },
        { ...waiting('Bob', '+12025550102'), to: '+12025550102' },
        { who: 'Cid', to: '+12025550101', outcome: 'duplicate' },
        { who: 'Dan', to: '+12025550102', outcome: 'already-done' },
        // None of these is sent.
        { who: 'Eva', to: '+12025550103', outcome: 'already-done' },
        { who: 'Flo', to: '+12025550103', outcome: 'duplicate' },
        { who: 'Gus', to: '+12025550103', outcome: 'duplicate' },
      ] as RowItem[]),
    ),
    [
      'Send SMS for 2 rows: Ada, Bob',
      first,
      'Cost: 2 SMS segments to 2 people. Country: US. Sender: +14155550100.',
      'Skipping 2 rows: already sent.',
      'Skipping 3 rows: same message as another row.',
      '1 number is in several of these rows:',
      'Ada, Cid',
    ],
  ],
  [
    'a result: what was delivered, and why the rest was not',
    text({
      ...batch('ended', [
        { who: 'Ada', outcome: 'done', delivery: 'read' },
        { who: 'Bob', outcome: 'done', delivery: 'undelivered: Blocked' },
        { who: 'Cid', outcome: 'done', delivery: 'undelivered' },
        { who: 'Dan', outcome: 'done' },
      ]),
      checkedAt: 0,
    }),
    [
      'Send SMS: 4 sent.',
      'Delivery on 1970-01-01 00:00:00 UTC: 1 delivered, 2 not delivered, 1 not yet known.',
      'Bob: Blocked',
      'Cid: failed',
      'Go on.',
    ],
  ],
  [
    'a preview of many rows: the first ten',
    text(
      batch(
        'preview',
        Array.from({ length: 12 }, (_, index) => waiting(`P${index}`)),
      ),
    ),
    [
      'Send SMS for 12 rows: P0, P1, P2, P3, P4, P5, P6, P7, P8, P9, and 2 more',
      first,
      'Cost: 12 SMS segments to 1 person. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a preview: which rows are repeated',
    text(
      batch('preview', [
        { ...waiting('Ada'), isRepeated: true },
        { ...waiting('Bob', '+12025550102'), isRepeated: true },
      ]),
    ),
    [
      'This was already sent to 2 of these rows. They are included.',
      'Send SMS for 2 rows: Ada, Bob',
      first,
      'Cost: 2 SMS segments to 2 people. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a preview: rows that already got the same text, skipped',
    text(batch('preview', [{ who: 'Bob', outcome: 'already-done', isRepeated: true }])),
    [
      'This was already sent to 1 of these rows. They are skipped.',
      'Nothing is left to send: all rows are skipped.',
    ],
  ],
  [
    'a preview: rows that an earlier batch scheduled, and the time of the first message',
    text(
      batch('preview', [
        { who: 'Ada', outcome: 'already-done', isScheduled: true },
        { who: 'Bob', outcome: 'already-done', isScheduled: true, isRepeated: true },
        {
          ...{ who: 'Cid', outcome: 'waiting' },
          values: { to: '+12025550103', sendAt: '2026-11-30T09:00:00Z' },
        },
      ]),
      {},
      later,
    ),
    [
      'This was already sent to, or scheduled for, 1 of these rows. They are skipped.',
      'Send a Message for 1 row: Cid',
      'First message: To “+12025550103”, Send at “2026-11-30 09:00:00 UTC”',
      'Country: US.',
      'Skipping 1 row: already sent or scheduled.',
    ],
  ],
  [
    'a preview: rows that an earlier batch sent another text, skipped',
    text(
      batch('preview', [
        waiting('Ada'),
        { who: 'Bob', outcome: 'already-done', isChanged: true },
        { who: 'Cid', outcome: 'unknown', message: 'Check the log.', isChanged: true },
        { who: 'Dan', outcome: 'already-done' },
      ]),
    ),
    [
      'An earlier batch sent another text to 2 of these rows within the last day. They are skipped.',
      'Send SMS for 1 row: Ada',
      first,
      'Cost: 1 SMS segment to 1 person. Country: US. Sender: +14155550100.',
      'Skipping 1 row: already sent.',
      'Skipping 1 row:',
      'Cid: Check the log.',
    ],
  ],
  [
    'a preview: rows that an earlier batch sent another text, included',
    text(batch('preview', [{ ...waiting('Ada'), isChanged: true }])),
    [
      'An earlier batch sent another text to 1 of these rows within the last day. They are included.',
      'Send SMS for 1 row: Ada',
      first,
      'Cost: 1 SMS segment to 1 person. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a preview: rows that an earlier batch and those that a button sent another text, each with their own decision',
    text(
      batch('preview', [
        { ...waiting('Ada'), isSentSingly: true },
        { who: 'Bob', outcome: 'already-done', isChanged: true },
      ]),
    ),
    [
      'An earlier batch sent another text to 1 of these rows within the last day. They are skipped.',
      'A button, trigger, workflow or flow sent another text to 1 of these rows within the last day. They are included.',
      'Send SMS for 1 row: Ada',
      first,
      'Cost: 1 SMS segment to 1 person. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a preview that is shown again: that it was not started',
    text({ ...batch('preview', [waiting('Ada')]), isShownAgain: true }),
    [
      'Not started: the rows that are left have changed since you opened this preview, for example through another batch.',
      'Send SMS for 1 row: Ada',
      first,
      'Cost: 1 SMS segment to 1 person. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a preview of rows in progress: they are only checked',
    text(batch('preview', [{ ...waiting('Ada'), isPending: true }])),
    ["Outcome unknown: 1 row. The plugin checks the account's log and sends nothing twice: Ada"],
  ],
  [
    'a preview in which no row can be sent: why',
    text(batch('preview', [{ who: 'Bob', outcome: 'failed', message: 'No number.' }])),
    ['Nothing is left to send: all rows are skipped.', 'Skipping 1 row:', 'Bob: No number.'],
  ],
  [
    'a text of several lines in one',
    text(batch('preview', [withBody('Hello\nSkipping 0 rows: nothing.')])),
    [
      'Send SMS for 1 row: Ada',
      'First message: From “+14155550100”, To “+12025550101”, Body “Hello Skipping 0 rows: nothing.”',
      'Cost: 1 SMS segment to 1 person. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a preview after another batch: its result',
    text(batch('preview', [waiting('Ada')]), { batch: ended }),
    [
      'The last batch started on 1970-01-01 00:00:00 UTC: 1 sent, 2 failed, 1 not run.',
      'Send SMS for 1 row: Ada',
      first,
      'Cost: 1 SMS segment to 1 person. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a preview during another batch',
    text(batch('preview', [waiting('Ada')]), { batch: { ...ended, state: 'running' } }),
    [
      'The last batch started on 1970-01-01 00:00:00 UTC and is in progress.',
      'Send SMS for 1 row: Ada',
      first,
      'Cost: 1 SMS segment to 1 person. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a preview after a deleted batch',
    text(batch('preview', [waiting('Ada')]), { isDeleted: true }),
    [
      "The result of the last batch was deleted, so the plugin can't skip rows that it sent.",
      'Send SMS for 1 row: Ada',
      first,
      'Cost: 1 SMS segment to 1 person. Country: US. Sender: +14155550100.',
    ],
  ],
  [
    'a batch in progress: what has ended',
    text(batch('running', [waiting('Ada'), { who: 'Bob', outcome: 'done' }], Date.now())),
    ['1 of 2: 1 sent, 1 waiting'],
  ],
  [
    'a result: the rows of each problem, and how to continue',
    text(ended),
    ['Send SMS: 1 sent, 2 failed, 1 not run.', 'Bob, Cid: No number.', 'Dan: not run', 'Go on.'],
  ],
  [
    'a result with many problems: the first three rows of each',
    text(
      batch(
        'ended',
        Array.from({ length: 9 }, (_, index): RowItem => ({ who: `P${index}`, outcome: 'failed' })),
      ),
    ),
    ['Send SMS: 0 sent, 9 failed.', 'P0, P1, P2 and 6 more: failed'],
  ],
  [
    'a result: how many rows were only found in the log',
    text(
      batch('ended', [
        { who: 'Ada', outcome: 'done' },
        { who: 'Bob', outcome: 'done', isConfirmed: true },
      ]),
    ),
    ['Send SMS: 2 sent.', "Found in the account's log, so not sent again: 1 row."],
  ],
  [
    'an interrupted batch: how to continue',
    text(batch('interrupted', [{ who: 'Ada', outcome: 'unknown' }])),
    [
      "Tiny stopped during this batch. If you continue, the plugin skips rows already sent, and checks rows in progress in the account's log first.",
      ...['Send SMS: 0 sent, 1 unknown.', 'Ada: unknown', 'Go on.'],
    ],
  ],
  [
    'a result whose messages were not all delivered: how to send them again',
    text(batch('ended', [{ who: 'Ada', outcome: 'done' }]), { undelivered: 1 }),
    ['Send SMS: 1 sent.', '1 message was not delivered.', 'Go on.'],
  ],
  [
    'a result with an unknown row: how to repeat it',
    text(batch('ended', [{ who: 'Ada', outcome: 'unknown', message: 'Check the log.' }])),
    [
      'Send SMS: 0 sent, 1 unknown.',
      'Ada: Check the log.',
      "The next batch checks unknown rows again, but never repeats them. To repeat one that is not in your account's log, send it alone.",
    ],
  ],
];
test.each(cases)('says of %s', (_, said, lines) => {
  expect(said.split('\n')).toEqual(lines);
});

const errors: [outcome: RowItem['outcome'][], code: string | undefined][] = [
  [['done', 'already-done', 'duplicate'], undefined],
  [['done', 'not-run'], 'aborted'],
  [['not-run', 'failed'], 'rejected'],
  [['failed', 'unknown', 'not-run'], 'unknown-outcome'],
];
test.each(errors)('the error of a batch with %j has the code %j', (outcomes, code) => {
  const items = outcomes.map((outcome): RowItem => ({ who: 'Ada', outcome }));
  const error = batchError(send, items, builder);
  expect(error?.code).toBe(code);
  if (error) expect(`Send SMS: ${error.message}`).toBe(text(batch('ended', items)));
});

const page: BatchBuilder = { name: 'Tiny', toRepeat: builder.toRepeat, table: 'People' };
const partOf = (one: Batch<object>) => batchPart(send, batchView(send, one), page);
const failed = (who: string): RowItem => ({ who, outcome: 'failed', message: 'No number.' });
const notRun: RowItem = { who: 'Fay', outcome: 'not-run' };

test.each<[what: string, items: RowItem[], tone: string]>([
  ['without problems', [{ who: 'Ada', outcome: 'done' }], 'success'],
  ['that its user stopped', [notRun], 'warning'],
  ['that a setting ended', [{ ...notRun, message: 'The account is suspended.' }], 'danger'],
  ['with a failure', [notRun, failed('Cid')], 'danger'],
  ['with an unknown outcome', [{ who: 'Ada', outcome: 'unknown' }], 'danger'],
])('draws the result of a batch %s in its color', (_, items, tone) => {
  expect(partOf(batch('ended', items)).sections[0]).toMatchObject({ tone, isStatus: true });
});

const buttons: [state: Batch<object>['state'], items: RowItem[], labels: string[]][] = [
  ['preview', [waiting('Ada')], ['Send 1 SMS', 'Cancel']],
  ['preview', [{ ...waiting('Ada'), isPending: true }], ["Check the account's log", 'Cancel']],
  ['preview', [failed('Cid')], ['Close']],
  ['running', [waiting('Ada')], ['Stop']],
  ['ended', [failed('Cid')], ['Download as CSV', 'Delete this batch', 'Close']],
  ['ended', [notRun], ['Continue', 'Download as CSV', 'Delete this batch', 'Close']],
  ['interrupted', [failed('Cid')], ['Continue', 'Download as CSV', 'Delete this batch', 'Close']],
];
test.each(buttons)('offers the buttons of a batch that is %s with %j', (state, items, labels) => {
  expect(partOf(batch(state, items)).buttons.map(({ label }) => inEnglish(label))).toEqual(labels);
});

test('offers to retry what was not delivered', () => {
  const view = batchView(send, batch('ended', [{ who: 'Ada', outcome: 'done' }]), {
    undelivered: 2,
  });
  expect(batchPart(send, view, page).buttons[0]).toEqual({
    ...{ id: 'continue', isPrimary: true, label: { text: "Retry what wasn't delivered" } },
  });
});

test.each<[number | undefined, Partial<RowItem>, boolean]>([
  [undefined, {}, true],
  [0, {}, true],
  [0, { delivery: 'delivered' }, false],
])('offers to check what was delivered until that is known', (checkedAt, row, isOffered) => {
  const rows: RowItem[] = [{ who: 'Ada', outcome: 'done', ...row }];
  const checked = checkedAt === undefined ? {} : { checkedAt };
  const view = batchView(send, { ...batch('ended', rows), ...checked });
  const { buttons } = batchPart(send, view, { ...page, checksDelivery: true });
  expect(buttons.some(({ id }) => id === 'check')).toBe(isOffered);
  expect(batchPart(send, view, page).buttons.some(({ id }) => id === 'check')).toBe(false);
});

test('a page folds the names of a problem of many rows, and lists all rows', () => {
  const who = Array.from({ length: 12 }, (_, index) => `P${index}`);
  const { sections } = partOf(batch('ended', [...who.map(failed), failed('Cid')]));
  expect(sections.slice(1)).toEqual([
    { sentences: [expect.anything()], names: [...who, 'Cid'], isFolded: true },
    { sentences: [expect.anything()], isTable: true },
  ]);
  expect(sections.slice(1).flatMap(({ sentences }) => sentences.map(inEnglish))).toEqual([
    '13 rows: No number.',
    'All 13 rows',
  ]);
});

const { batch: _, ...unnamed } = send;
test.each<[of: Action, count: number, label: string]>([
  [send, 1, 'Send 1 SMS'],
  [send, 20, 'Send 20 SMS'],
  [unnamed, 1, 'Send SMS once'],
  [unnamed, 20, 'Send SMS 20 times'],
])('the button of a batch names the count: %#', (of, count, label) => {
  const preview = batch('preview', Array(count).fill(waiting('Ada')));
  const { buttons } = batchPart(of, batchView(of, preview, {}), builder);
  expect(buttons.map((one) => inEnglish(one.label))).toContain(label);
});
