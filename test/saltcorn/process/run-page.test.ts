import type { Previous, SaltcornBatch } from '../../../plugin/saltcorn/bulk/batch-context.ts';
import { definitions, type RowItem } from '../../../src/builder.ts';
import { startTables } from '../host.ts';

// The page of a batch. `bulk-run.test.ts` tests it in Saltcorn.

let page: typeof import('../../../plugin/saltcorn/bulk/run-page.ts');

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;

beforeAll(async () => {
  await startTables();
  page = await import('../../../plugin/saltcorn/bulk/run-page.ts');
});

const values = { from: '+14155550100', to: '+12025550103', body: 'Hello\n<b>' };
const waiting = (who: string): RowItem => ({ who, outcome: 'waiting', values });
const inProgress: RowItem = { ...waiting('Bea'), isPending: true };
const done: RowItem = { who: 'Ada', outcome: 'done' };
const before: RowItem = { who: 'Bob', outcome: 'already-done' };
const same: RowItem = { who: 'Eve', outcome: 'duplicate' };
const failed: RowItem = { who: 'Cid', outcome: 'failed', message: 'No <number>.' };
const unknown: RowItem = { who: 'Dan', outcome: 'unknown' };
const notRun: RowItem = { who: 'Fay', outcome: 'not-run' };

/** Finds the place of the next part, which keeps its height. */
const place = "const run = $('#run-K1'); run.css('min-height', run.outerHeight())";

const run = (
  state: SaltcornBatch['state'],
  items: RowItem[],
  changes: Partial<SaltcornBatch> = {},
): SaltcornBatch => ({
  ...{ key: 'K1', owner: 'user 1', actionId: send.id, button: 'B' },
  ...{ context: { tableName: 'People' }, state, items, ...changes },
});

/** The text of a part, a line for each element. */
const linesOf = (html: string) =>
  html
    .replace(/<script>.*?<\/script>/g, '')
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
const linesOfPart = (one: SaltcornBatch, last: Previous = {}) =>
  linesOf(page.runPart(send, one, last, true));

const example = [
  ...['First message:', 'From', '+14155550100', 'To', '+12025550103'],
  ...['Body', 'Hello\n&lt;b&gt;'],
];
const testForm = [
  ...['Your number', 'Send me a test'],
  'Sends the first message to this number only. The rows get theirs when you start the batch.',
];
// All rows of these tests send the same text to the same person.
const cost = (segments: string) =>
  `Cost: ${segments} to 1 person. Country: US. Sender: +14155550100.`;
const many = Array.from({ length: 12 }, (_, index) => waiting(`P${index + 1}`));

test.each<[what: string, items: RowItem[], lines: string[]]>([
  [
    'one row',
    [waiting('Ann')],
    [
      'Send SMS for 1 row of “People”:',
      'Ann',
      ...example,
      cost('1 SMS segment'),
      ...testForm,
      'Send 1 SMS',
      'Cancel',
    ],
  ],
  [
    'ten rows',
    many.slice(0, 10),
    [
      'Send SMS for 10 rows of “People”:',
      ...many.slice(0, 10).map(({ who }) => who),
      ...[...example, cost('10 SMS segments'), ...testForm, 'Send 10 SMS', 'Cancel'],
    ],
  ],
  [
    'more than ten rows',
    many,
    [
      'Send SMS for 12 rows of “People”:',
      ...many.slice(0, 10).map(({ who }) => who),
      ...[
        'and 2 more',
        ...example,
        cost('12 SMS segments'),
        ...testForm,
        'All 12 rows',
        'Send 12 SMS',
        'Cancel',
      ],
    ],
  ],
  [
    'rows with all outcomes',
    [before, same, failed, unknown, inProgress, waiting('Ann'), waiting('<Bo>')],
    [
      ...['Send SMS for 2 rows of “People”:', 'Ann', '&lt;Bo&gt;', ...example],
      cost('2 SMS segments'),
      ...testForm,
      'Skipping 1 row: already sent.',
      'Skipping 1 row: same message as another row.',
      "Outcome unknown: 1 row. The plugin checks the account's log and sends nothing twice:",
      ...['Bea', 'Skipping 2 rows:', 'Cid: No &lt;number&gt;.'],
      ...['Dan: unknown', 'Send 2 SMS', 'Cancel'],
    ],
  ],
  [
    'rows that are repeated',
    ['Ann', 'Bo', 'Cy', 'Di', 'Ed'].map((who, index) => ({
      ...{ ...waiting(who), values: { ...values, to: `+1202555010${index}` } },
      ...(index === 0 && { isRepeated: true }),
    })),
    [
      'This was already sent to 1 of these rows.',
      'Skip these rows',
      ...['Send SMS for 5 rows of “People”:', 'Ann', 'Bo', 'Cy', 'Di', 'Ed', 'First message:'],
      ...example.slice(1).map((line) => line.replace(/^\+1202555.*/, '+12025550100')),
      'Cost: 5 SMS segments to 5 people. Country: US. Sender: +14155550100.',
      ...[...testForm, 'Send 5 SMS', 'Cancel'],
    ],
  ],
  [
    'rows that an earlier batch sent another text, skipped',
    [{ ...before, isChanged: true }, { ...unknown, isChanged: true }, before, waiting('Ann')],
    [
      'An earlier batch sent another text to 2 of these rows within the last day.',
      ...['Skip these rows', 'Send SMS for 1 row of “People”:', 'Ann', ...example],
      cost('1 SMS segment'),
      ...testForm,
      ...['Skipping 1 row: already sent.', 'Skipping 1 row:', 'Dan: unknown'],
      ...['Send 1 SMS', 'Cancel'],
    ],
  ],
  [
    'rows that were started before',
    [inProgress, inProgress],
    [
      "Outcome unknown: 2 rows. The plugin checks the account's log and sends nothing twice:",
      ...['Bea', 'Bea', "Check the account's log", 'Cancel'],
    ],
  ],
  [
    'rows of which none is left',
    [before, failed],
    [
      'Nothing is left to send: all rows are skipped.',
      ...['Skipping 1 row: already sent.', 'Skipping 1 row:', 'Cid: No &lt;number&gt;.', 'Close'],
    ],
  ],
])('shows the preview of %s', (_, items, lines) => {
  expect(linesOfPart(run('preview', items))).toEqual(lines);
});

