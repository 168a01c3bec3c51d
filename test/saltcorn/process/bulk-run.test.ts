import { gateTo } from '../../support/gate.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';
import { button, createNative, createPage, createTrigger, forEveryone } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { type CrashLog, openCrashLog } from './crash-log.ts';
import { press } from './press.ts';

let host: Host;
let crashLog: CrashLog;
let website: Website;
let boss: Visitor;
let people: Loose;
type Module = typeof import('../../../plugin/saltcorn/bulk/batches.ts');
/** The batches in another process. */
let others: Module['batches'];

const configuration = {
  ...{ rows_table: 'People', rows_of_page: false },
  from: '+14155550100',
  to: '{{ phone }}',
  body: 'Dear {{ name }}, <b>& all</b>',
};
/** A formula that takes its time. */
const slowly = (value: string) =>
  `{{ (() => { const end = Date.now() + 40; while (Date.now() < end); return ${value}; })() }}`;
const names = Array.from({ length: 12 }, (_, index) => `P${String(index + 1).padStart(2, '0')}`);
const phoneOf = (name: string) => `+120255501${name.slice(1)}`;

beforeAll(async () => {
  host = await startSaltcorn();
  crashLog = openCrashLog();
  ({ batches: others } = require('../../../plugin/saltcorn/bulk/batches.ts'));
  website = await startWebsite();
  people = await createNative('People', { name: 'String', phone: 'String' }, [], forEveryone);
  await createTrigger({
    ...{ name: 'by a trigger', when_trigger: 'Never', action: 'Send SMS for each row' },
    configuration,
  });
  const steps = [
    { step_action_name: 'Send SMS for each row', ...configuration },
    { ...{ step_action_name: 'Send SMS', from: '+14155550100', to: '+12025550199' }, body: 'Then' },
  ];
  await createTrigger({
    ...{ name: 'steps', when_trigger: 'Never', action: 'Multi-step action' },
    configuration: { steps },
  });
  await createPage(
    'page',
    button('all', 'Send SMS for each row', configuration),
    button('some', 'Send SMS for each row', { ...configuration, rows_where: 'name < "P04"' }),
    button('many', 'Send SMS for each row', { ...configuration, rows_limit: 101 }),
    button('broken', 'Send SMS for each row', { ...configuration, body: '{{ nobody }}' }),
    button('slow', 'Send SMS for each row', {
      ...{ ...configuration, rows_limit: 200, body: `Dear ${slowly('name')}` },
    }),
    button('slow, to no one', 'Send SMS for each row', {
      ...{ ...configuration, rows_limit: 200, to: slowly("''") },
    }),
    button('trigger', 'by a trigger', {}),
    button('steps', 'steps', {}),
  );
});
beforeEach(async () => {
  boss = await website.user();
  await installPlugin(artefact, { ...host.settings, minimumRole: '40' });
  await saltcorn('data/db').deleteWhere('_sc_metadata', { type: { ilike: 'Telephony' } });
  await others.find('none', 'no one');
  await stored('delete');
  await people.deleteRows({});
  for (const name of names) await people.insertRow({ name, phone: phoneOf(name) });
  host.sandbox.messages.length = 0;
  host.sandbox.faults.clear();
});

// The clock never goes back: the plugin would wait for the time that it has seen.
let passed = 0;
beforeAll(() => {
  for (const clock of [performance, Date]) {
    const now = clock.now.bind(clock);
    jest.spyOn(clock, 'now').mockImplementation(() => now() + passed);
  }
});
afterAll(() => jest.restoreAllMocks());

/** Requests for the service's clock must not wait. */
const isSending = (path: string) => path.endsWith('/Messages.json');

/** Returns the store's entries as text, or deletes them. */
const stored = async (verb: 'select *' | 'delete'): Promise<string> =>
  JSON.stringify((await saltcorn('data/db').query(`${verb} from telephony_store`)).rows);

const sent = () => host.sandbox.messages.map(({ to }) => to).sort();
const text = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Presses a button of the page, which opens a preview. */
async function openPreview(visitor: Visitor, rndid = 'all'): Promise<string> {
  await visitor.get('/page/page');
  const { popup, notify } = await press(visitor, `/page/page/action/${rndid}`);
  if (!popup) throw new Error(notify);
  return popup;
}

const start = (visitor: Visitor, run: string) => visitor.post(`${run}/start`, {});

