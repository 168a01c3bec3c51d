import type { Run } from '../../../plugin/saltcorn/bulk/stored-run.ts';
import { definitions, type RowItem } from '../../../src/index.ts';
import { startTables } from '../host.ts';

// What a person is told of something that is done for rows. That a browser shows it is tested in `bulk-run.test.ts`.

let page: typeof import('../../../plugin/saltcorn/bulk/run-page.ts');

const [action] = definitions.actions.filter(({ id }) => id === 'send-sms');
if (!action) throw new Error('The action of the tests is gone.');
const send = action;
const now = Date.UTC(2026, 10, 22, 12);

beforeAll(async () => {
  await startTables();
  page = await import('../../../plugin/saltcorn/bulk/run-page.ts');
});
beforeEach(() => void jest.spyOn(Date, 'now').mockReturnValue(now));
afterEach(() => jest.restoreAllMocks());

const values = { from: '+14155550100', to: '+12025550103', body: 'Hello\n<b>' };
const waiting = (who: string): RowItem => ({ who, outcome: 'waiting', values });
const begun: RowItem = { ...waiting('Bea'), isPending: true };
const done: RowItem = { who: 'Ada', outcome: 'done' };
const before: RowItem = { who: 'Bob', outcome: 'before' };
const same: RowItem = { who: 'Eve', outcome: 'same' };
const failed: RowItem = { who: 'Cid', outcome: 'failed', message: 'No <number>.' };
const unknown: RowItem = { who: 'Dan', outcome: 'unknown' };
const untried: RowItem = { who: 'Fay', outcome: 'untried' };

type Changes = Partial<Run['body']>;
const run = (
  state: Run['body']['state'],
  items: RowItem[],
  changes: Changes = {},
  age = 0,
): Run => ({
  ...{ id: 1, type: 'run', name: 'K1', written_at: new Date(now - age) },
  body: {
    ...{ visitor: 'user 1', actionId: send.id, button: 'B', tableName: 'People' },
    ...{ state, items, ...changes },
  },
  update: async () => {},
  delete: async () => {},
});

/** What stands in a part, a line for each element. */
const linesOf = (html: string) =>
  html
    .replace(/<script.*<\/script>/, '')
    .split(/<[^>]*>/)
    .map((text) => text.trim())
    .filter((text) => text !== '');
const linesOfPart = (one: Run, last?: Run) => linesOf(page.runPart(send, one, last));

const example = [
  ...['The first one:', 'From', '+14155550100', 'To', '+12025550103'],
  ...['Body', 'Hello\n&lt;b&gt;'],
];
const many = Array.from({ length: 12 }, (_, index) => waiting(`P${index + 1}`));

test.each<[what: string, items: RowItem[], lines: string[]]>([
  [
    'one row',
    [waiting('Ann')],
    ['Send SMS for 1 row of “People”:', 'Ann', ...example, 'Send SMS once', 'Cancel'],
  ],
  [
    'ten rows',
    many.slice(0, 10),
    [
      'Send SMS for 10 rows of “People”:',
      ...many.slice(0, 10).map(({ who }) => who),
      ...[...example, 'Send SMS 10 times', 'Cancel'],
    ],
  ],
  [
    'more than ten rows',
    many,
    [
      'Send SMS for 12 rows of “People”:',
      ...many.slice(0, 10).map(({ who }) => who),
      ...['and 2 more', ...example, 'Send SMS 12 times', 'Cancel'],
    ],
  ],
  [
    'rows with all outcomes',
    [before, same, failed, unknown, begun, waiting('Ann'), waiting('<Bo>')],
    [
      ...['Send SMS for 2 rows of “People”:', 'Ann', '&lt;Bo&gt;', ...example],
      'Left out, since it is done: 1 row.',
      'Left out, since another one would send the same: 1 row.',
      'In progress when the last batch ended: 1 row. The plugin checks the message log and sends nothing twice:',
      ...['Bea', 'It cannot be done for 2 rows:', 'Cid: No &lt;number&gt;.'],
      ...['Dan: unknown, perhaps done', 'Send SMS 2 times', 'Cancel'],
    ],
  ],
  [
    'rows that were started before',
    [begun, begun],
    [
      'In progress when the last batch ended: 2 rows. The plugin checks the message log and sends nothing twice:',
      ...['Bea', 'Bea', 'Check the message log', 'Cancel'],
    ],
  ],
])('shows the preview of %s', (_, items, lines) => {
  expect(linesOfPart(run('asked', items))).toEqual(lines);
});

const startedAt = '2026-11-22T11:59:00.000Z';
const last = (state: 'running' | 'ended', items: RowItem[], age = 0, changes: Changes = {}) =>
  run(state, items, { startedAt, ...changes }, age);
const onDate = ['The last batch started on', 'Sun, 22 Nov 2026 11:59:00 GMT'];
test.each<[what: string, before: Run, lines: string[]]>([
  ['ended', last('ended', [done, failed]), [': 1 done, 1 failed.', 'See it']],
  ['is in progress', last('running', [done, begun]), ['and is in progress.', 'See it']],
  [
    'was interrupted',
    last('running', [done, waiting('Ann')], 60_000),
    [': 1 done, 1 unknown, perhaps done.', 'See it'],
  ],
])('shows the preview after a batch that %s', (_, one, lines) => {
  const said = linesOfPart(run('asked', [waiting('Ann')]), one);
  expect(said.slice(0, 2 + lines.length)).toEqual([...onDate, ...lines]);
});