const startedAt = '2026-11-22T11:59:00.000Z';
const last = (state: SaltcornBatch['state'], items: RowItem[]) => ({
  batch: run(state, items, { startedAt: Date.parse(startedAt) }),
});
const onDate = ['The last batch started on', 'Sun, 22 Nov 2026 11:59:00 GMT'];
test.each<[what: string, before: Previous, lines: string[]]>([
  ['ended', last('ended', [done, failed]), [...onDate, ': 1 sent, 1 failed.', 'View batch']],
  [
    'is in progress',
    last('running', [done, inProgress]),
    [...onDate, 'and is in progress.', 'View batch'],
  ],
  [
    'was deleted',
    { isDeleted: true },
    ["The result of the last batch was deleted, so the plugin can't skip rows that it sent."],
  ],
])('shows the preview after a batch that %s', (_, one, lines) => {
  const said = linesOfPart(run('preview', [waiting('Ann')]), one);
  expect(said.slice(0, lines.length)).toEqual(lines);
});

const columns = { outcome: 'a', sid: 'b', time: 'c' };
test('with columns that record outcomes, the preview does not mention a deleted batch', () => {
  const one = run('preview', [waiting('Ann')], { isRecorded: true });
  expect(linesOfPart(one, { isDeleted: true })[0]).toBe('Send SMS for 1 row of “People”:');
});

const lost = `&lt;p class=\\&quot;alert alert-danger mt-2 mb-0\\&quot; role=\\&quot;status\\&quot;&gt;Saltcorn did not respond, so the outcome is unknown. ${send.ifUnknown}&lt;/p&gt;`;
const form = [
  `<form class="mb-3" onsubmit="const buttons = $('#run-K1 button:not([data-bs-dismiss])').prop('disabled', true); `,
  `const result = $('#test-K1').text('Testing…'); `,
  `result.load('/telephony/run/K1/test', { _csrf: _sc_globalCsrf, recipient: this.recipient.value }, `,
  `(_, status) =&gt; { buttons.prop('disabled', false); if (status === 'error') result.html(&quot;${lost}&quot;); }); return false">`,
  '<label for="number-K1" class="form-label">Your number</label><div class="input-group">',
  '<input type="tel" name="recipient" id="number-K1" class="form-control" autocomplete="tel" placeholder="+14155550123" aria-describedby="help-K1">',
  '<button type="submit" class="btn btn-outline-primary">Send me a test</button></div>',
  '<div id="help-K1" class="small">Sends the first message to this number only. The rows get theirs when you start the batch.</div>',
  '<div id="test-K1"></div></form>',
].join('');