/** The text of a batch's page once it has ended. */
async function end(visitor: Visitor, run: string): Promise<string> {
  for (;;) {
    const part = await visitor.get(`${run}/part`);
    if (!part.includes('<progress')) return part;
  }
}

const mine = '+12025550199';

/** Tests a batch with a number, and returns what the dialog then says. */
const testWith = async (run: string, recipient: unknown, visitor = boss, more: object = {}) =>
  text(String(await visitor.post(`${run}/test`, { recipient, ...more })));

test.each([
  ['de', 'SMS senden für 12 Zeilen von „People“:', '12 SMS senden', 'Zeile Ergebnis Grund P01'],
  ['zh', '对“People”的 12 行执行“发送短信”：', '发送 12 条短信', '行 结果 原因 P01'],
])('the preview is in the language of the browser: %s', async (language, rows, label, table) => {
  const run = await openPreview(boss);
  const headers = { 'accept-language': language };
  const question = text(await boss.get(`${run}/part`, headers));
  expect(question.startsWith(rows)).toBe(true);
  expect(question).toContain(label);
  expect(text(await boss.get(`${run}/list`, headers))).toContain(table);
});

/** Opens the page of a batch while its rows are read, and returns what it shows and its part afterwards. */
async function whileReading(rndid: string) {
  for (let count = names.length; count < 140; count += 1)
    await people.insertRow({ name: `P${count + 1}`, phone: `+1202556${1_000 + count}` });
  const run = await openPreview(boss, rndid);
  const page = text(await boss.get(run));
  return { run, page, part: text(await end(boss, run)) };
}

test('the page of a batch whose formula is slow shows how many rows are read, then the preview', async () => {
  const { run, page, part } = await whileReading('slow');
  expect(page).toMatch(/Rows read: \d+ of 140 .*Close/);
  expect(part).toMatch(/^Send SMS for 140 rows of “People”: P01 /);
  expect(part).toContain('Dear P01');
  await start(boss, run);
  expect(text(await end(boss, run))).toContain('140 sent');
  expect(sent()).toHaveLength(140);
});

test('the page of a batch whose formula is slow says why there is no preview', async () => {
  const { page, part } = await whileReading('slow, to no one');
  expect(page).toMatch(/Rows read: \d+ of 140/);
  expect(part).toMatch(/^Send SMS: nothing was done\. P01, P02, P03 and 137 more: .*Close$/);
  expect(sent()).toEqual([]);
});

test('the page of a batch whose rows no process reads any more says so', async () => {
  await boss.get('/page/page');
  const { eval_js } = await boss.post('/page/page/action/all', {});
  const [, run] = /'(\/telephony\/run\/[\w-]+)\/rows'/.exec(eval_js) ?? [];
  expect(text(await boss.get(`${run}/part`))).toMatch(/^Rows read: 0 of 0/);
  passed += 31_000;
  expect(text(await boss.get(`${run}/part`))).toBe(
    'Saltcorn stopped while it read the rows. Nothing was sent. Press the button again. Close',
  );
});

test('the preview shows the number of rows, their names and the first message', async () => {
  const run = await openPreview(boss);
  const question = text(await boss.get(`${run}/part`));
  expect(question).toBe(
    [
      'Send SMS for 12 rows of “People”:',
      ...names.slice(0, 10).map((name) => `${name} (${phoneOf(name)})`),
      'and 2 more',
      'First message: From +14155550100 To +12025550101 Body Dear P01, &lt;b&gt;&amp; all&lt;/b&gt;',
      'Cost: 12 SMS segments to 12 people. Country: US. Sender: +14155550100.',
      'Your number Send me a test',
      'Sends the first message to this number only. The rows get theirs when you start the batch.',
      'All 12 rows Send 12 SMS Cancel',
    ].join(' '),
  );
  expect(sent()).toEqual([]);
});

test('a batch sends exactly what the preview showed, even if rows changed since, and shows the result', async () => {
  const run = await openPreview(boss, 'some');
  await people.insertRow({ name: 'P00', phone: '+12025550100' });
  await people.updateRow({ phone: '+12025550999' }, 1);
  await people.deleteRows({ name: 'P02' });
  await start(boss, run);
  const part = text(await end(boss, run));
  expect(part).toContain('Send SMS: 3 sent.');
  expect(part).toContain('3 rows sent P01 (+12025550101) P02 (+12025550102) P03 (+12025550103)');
  expect(sent()).toEqual(['P01', 'P02', 'P03'].map(phoneOf));
  expect(await crashLog.entries()).toEqual([]);
});