test('a preview shows the exact message, a Send button and a Cancel button', () => {
  const { from: _, ...sent } = values;
  const ann = { ...waiting('Ann'), values: sent };
  const options = '%7B%22dateStyle%22%3A%22medium%22%2C%22timeStyle%22%3A%22short%22%7D';
  expect(page.runPart(send, run('asked', [ann]), last('ended', [done]))).toBe(
    [
      `<p class="alert alert-warning">The last batch started on <time datetime="${startedAt}" locale-options="${options}">Sun, 22 Nov 2026 11:59:00 GMT</time>: 1 done. <a href="/telephony/run/K1" target="_blank">See it</a></p>`,
      '<p>Send SMS for 1 row of “People”:</p><ul><li>Ann</li></ul><p>The first one:</p>',
      '<dl class="row border rounded mx-0 py-2">',
      '<dt class="col-sm-3">To</dt><dd class="col-sm-9" style="white-space: pre-wrap">+12025550103</dd>',
      '<dt class="col-sm-3">Body</dt><dd class="col-sm-9" style="white-space: pre-wrap">Hello\n&lt;b&gt;</dd></dl>',
      `<button type="button" class="btn btn-primary me-2" onclick="this.disabled = true; $('#run-K1').load('/telephony/run/K1/start', { _csrf: _sc_globalCsrf }, () =&gt; { this.disabled = false; })">Send SMS once</button>`,
      '<button type="button" class="btn btn-outline-primary" data-bs-dismiss="modal" autofocus>Cancel</button>',
    ].join(''),
  );
});

test('a result shows the names collapsed', () => {
  expect(page.runPart(send, run('ended', [done]), undefined)).toBe(
    '<p class="alert alert-success" role="status">Send SMS: 1 done.</p><details><summary>Done for 1 row</summary><ul><li>Ada</li></ul></details>',
  );
});

const show = (part: string, place: string, wait: number) =>
  `<script>setTimeout(function show(place) { if (place.isConnected) $(place).load('/telephony/run/K1/${part}', (_, status) => status === 'error' && setTimeout(show, 700, place)); }, ${wait}, document.getElementById('${place}'));</script>`;

test('shows the progress and a Stop button', () => {
  const items = [done, before, same, failed, waiting('Ann'), begun, untried];
  const counts = [
    '<p role="status">3 of 5</p>',
    '<progress class="w-100 mb-3" value="3" max="5" aria-label="3 of 5"></progress>',
    show('so-far', 'so-far-K1', 700),
  ].join('');
  expect(page.runPart(send, run('running', items), undefined)).toBe(
    [
      `<div id="so-far-K1">${counts}</div>`,
      `<button type="button" class="btn btn-outline-primary me-2" onclick="this.disabled = true; $('#run-K1').load('/telephony/run/K1/stop', { _csrf: _sc_globalCsrf }, () =&gt; { this.disabled = false; })">Stop</button>`,
    ].join(''),
  );
  expect(page.soFar(send, run('running', items))).toBe(counts);
});

test.each([
  ['ended', run('ended', [done])],
  ['was interrupted', run('running', [done], {}, 20_001)],
])('replaces the progress with the result of a batch that %s', (_, over) => {
  expect(page.soFar(send, over)).toBe(show('part', 'run-K1', 0));
});

test.each<[what: string, items: RowItem[], style: string, lines: string[]]>([
  [
    'every row was sent',
    [done, done, before],
    'success',
    ['Send SMS: 2 done, 1 done before.', 'Done for 2 rows', 'Ada', 'Ada'],
  ],
  [
    'some rows were not sent',
    [done, failed, unknown, untried, same],
    'danger',
    [
      'Send SMS: 1 done, 1 failed, 1 unknown, perhaps done, 1 the same as another row, 1 not tried.',
      ...['Cid: No &lt;number&gt;.', 'Dan: unknown, perhaps done', 'Fay: not tried'],
      ...['Done for 1 row', 'Ada'],
    ],
  ],
  [
    'no row was sent',
    [failed],
    'danger',
    ['Send SMS: 0 done, 1 failed.', 'Cid: No &lt;number&gt;.'],
  ],
])('shows the result if %s', (_, items, style, lines) => {
  const ended = run('ended', items, {}, 60_000);
  expect(linesOfPart(ended)).toEqual(lines);
  expect(page.runPart(send, ended, undefined)).toMatch(
    new RegExp(`^<p class="alert alert-${style}" role="status">`),
  );
});

test('says what to do after an interrupted batch', () => {
  const items = [done, waiting('Ann')];
  const notes = { outcome: 'sms', sid: 'sid', time: 'at' };
  expect(linesOfPart(run('running', items, {}, 20_001))).toEqual([
    'Saltcorn stopped during this batch. Press the button again to continue: rows already sent are skipped, and rows in progress are checked in the message log first.',
    ...['Send SMS: 1 done, 1 unknown, perhaps done.', 'Ann: unknown, perhaps done'],
    ...['Done for 1 row', 'Ada'],
  ]);
  expect(linesOfPart(run('running', items, { notes }, 20_001))).toEqual([
    "Saltcorn stopped during this batch. Each row's outcome is stored in “People”. Press the button again to continue: the plugin checks rows in progress in the message log first, and sends nothing twice.",
    ...['Send SMS: 1 done, 1 not tried.', 'Ann: not tried', 'Done for 1 row', 'Ada'],
  ]);
  expect(linesOfPart(run('running', items, {}, 20_000))).toEqual(['1 of 2', 'Stop']);
});

test('a page shows one part at a time in the same element', () => {
  const one = run('ended', [done]);
  expect(page.runPage(send, one, undefined)).toBe(
    `<div id="run-K1" class="py-2" aria-live="polite">${page.runPart(send, one, undefined)}</div>`,
  );
});