test('a preview shows the exact message, a Send button and a Cancel button', () => {
  const { from: _, ...sent } = values;
  const ann = { ...waiting('Ann'), values: sent };
  expect(page.runPart(send, run('preview', [ann]), last('ended', [done]), true)).toBe(
    [
      `<p class="alert alert-warning">The last batch started on <telephony-time lang="en"><time datetime="${startedAt}">Sun, 22 Nov 2026 11:59:00 GMT</time></telephony-time>: 1 sent. <a href="/telephony/run/K1" target="_blank" class="alert-link">View batch</a></p>`,
      '<p>Send SMS for 1 row of “People”:</p><ul><li>Ann</li></ul><p>First message:</p>',
      '<dl class="row border rounded mx-0 py-2">',
      '<dt class="col-sm-3">To</dt><dd class="col-sm-9" style="white-space: pre-wrap">+12025550103</dd>',
      '<dt class="col-sm-3">Body</dt><dd class="col-sm-9" style="white-space: pre-wrap">Hello\n&lt;b&gt;</dd></dl>',
      '<p>Cost: 1 SMS segment to 1 person. Country: US.</p>',
      form,
      `<button type="button" class="btn btn-primary me-2 mb-2" onclick="this.disabled = true; ${place}.load('/telephony/run/K1/start', { _csrf: _sc_globalCsrf }, (_, status) =&gt; { this.disabled = false; apply_showif(); run.closest('.modal, html').scrollTop(0); })">Send 1 SMS</button>`,
      `<button type="button" class="btn btn-outline-primary me-2 mb-2" data-bs-dismiss="modal" onclick="if (!this.closest('.modal')) window.close()">Cancel</button>`,
    ].join(''),
  );
});

test('a preview offers a test of an action with one recipient only', () => {
  const fields = (keep: (key: string) => boolean) => send.fields.filter(({ key }) => keep(key));
  const another = { ...send.fields[1], key: 'copyTo' } as (typeof send.fields)[number];
  const { batch: _, ...others } = send;
  const tested: [action: typeof send, lines: string[]][] = [
    [{ ...send, fields: fields((key) => key !== 'to') }, []],
    [{ ...send, fields: [...send.fields, another] }, []],
    [
      others,
      [
        ...['Your number', 'Test'],
        'Runs the first row with this number instead. The rows run when you start the batch.',
      ],
    ],
  ];
  for (const [action, lines] of tested) {
    const shown = linesOf(page.runPart(action, run('preview', [waiting('Ann')]), {}, true));
    expect(shown.slice(shown.findIndex((line) => line.startsWith('Cost:')) + 1, -2)).toEqual(lines);
  }
});

test('a result shows the names collapsed', () => {
  expect(page.runPart(send, run('ended', [done]), {})).toMatch(
    /^<p class="alert alert-success" role="status">Send SMS: 1 sent.<\/p><details class="mb-3"><summary>1 row sent<\/summary><ul><li>Ada<\/li><\/ul><\/details><a href="\/telephony\/run\/K1\/csv" download class="btn btn-outline-primary me-2 mb-2">Download as CSV<\/a><button/,
  );
});

const show = (part: string, place: string, wait: number) =>
  [
    `<script>setTimeout(function show(place) { if (place.isConnected) $(place).load('/telephony/run/K1/${part}', (_, status) => { `,
    "if (status !== 'error') return; $(place).find('[role=status]').text('Saltcorn is not responding. Trying again …'); setTimeout(show, 700, place); ",
    `}); }, ${wait}, document.getElementById('${place}'));</script>`,
  ].join('');

test('shows the progress and a Stop button', () => {
  const items = [done, before, same, failed, waiting('Ann'), inProgress, notRun];
  const said = '3 of 5: 1 sent, 2 skipped, 1 failed, 1 not run, 2 waiting';
  const counts = [
    `<p role="status">${said}</p>`,
    `<progress class="w-100 mb-3" value="3" max="5" aria-label="${said}"></progress>`,
    show('progress', 'progress-K1', 700),
  ].join('');
  expect(page.runPart(send, run('running', items), {})).toBe(
    [
      `<div id="progress-K1">${counts}</div>`,
      `<button type="button" class="btn btn-outline-primary me-2 mb-2" onclick="this.disabled = true; this.textContent = 'Stopping …'; $.post('/telephony/run/K1/stop', { _csrf: _sc_globalCsrf }).fail(() =&gt; { this.disabled = false; this.textContent = 'Stop'; })">Stop</button>`,
    ].join(''),
  );
  expect(page.progressPart(send, run('running', items))).toBe(counts);
});

test('after a stop, the button says so in every tab', () => {
  const stopping = run('running', [done, inProgress], { isStopping: true });
  expect(page.runPart(send, stopping, {})).toMatch(
    /<button type="button" class="btn btn-outline-primary me-2 mb-2" disabled [^>]*>Stopping …<\/button>$/,
  );
  expect(page.progressPart(send, stopping)).toContain(
    "<script>$('#progress-K1').next().prop('disabled', true).text('Stopping …');</script>",
  );
});

test.each([
  ['ended', run('ended', [done])],
  ['was interrupted', run('interrupted', [done])],
])('replaces the progress with the result of a batch that %s', (_, over) => {
  expect(page.progressPart(send, over)).toBe(show('part', 'run-K1', 0));
});