test('a batch starts once, however often the button is clicked', async () => {
  await boss.get('/page/page');
  const asked = await Promise.all([1, 2, 3].map(() => press(boss, '/page/page/action/all')));
  const [run, ...others] = new Set(asked.map(({ popup }) => popup));
  expect(others).toEqual([]);
  await Promise.all([1, 2, 3, 4, 5].map(() => start(boss, run)));
  await end(boss, run);
  await start(boss, run);
  expect(text(await end(boss, run))).toContain('Send SMS: 12 sent.');
  expect(sent()).toEqual(names.map(phoneOf));
});

const previewInTwoTabs = async (): Promise<[string, string]> => [
  await openPreview(boss),
  await openPreview(boss),
];

/** Advances the clock past the time of a double click. */
function waitLong() {
  passed += 2_500;
}

test('a second report of the page does not select the rows again', async () => {
  await boss.get('/page/page');
  const { popup } = await press(boss, '/page/page/action/all');
  await start(boss, popup);
  await end(boss, popup);
  expect(await boss.post(`${popup}/rows`, { url: '/', views: [] })).toEqual({ popup });
  await start(boss, popup);
  expect(text(await end(boss, popup))).toContain('Send SMS: 12 sent.');
  expect(sent()).toHaveLength(12);
});

test('a batch belongs to the user who created it and no one else', async () => {
  const run = await openPreview(boss);
  for (const other of [await website.user(), await website.guest()]) {
    for (const answer of [await other.get(run), await start(other, run), await end(other, run)])
      expect(answer).toContain(
        'This batch has ended or belongs to someone else. Preview it again.',
      );
    expect(await other.post(`${run}/rows`, { url: '/', views: [] })).toHaveProperty(
      'notify_type',
      'danger',
    );
  }
  expect(await boss.get(`${run}-`)).toContain('This batch has ended');
  expect(sent()).toEqual([]);
});

test('a user who may no longer run actions cannot start a batch', async () => {
  const clerk = await website.user(40);
  const run = await openPreview(clerk);
  await installPlugin(artefact, host.settings);
  expect(await start(clerk, run)).toContain('You may not run “Send SMS”.');
  expect(sent()).toEqual([]);
});

test('a user can send the first message to their own number, and the batch still sends to all', async () => {
  const run = await openPreview(boss);
  const others = { to: phoneOf('P02'), from: '+14155550111', body: 'Other', values: { body: 'O' } };
  expect(await testWith(run, ' +1 (202) 555-0199', boss, others)).toBe(
    `Message to ${mine} queued: “Dear P01, &lt;b&gt;&amp; all&lt;/b&gt;”`,
  );
  expect(host.sandbox.messages.map(({ from, to, body }) => ({ from, to, body }))).toEqual([
    { from: '+14155550100', to: mine, body: 'Dear P01, <b>& all</b>' },
  ]);
  expect(text(await boss.get(`${run}/part`))).toMatch(/^Send SMS for 12 rows of “People”:/);
  await start(boss, run);
  expect(text(await end(boss, run))).toContain('Send SMS: 12 sent.');
  expect(sent()).toEqual([...names.map(phoneOf), mine].sort());
});

test('a test with the number of a row does not replace its message', async () => {
  const run = await openPreview(boss, 'some');
  await testWith(run, phoneOf('P01'));
  await start(boss, run);
  expect(text(await end(boss, run))).toContain('Send SMS: 3 sent.');
  expect(sent()).toEqual(['P01', 'P01', 'P02', 'P03'].map(phoneOf));
});

test('fast clicks send one test, in one tab or two', async () => {
  const [one, other] = await previewInTwoTabs();
  const said = await Promise.all(
    [one, one, one, other].map((run, click) => testWith(run, click ? mine : `${mine} `)),
  );
  expect(new Set(said)).toEqual(
    new Set([`Message to ${mine} queued: “Dear P01, &lt;b&gt;&amp; all&lt;/b&gt;”`]),
  );
  expect(sent()).toEqual([mine]);
  waitLong();
  await testWith(one, mine);
  expect(sent()).toEqual([mine, mine]);
});

test('says if the outcome of a test is unknown, and does not send it again', async () => {
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
  host.sandbox.faults.add(shownNowhere);
  const run = await openPreview(boss);
  expect(await testWith(run, mine)).toMatch(
    /The outcome of “?"?Send SMS"? is unknown; it was not sent again\. .*Check your account's message log/,
  );
  expect(sent()).toEqual([mine]);
});

test.each<[what: string, recipient: unknown, said: string | RegExp]>([
  ['no number', undefined, 'Enter your number with its country code, such as +14155550123.'],
  ['a blank number', ' ', 'Enter your number with its country code, such as +14155550123.'],
  ['several numbers', [mine, phoneOf('P01')], /^"Your number" must be a phone number/],
  [
    'several numbers in a text',
    `${mine}, ${phoneOf('P01')}`,
    /^"Your number" is “.*”, which is not one phone number\. Enter one number/,
  ],
  ['an object', { to: mine }, /^"Your number" must be a phone number/],
  ['a number that the service refuses', '+15005550001', /^The number in "Your number" .*500/],
  [
    'a number without a country code',
    '(202) 555-0199',
    /"Your number" is \(202\) 555-0199, which has no country code\./,
  ],
  ['the sender', '+14155550100', /^The numbers in "From" and "Your number" are the same\./],
  ['HTML', '<script>alert(1)</script>', /^"Your number" is “&lt;script&gt;/],
])('a test with %s says why nothing was sent', async (_, recipient, said) => {
  const run = await openPreview(boss);
  expect(await testWith(run, recipient)).toMatch(said);
  expect(sent()).toEqual([]);
  await start(boss, run);
  expect(text(await end(boss, run))).toContain('Send SMS: 12 sent.');
});

test('a test changes no row and none of the outcomes that rows record', async () => {
  const noted = await createNative('Noted', {
    ...{ name: 'String', phone: 'String', sms: 'String', sms_sid: 'String', sms_at: 'Date' },
  });
  for (const [name, phone, sms] of [
    ['Ada', '+12025550121', 'sent'],
    ['Bob', '', null],
    ['Cleo', '+12025550123', null],
  ])
    await noted.insertRow({ name, phone, sms });
  const before = await noted.getRows({}, { orderBy: 'id' });
  const columns = { rows_outcome: 'sms', rows_sid: 'sms_sid', rows_time: 'sms_at' };
  const action = { ...configuration, rows_table: 'Noted', ...columns };
  await createPage('noted', button('noted', 'Send SMS for each row', action));
  await boss.get('/page/noted');
  const { popup } = await press(boss, '/page/noted/action/noted');
  // The first row was sent before, and the second has no number.
  expect(await testWith(popup, mine)).toContain('Dear Cleo');
  expect(sent()).toEqual([mine]);
  expect(await noted.getRows({}, { orderBy: 'id' })).toEqual(before);
  await start(boss, popup);
  await end(boss, popup);
  expect(sent()).toEqual(['+12025550123', mine]);
});

test('a test with a wrong password says so, and can be repeated', async () => {
  const run = await openPreview(boss);
  await installPlugin(artefact, { ...host.settings, minimumRole: '40', password: 'wrong' });
  expect(await testWith(run, mine)).toContain('The service rejected the credentials.');
  await installPlugin(artefact, { ...host.settings, minimumRole: '40' });
  waitLong();
  expect(await testWith(run, mine)).toContain(`Message to ${mine} queued`);
  expect(sent()).toEqual([mine]);
});

test('only an administrator can test a batch, and only their own', async () => {
  const run = await openPreview(boss);
  for (const other of [await website.user(), await website.guest()])
    expect(await testWith(run, mine, other)).toBe(
      'This batch has ended or belongs to someone else. Preview it again.',
    );
  // A clerk may run the batch, which sends to its rows only.
  const clerk = await website.user(40);
  const theirs = await openPreview(clerk);
  expect(text(await clerk.get(`${theirs}/part`))).not.toContain('Send me a test');
  expect(await testWith(theirs, mine, clerk)).toBe(
    'Only administrators can send a test. Nothing was sent.',
  );
  await installPlugin(artefact, host.settings);
  expect(await testWith(theirs, mine, clerk)).toContain('You may not run “Send SMS”.');
  await boss.post(`${run}/test`, { recipient: mine }, { 'csrf-token': '' });
  expect(sent()).toEqual([]);
});

test('a batch that was started cannot be tested any more', async () => {
  const [run, other] = await previewInTwoTabs();
  await start(boss, run);
  await end(boss, run);
  expect(await testWith(run, mine)).toBe(
    'This preview has changed, so nothing was sent to your number. Preview the batch again.',
  );
  await boss.post(`${other}/delete`, {});
  expect(await testWith(other, mine)).toContain('This batch has ended');
  expect(sent()).toEqual(names.map(phoneOf));
});