test.each<[what: string, items: RowItem[], style: string, lines: string[]]>([
  [
    'every row was sent',
    [done, done, before],
    'success',
    [
      'Send SMS: 2 sent, 1 skipped.',
      '2 rows sent',
      'Ada',
      'Ada',
      'Download as CSV',
      'Delete this batch',
      'Close',
    ],
  ],
  [
    'some rows were not sent',
    [done, failed, unknown, notRun, same],
    'danger',
    [
      'Send SMS: 1 sent, 1 skipped, 1 failed, 1 unknown, 1 not run.',
      ...['Cid: No &lt;number&gt;.', 'Dan: unknown', 'Fay: not run'],
      "The next batch checks unknown rows again, but never repeats them. To repeat one that is not in your account's log, use the action “Send SMS” on a page or list with that row, not “Send SMS for each row”.",
      ...['1 row sent', 'Ada', 'To continue, press the button again.', 'Continue'],
      'Download as CSV',
      'Delete this batch',
      'Close',
    ],
  ],
  [
    'the user stopped it',
    [done, ...many.map((item): RowItem => ({ ...item, outcome: 'not-run' }))],
    'warning',
    [
      'Send SMS: 1 sent, 12 not run.',
      ...['12 rows: not run', ...many.map(({ who }) => who)],
      ...['1 row sent', 'Ada', 'All 13 rows', 'To continue, press the button again.', 'Continue'],
      'Download as CSV',
      'Delete this batch',
      'Close',
    ],
  ],
  [
    'no row was sent',
    [failed],
    'danger',
    [
      'Send SMS: 0 sent, 1 failed.',
      'Cid: No &lt;number&gt;.',
      'Download as CSV',
      'Delete this batch',
      'Close',
    ],
  ],
])('shows the result if %s', (_, items, style, lines) => {
  const ended = run('ended', items);
  expect(linesOfPart(ended)).toEqual(lines);
  expect(page.runPart(send, ended, {})).toMatch(
    new RegExp(`^<p class="alert alert-${style}" role="status">`),
  );
});

test('says what to do after an interrupted batch', () => {
  const items = [done, unknown];
  expect(linesOfPart(run('interrupted', items))).toEqual([
    "Saltcorn stopped during this batch. If you continue, the plugin skips rows already sent, and checks rows in progress in the account's log first.",
    ...['Send SMS: 1 sent, 1 unknown.', 'Dan: unknown'],
    ...[
      '1 row sent',
      'Ada',
      'To continue, press the button again.',
      'Continue',
      'Download as CSV',
      'Delete this batch',
      'Close',
    ],
  ]);
  const context = { tableName: 'People', columns };
  expect(linesOfPart(run('interrupted', [done, notRun], { context }))).toEqual([
    "Saltcorn stopped during this batch. Each row's outcome is stored in “People”. If you continue, the plugin checks rows in progress in the account's log first, and sends nothing twice.",
    ...['Send SMS: 1 sent, 1 not run.', 'Fay: not run', '1 row sent', 'Ada'],
    ...[
      'To continue, press the button again.',
      'Continue',
      'Download as CSV',
      'Delete this batch',
      'Close',
    ],
  ]);
});

test('says how to repeat an unknown row whose outcome is in a column', () => {
  const context = { tableName: 'People', columns };
  expect(linesOfPart(run('ended', [unknown], { context }))).toEqual([
    ...['Send SMS: 0 sent, 1 unknown.', 'Dan: unknown'],
    "The next batch checks unknown rows again, but never repeats them. To repeat one that is not in your account's log, empty its “a” and press the button again.",
    'Download as CSV',
    'Delete this batch',
    'Close',
  ]);
});

test.each<[what: string, context: SaltcornBatch['context'], question: string]>([
  [
    'without columns for outcomes',
    { tableName: 'People' },
    'Delete this batch? The plugin then no longer knows who got it, so the next batch may send to the same people again. The rows of “People” and the messages sent are not deleted.',
  ],
  [
    'with columns for outcomes',
    { tableName: 'Peo"ple', columns },
    'Delete this batch? Only this result is deleted. The rows of “Peo\\&quot;ple” still record who got it, so the next batch skips them.',
  ],
])('confirms the deletion of a batch %s', (_, context, question) => {
  expect(page.runPart(send, run('ended', [done], { context }), {})).toContain(
    `onclick="if (confirm(&quot;${question}&quot;)) { this.disabled = true; ${place}.load('/telephony/run/K1/delete'`,
  );
});

test('a page shows one part at a time in the same element', () => {
  const one = run('ended', [done]);
  expect(page.runPage(send, one, {})).toBe(
    `<div id="run-K1" class="telephony-batch py-2 text-break" aria-live="polite">${page.runPart(send, one, {})}</div>`,
  );
});