test('a batch shows its progress and can be stopped', async () => {
  const gate = await gateTo(host.sandbox.url, isSending);
  await installPlugin(artefact, { ...host.settings, minimumRole: '40', baseUrl: gate.url });
  const run = await openPreview(boss);
  const first = await start(boss, run);
  expect(first).toContain('<p role="status">0 of 12: 0 sent, 12 waiting</p>');
  expect(first).toContain('>Stop</button>');
  await gate.holds(5);
  await boss.post(`${run}/stop`, {});
  for (const shown of ['part', 'progress'])
    expect(await boss.get(`${run}/${shown}`)).toContain('Stopping …');
  await gate.open();
  const part = text(await end(boss, run));
  // Messages in flight were sent, and none is unknown.
  expect(part).toContain('Send SMS: 5 sent, 7 not run.');
  expect(sent()).toHaveLength(5);
  expect(part).toContain('P12 (+12025550112): not run');
});

test('the result stays available, and the next preview links to it', async () => {
  const run = await openPreview(boss);
  await start(boss, run);
  await end(boss, run);
  expect(text(await boss.get(run))).toContain('Send SMS: 12 sent.');
  const next = await boss.get(`${await openPreview(boss)}/part`);
  expect(text(next)).toMatch(
    /^The last batch started on .* GMT : 12 sent\. View batch This was already sent to 12 of these rows\./,
  );
  expect(next).toContain(`href="${run}"`);
  // It isn't the last batch of another button.
  expect(text(await boss.get(`${await openPreview(boss, 'some')}/part`))).toMatch(
    /^This was already sent to 3 of these rows\./,
  );
});

test('deletes the texts when a batch ends', async () => {
  const run = await openPreview(boss);
  expect(await stored('select *')).toContain('Dear P01');
  await start(boss, run);
  await end(boss, run);
  expect(await stored('select *')).not.toContain('Dear P01');
});

test('names the failed and unknown rows with the reasons', async () => {
  const rows = await people.getRows({}, { orderBy: 'id' });
  await people.updateRow({ phone: '' }, rows[1].id);
  await people.updateRow({ phone: '+1 202 555 0101', name: 'P01' }, rows[2].id);
  host.sandbox.faults.add({ name: 'reset-after', method: 'POST', times: 1 });
  host.sandbox.faults.add(shownNowhere);
  const run = await openPreview(boss);
  const question = text(await boss.get(`${run}/part`));
  expect(question).toContain('Send SMS for 10 rows of “People”:');
  expect(question).toContain('Skipping 1 row: same message as another row.');
  expect(question).toContain('Skipping 1 row: P02: "To" is missing');
  await start(boss, run);
  const part = text(await end(boss, run));
  expect(part).toContain('Send SMS: 9 sent, 1 skipped, 1 failed, 1 unknown.');
  expect(part).toMatch(/P\d\d \(\+\d+\): .* is unknown; it was not sent again\./);
  expect(sent()).toHaveLength(10);
});

test('the preview and the result show all rows in pages, to the user who created the batch', async () => {
  await people.deleteRows({});
  const many = Array.from({ length: 101 }, (_, index) => index);
  const numberOf = (index: number) => `+1202556${String(index).padStart(4, '0')}`;
  for (const index of many) {
    const phone = index === 100 ? numberOf(0) : numberOf(index);
    await people.insertRow({ name: index === 100 ? 'P0' : `P${index}`, phone });
  }
  const run = await openPreview(boss, 'many');
  const list = async (query = '', visitor = boss) => text(await visitor.get(`${run}/list${query}`));
  const waiting = (index: number) => `P${index} (${numberOf(index)}) waiting`;
  const head = 'All (101) skipped (1) waiting (100) Row Outcome Reason';
  expect(await list()).toBe(
    `${head} ${many.slice(0, 100).map(waiting).join(' ')} Previous 1–100 of 101 Next`,
  );
  const skipped = `P0 (${numberOf(0)}) skipped same message as another row`;
  expect(await list('?page=2')).toBe(`${head} ${skipped} Previous 101–101 of 101 Next`);
  expect(await list('?outcome=skipped')).toBe(`${head} ${skipped} Previous 1–1 of 1 Next`);
  expect(await list('', await website.user())).toContain('belongs to someone else.');
  await start(boss, run);
  expect(text(await end(boss, run))).toContain('All 101 rows');
  expect(await list('?outcome=sent&page=9')).toContain(`P99 (${numberOf(99)}) sent Previous 1–100`);
});

test('the result can be downloaded as CSV, by the user who created the batch', async () => {
  const rows = await people.getRows({}, { orderBy: 'id' });
  await people.updateRow({ phone: '1' }, rows[1].id);
  await people.updateRow({ phone: '+1 202 555 0101', name: 'P01' }, rows[2].id);
  const run = await openPreview(boss);
  await start(boss, run);
  const [, href = ''] = /href="([^"]*)"[^>]*>Download as CSV</.exec(await end(boss, run)) ?? [];
  const [header, ...lines] = (await boss.get(href)).split('\r\n');
  expect(header).toBe('Row,Recipient,Outcome,Reason,SID');
  expect(lines).toEqual([
    ...names.map((name, index) => {
      if (index === 1) return expect.stringMatching(/^P02 \(1\),1,failed,"?.*number.*"?,$/);
      if (index === 2)
        return "P01 (+12025550101),'+12025550101,skipped,same message as another row,";
      const { sid } = host.sandbox.messages.find(({ to }) => to === phoneOf(name)) ?? {};
      return `${name} (${phoneOf(name)}),'${phoneOf(name)},sent,,${sid}`;
    }),
    '',
  ]);
  for (const other of [await website.user(), await website.guest()])
    expect(await other.get(href)).toContain('This batch has ended or belongs to someone else.');
});

test('a batch can be deleted after it has ended, and its button then starts over', async () => {
  const gate = await gateTo(host.sandbox.url, isSending);
  await installPlugin(artefact, { ...host.settings, minimumRole: '40', baseUrl: gate.url });
  const run = await openPreview(boss);
  await start(boss, run);
  await gate.holds(5);
  const remove = (visitor: Visitor) => visitor.post(`${run}/delete`, {});
  expect(await remove(boss)).toBe('Stop this batch before you delete it.');
  await boss.post(`${run}/stop`, {});
  await gate.open();
  const part = await end(boss, run);
  expect(part).toContain('>Delete this batch</button>');
  expect(part).toContain('so the next batch may send to the same people again.');
  for (const other of [await website.user(), await website.guest()])
    expect(await remove(other)).toContain('belongs to someone else');
  expect(text(await boss.get(`${await openPreview(boss)}/part`))).toContain(
    'Skipping 5 rows: already sent.',
  );
  expect(text(await remove(boss))).toBe('The batch was deleted. Press its button to start over.');
  expect(await boss.get(run)).toContain('This batch has ended');
  const question = text(await boss.get(`${await openPreview(boss)}/part`));
  expect(question).toMatch(
    /^The result of the last batch was deleted, so the plugin can't skip rows that it sent\. Send SMS for 12 rows/,
  );
  expect(sent()).toHaveLength(5);
});

test('a batch cannot be deleted without a CSRF token', async () => {
  const run = await openPreview(boss);
  await start(boss, run);
  const part = await end(boss, run);
  await boss.post(`${run}/delete`, {}, { 'csrf-token': '' });
  expect(await end(boss, run)).toBe(part);
});

test('shows no preview if no row can be sent', async () => {
  await boss.get('/page/page');
  const answer = await press(boss, '/page/page/action/broken');
  expect(answer).toMatchObject({ notify_type: 'danger' });
  expect(answer.notify).toContain('Send SMS: nothing was done.<br>P01, P02, ');
  expect(answer.notify).toContain('nobody is not defined');
});

test('a button that runs a trigger shows a preview, too', async () => {
  const run = await openPreview(boss, 'trigger');
  expect(sent()).toEqual([]);
  await start(boss, run);
  await end(boss, run);
  expect(sent()).toHaveLength(12);
});

test('later steps do not run while the preview is open', async () => {
  await openPreview(boss, 'steps');
  expect(sent()).toEqual([]);
});

test('the preview skips who opted out, by name and with the reason', async () => {
  const optedOut = '+15005550004';
  const [row] = await people.getRows({ name: 'P02' });
  await people.updateRow({ phone: optedOut }, row.id);
  const single = { from: '+14155550100', to: optedOut, body: 'Hi' };
  await expect(state().actions['Send SMS'].run({ configuration: single })).rejects.toThrow('21610');
  const shown = text(await boss.get(`${await openPreview(boss)}/part`));
  expect(shown).toContain('Skipping 1 row:');
  expect(shown).toContain('P02 (+15005550004)');
  expect(shown).toContain('They can subscribe again by replying START. Nothing was sent.');
});
