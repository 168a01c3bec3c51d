import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import desk from '../../../demo/nocobase/desk.json';
import {
  addDesk,
  addPages,
  addWorkflow,
  type Desk,
  leadToSandbox,
} from '../../../demo/nocobase/desk.ts';
import inbox from '../../../demo/nocobase/inbox.json';
import type { Block, Button } from '../../../demo/nocobase/page-models.ts';
import { definitions } from '../../../src/builder.ts';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { callIn, incoming } from '../../support/call-in.ts';
import { readDocument, sectionOf, typedIn } from '../../support/document.ts';
import type { Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { logIn, type NocobaseServer, startTimeoutMs } from '../nocobase-server.ts';
import { openNocobase } from '../open-nocobase.ts';
import { openPage, sharedTab } from '../open-page.ts';
import { addWorkflow as addSyncWorkflow } from '../workflow-on-table.ts';

let sandbox: Sandbox;
let server: NocobaseServer;
let browser: Browser;
const openTab = sharedTab(() => browser);

beforeAll(async () => {
  ({ sandbox, server } = await openNocobase());
  browser = await openBrowser('nocobase-desk');
  await logIn(browser.page, `${server.url}/v/admin`);
}, startTimeoutMs);
beforeEach(() => {
  sandbox.reset();
  takeRequests(sandbox);
});

/** An `audio` element. */
interface Player {
  muted: boolean;
  currentTime: number;
  ontimeupdate(): void;
  play(): void;
}

const { pages, workflows } = desk as Desk;

/** The values that a recipe gives, for each of its tables, by field. */
const recipe = (heading: string) =>
  typedIn(sectionOf(readDocument('docs/builders/nocobase-recipes.md'), heading)).map((table) =>
    Object.fromEntries(Object.entries(table).map(([label, value]) => [label.toLowerCase(), value])),
  );

const deskBlock = (title: string): Block | undefined =>
  pages.find((page) => page.title === title)?.blocks[0];

const buttonOf = (buttons: Button[] = [], title: string) =>
  buttons.find((button) => button.title === title);

const rowsOf = (page: Page | Locator) => page.locator('tr.ant-table-row:visible');
const drawerOf = (page: Page) => page.locator('.ant-drawer-content:visible');

/** The block with a title. */
const blockOf = (place: Page | Locator, title: string) =>
  place.locator('.ant-card:visible').filter({ hasText: title });

test('the desk shows calls, plays recordings and texts the caller of a row', async () => {
  const { page, picture, screenshot } = await openTab('nocobase');
  await openPage(page, `${server.url}/v/admin`);
  await page.getByText('Calls', { exact: true }).first().click();
  const rows = page.locator('tr.ant-table-row:visible');
  await rows.getByText('busy').first().waitFor();
  await page.getByRole('columnheader', { name: 'Started', exact: true }).first().waitFor();
  await screenshot('calls');

  await page.getByText('Recordings', { exact: true }).first().click();
  const player = page.locator('audio:visible').first();
  await player.waitFor();
  const [recording] = sandbox.recordings;
  const from = sandbox.calls.find(({ sid }) => sid === recording?.call_sid)?.from;
  expect(await rows.first().locator('a[href^="tel:"]').allTextContents()).toEqual([from]);
  await picture('install-nocobase-recordings');
  const played = player.evaluate(
    (player: Player) =>
      new Promise<boolean>((resolve) => {
        player.muted = true;
        player.ontimeupdate = () => resolve(player.currentTime > 0);
        player.play();
      }),
  );
  expect(await played).toBe(true);

  await page.getByText('Calls', { exact: true }).first().click();
  const row = rows.filter({ hasText: 'busy' }).first();
  const caller = (await row.locator('a[href^="tel:"]').first().textContent()) ?? '';
  await row.getByText('Text', { exact: true }).click();
  const form = page.locator('.ant-modal:visible');
  const text = 'We call you back.';
  await form.locator('textarea').fill(text);
  await picture('install-nocobase-text');
  await form.getByRole('button', { name: 'Send SMS' }).dblclick();
  await page.getByText(`Message to ${caller} queued`).waitFor();
  expect(sandbox.messages.filter(({ body }) => body === text)).toMatchObject([{ to: caller }]);
});

test('a button for selected rows has a form for missing values, shows a preview and reports the outcome', async () => {
  const { page, screenshot } = await openTab('nocobase-selected');
  await openPage(page, `${server.url}/v/admin`);
  await page.getByText('Calls', { exact: true }).first().click();
  const rows = page.locator('tr.ant-table-row:visible');
  const press = () => page.getByRole('button', { name: 'Text selected' }).click();
  await rows.nth(3).waitFor();
  await press();
  await page.getByText('No row is selected.').waitFor();
  for (const row of [0, 1, 2]) {
    await rows.nth(row).locator('.ant-table-selection-column').hover();
    await rows.nth(row).locator('input[type=checkbox]').check();
  }
  await press();
  const form = page.locator('.ant-modal:visible');
  const body = 'We call all of you back.';
  await form.locator('textarea').fill(body);
  await form.getByRole('button', { name: 'Preview' }).click();
  const question = form.locator('.telephony-run-preview');
  await question.getByText('rows of “Calls by number and date”:').waitFor();
  await screenshot('asked', form);
  // The dialog says so if NocoBase is away, and goes on.
  await page.route(/:see\b/, (route) => route.abort());
  await form.getByRole('button', { name: /^Send \d/ }).dblclick();
  await form.getByText('NocoBase does not respond. The progress is shown again').waitFor();
  await page.unroute(/:see\b/);
  // The dialog is smaller now: a late second click can land outside.
  await page.mouse.click(20, 700);
  await form
    .locator('.telephony-run-ended')
    .getByText(/\d+ sent/)
    .waitFor();
  await screenshot('ended', form);
  const callers = new Set(sandbox.calls.slice(0, 3).map(({ from }) => from));
  const reached = sandbox.messages.filter((message) => message.body === body);
  expect(reached.map(({ to }) => to).sort()).toEqual([...callers].sort());

  // A corrected text: the user decides about the rows that got the other one.
  await form.getByRole('button', { name: 'Close', exact: true }).last().click();
  await press();
  await form.locator('textarea').fill('We call you back.');
  await form.getByRole('button', { name: 'Preview' }).click();
  await question.getByText(/^An earlier batch sent another text to \d of these rows/).waitFor();
  const send = form.getByRole('button', { name: /^Send \d/ });
  expect(await send.count()).toBe(1);
  const box = form.getByLabel('Skip these rows');
  await box.click();
  await until(async () => (await send.count()) === 0);
  await screenshot('another-text', form);
  await box.click();
  await send.waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();

  // What was delivered, and again to those who did not get it.
  Object.assign(reached[0] ?? {}, { status: 'undelivered', error_code: 30003 });
  await press();
  await form.locator('textarea').fill(body);
  await form.getByRole('button', { name: 'Preview' }).click();
  await form.getByRole('button', { name: 'View batch' }).click();
  await form.getByRole('button', { name: 'Check delivery' }).click();
  await form.getByText(/^Delivery on .* 1 not delivered/).waitFor();
  await form.getByText(/phone was unreachable/).waitFor();
  await screenshot('delivery', form);
  await form.getByRole('button', { name: "Retry what wasn't delivered" }).click();
  await form.getByRole('button', { name: 'Send 1 SMS' }).waitFor();
  await form.getByRole('button', { name: 'Cancel' }).click();
});

/** Keeps the text of each message that a page shows, because messages disappear. */
const recordNotices = `
  globalThis.notices = new Map();
  new MutationObserver(() => {
    for (const one of document.querySelectorAll('.ant-message-notice'))
      notices.set(one, one.textContent);
  }).observe(document.body, { childList: true, subtree: true });
`;

test.each([
  ['message', 'in-progress', 'Recording status: in-progress', 1],
  ['error', 'completed', expect.stringMatching(/^The call or recording is not in progress/), 0],
])(
  'a double click on a row button with all values shows one %s, without a form',
  async (_, status, shown, recordings) => {
    const { page, screenshot } = await openTab(`nocobase-record-${status}`);
    await openPage(page, `${server.url}/v/admin`);
    await page.getByText('Calls', { exact: true }).first().click();
    const [call] = sandbox.calls.filter((one) => one.status === status);
    const before = sandbox.recordings.length;
    const row = page.locator('tr.ant-table-row:visible').filter({ hasText: status }).first();
    let answers = 0;
    page.on('requestfinished', (request) => {
      if (request.url().includes('telephonyActions:create-a-call-recording')) answers += 1;
    });
    await row.getByText('Record', { exact: true }).waitFor();
    await page.evaluate(recordNotices);
    await row.getByText('Record', { exact: true }).dblclick();
    await until(() => answers === 2);
    const notices = () => page.evaluate<string[]>('[...notices.values()]');
    await until(async () => (await notices()).length > 0);
    // A second message would be drawn by then.
    await page.evaluate(
      'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
    );
    expect(await notices()).toEqual([shown]);
    await screenshot('recorded');
    const made = sandbox.recordings.slice(0, sandbox.recordings.length - before);
    expect(made.map(({ call_sid }) => call_sid)).toEqual(Array(recordings).fill(call?.sid));
    expect(takeRequests(sandbox).filter((request) => request.startsWith('POST'))).toHaveLength(1);
  },
);

test('the recipe for missed calls lists them, and a row button texts the caller', async () => {
  const [typed = {}, run = {}] = recipe('Missed calls');
  const status = typed.status?.split(', ') ?? [];
  const block = {
    ...{ collection: 'calls_by_caller_id', where: { status } },
    rowButtons: [{ use: 'TelephonySendSmsActionModel', run: { ...run, ask: true } }],
    columns: [
      { field: 'from', use: 'TelephonyPhoneFieldModel' },
      { field: 'to', use: 'TelephonyPhoneFieldModel' },
      { field: 'status', use: 'DisplayEnumFieldModel' },
      { field: 'startTime', use: 'DisplayDateTimeFieldModel', width: 200 },
    ],
  };
  const page = { title: 'Missed calls', icon: 'PhoneOutlined', blocks: [block] };
  const [path] = await addPages(server.admin, 'telephony', [page]);
  const tab = await openTab('nocobase-recipes');
  await openPage(tab.page, server.url + path);
  const rows = tab.page.locator('tr.ant-table-row:visible');
  await rows.first().waitFor();
  const missed = sandbox.calls.filter((call) => status.includes(call.status)).slice(0, 20);
  const shown = rows.getByText(/^(no-answer|busy)$/);
  expect(await shown.allTextContents()).toEqual(missed.map((call) => call.status));
  await tab.picture('recipe-nocobase-missed-calls');
  const [call] = missed;
  await rows.first().getByText('Send SMS').click();
  await tab.page.getByText(`Message to ${call?.from} queued`).waitFor();
  const sent = sandbox.messages.filter(({ body }) => body === run.body);
  expect(sent).toMatchObject([{ from: call?.to, to: call?.from }]);
});

test('a button for all rows sends one SMS for each that matches the filters of its block, on all pages', async () => {
  const run = { from: '+14155550100', to: '+12025550143', body: 'About {{ ctx.record.sid }}' };
  const block = {
    ...{ collection: 'calls_by_caller_id', where: { status: 'completed' } },
    columns: [{ field: 'from', use: 'TelephonyPhoneFieldModel' }],
    buttons: [
      {
        ...{ use: 'TelephonySendSmsSelectedRowsActionModel', title: 'Text all' },
        run: { ...run, ask: false, rows: 'all' },
      },
    ],
  };
  const all = { title: 'Everyone', icon: 'PhoneOutlined', blocks: [block] };
  const [path] = await addPages(server.admin, 'telephony', [all]);
  const { page, screenshot } = await openTab('nocobase-all-rows');
  await openPage(page, server.url + path);
  await rowsOf(page).first().waitFor();
  const completed = sandbox.calls.filter(({ status }) => status === 'completed');
  expect(completed.length).toBeGreaterThan(await rowsOf(page).count());
  const press = () => page.getByRole('button', { name: 'Text all' }).click();
  takeRequests(sandbox);
  await press();
  const dialog = page.locator('.ant-modal:visible');
  await dialog
    .getByText(`Send SMS for ${completed.length} rows of “Calls by caller id”:`)
    .waitFor();
  await screenshot('asked', dialog);
  expect(takeRequests(sandbox).filter((request) => request.startsWith('POST'))).toEqual([]);
  await dialog.getByRole('button', { name: `Send ${completed.length} SMS` }).click();
  await dialog.locator('.telephony-run-ended').waitFor();
  await dialog.getByText(`All ${completed.length} rows`).click();
  await dialog.getByRole('cell', { name: 'sent', exact: true }).last().waitFor();
  await screenshot('rows', dialog);
  const downloading = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await downloading;
  expect(file.suggestedFilename()).toMatch(/^send-sms-\d{4}-\d\d-\d\d\.csv$/);
  const [header, ...lines] = (await readFile(await file.path(), 'utf8')).split('\r\n');
  expect([header, lines.length]).toEqual([
    '\uFEFFRow,Recipient,Outcome,Reason,SID',
    completed.length + 1,
  ]);
  const sent = sandbox.messages.filter(({ body }) => body.startsWith('About'));
  expect(sent.map(({ body }) => body).sort()).toEqual(
    completed.map(({ sid }) => `About ${sid}`).sort(),
  );
  await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();

  const [call] = completed;
  const copies = Array.from({ length: 1001 }, (_, number) => ({
    ...call,
    sid: `CA${String(number).padStart(32, '0')}`,
  }));
  Object.assign(sandbox.calls, copies);
  await press();
  await page
    .getByText(
      "More than 1,000 rows match. Narrow the block's filters, or raise “Maximum rows” in the button's settings.",
    )
    .waitFor();
  sandbox.calls.length = 0;
  await press();
  await page.getByText("No row matches the block's filters.").waitFor();

  await page.getByTestId('ui-editor-button').click();
  await page.getByRole('button', { name: 'Actions' }).waitFor();
  await page.getByRole('button', { name: 'Text all' }).hover();
  await page.locator('.anticon-menu:visible').last().hover();
  await page.locator('.ant-dropdown-menu-item:visible').getByText('Send SMS').click();
  await dialog
    .getByRole('radio', { name: "All that match the block's filters", checked: true })
    .waitFor();
  await screenshot('settings', dialog);
  await dialog.locator('button', { hasText: /^x$/ }).first().click();
  const variables = page.locator('.ant-cascader-menu-item:visible');
  await variables.getByText('Current record').click();
  // The service can't filter by this column.
  await variables.getByText('Direction', { exact: true }).waitFor();
  await dialog.getByText('Rows', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  // The editor would stay on for the other pages.
  await page.getByTestId('ui-editor-button').click();
});

test('a button for all rows refuses while a condition of its block has no value', async () => {
  const run = { from: '+14155550100', to: '{{ ctx.record.phone }}', body: 'Open until six.' };
  const buttons = [
    { use: 'FilterActionModel' },
    {
      ...{ use: 'TelephonySendSmsSelectedRowsActionModel', title: 'Text all' },
      run: { ...run, ask: false, rows: 'all' },
    },
  ];
  const block = {
    ...{ dataSource: 'main', collection: 'customers', buttons },
    where: { phone: '{{ ctx.urlSearchParams.phone }}' },
    columns: [{ field: 'name', use: 'DisplayTextFieldModel' }],
  };
  const [path] = await addPages(server.admin, 'main', [
    { title: 'By number', icon: 'PhoneOutlined', blocks: [block] },
  ]);
  const { page, screenshot } = await openTab('nocobase-no-value');
  await openPage(page, server.url + path);
  // NocoBase drops the condition.
  await rowsOf(page).getByText('Grace Hopper').waitFor();
  const press = () => page.getByRole('button', { name: 'Text all' }).click();
  await press();
  await page.getByText("“Phone” in the block's data scope has no value here.").waitFor();
  await screenshot('data-scope');
  const bound = `${server.url}${path}?phone=%2B1%20202%20555%200143`;
  await openPage(page, bound);
  await rowsOf(page).getByText('Ada Lovelace').waitFor();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByText('Add condition', { exact: true }).click();
  await press();
  await page.getByText("“?” in the block's filter has no value.").waitFor();
  await openPage(page, bound);
  await rowsOf(page).getByText('Ada Lovelace').waitFor();
  await press();
  const dialog = page.locator('.ant-modal:visible');
  await dialog.getByText('Send SMS for 1 row of “Customers”:').waitFor();
  await screenshot('asked', dialog);
  await dialog.getByRole('button', { name: 'Send 1 SMS' }).click();
  await dialog.locator('.telephony-run-ended').waitFor();
  const sent = sandbox.messages.filter(({ body }) => body === run.body);
  expect(sent.map(({ to }) => to)).toEqual(['+12025550143']);
});

test('the recipe for selected customers texts two by name', async () => {
  const [run] = recipe('Text selected customers');
  expect(buttonOf(deskBlock('Customers')?.buttons, 'Text selected')?.run).toMatchObject({ ...run });
  const { page } = await openTab('nocobase-selected-customers');
  await openPage(page, `${server.url}/v/admin`);
  await page.getByText('Customers', { exact: true }).first().click();
  for (const name of ['Ada', 'Grace']) {
    const row = page.locator('tr.ant-table-row:visible').filter({ hasText: name });
    await row.locator('.ant-table-selection-column').hover();
    await row.locator('input[type=checkbox]').check();
  }
  await page.getByRole('button', { name: 'Text selected' }).click();
  const dialog = page.locator('.ant-modal:visible');
  await dialog.getByText('Dear Ada Lovelace, we are closed tomorrow.').waitFor();
  await dialog.getByRole('button', { name: /^Send \d/ }).click();
  await dialog.getByText('2 sent').first().waitFor();
  const closed = sandbox.messages.filter(({ body }) => body.includes('we are closed tomorrow'));
  expect(closed.map(({ to }) => to).sort()).toEqual(['+12025550143', '+12125550117']);
});

test('the recipe for a missed call notifies the right person of no other calls', async () => {
  const [condition = {}, input = {}] = recipe('Tell me when a call was missed');
  const { username, password, url: baseUrl } = sandbox;
  const account = { key: 'telephony', username, password, baseUrl, publicAddress: server.url };
  await server.admin.request('telephonyAccounts:save', account);
  const statusCallback = `${server.url}/api/telephony/events/telephony`;
  sandbox.events.numbers.set('+14155550100', { statusCallback });
  const calculations = Object.entries(condition).map((operands) => ({
    ...{ calculator: 'equal', operands },
  }));
  const calculation = { group: { type: 'and', calculations } };
  await addWorkflow(server.admin, {
    ...{ title: 'Missed', type: 'telephony-call-status', config: { account: 'telephony' } },
    nodes: [
      {
        ...{ type: 'condition', title: 'Condition' },
        config: { engine: 'basic', rejectOnFalse: true, calculation },
      },
      { type: 'telephony-send-sms', title: 'Send SMS', config: { input } },
    ],
  });
  const to = '+14155550100';
  sandbox.receiveCall({ from: '+12025550188', to, end: 'busy' });
  sandbox.receiveCall({ from: '+12025550189', to, end: 'no-answer' });
  sandbox.pass(60);
  await sandbox.events.settled();
  const sent = () => sandbox.messages.filter(({ body }) => body.startsWith('You missed a call'));
  await until(() => sent().length > 0);
  const body = 'You missed a call from +12025550189.';
  expect(sent()).toMatchObject([{ from: to, to: '+12025550143', body }]);
});

test('the recipe for voicemail records a message, and the list has its player', async () => {
  const [typed = {}] = recipe('Voicemail');
  const { username, password, url: baseUrl } = sandbox;
  const account = { key: 'telephony', username, password, baseUrl, publicAddress: server.url };
  await server.admin.request('telephonyAccounts:save', account);
  const input = { say: typed.greeting, maxLength: typed['time limit (seconds)'] };
  await addSyncWorkflow(server.admin, {
    ...{ title: 'Voicemail', type: 'telephony-call-received', isAwaited: true },
    config: { account: 'telephony' },
    nodes: [{ type: 'telephony-reply-record', input }],
  });
  const url = `${server.url}/api/telephony/events/telephony`;
  expect(await callIn(sandbox, url, 2, 4, 4)).toEqual({
    calls: [[incoming.from, incoming.to, 'completed', '8']],
    recordings: [['RecordVerb', 'completed', '4']],
  });
  const { data } = (await server.admin.read('telephony', 'recordings_by_date:list', {
    pageSize: 20,
  })) as { data: { source: string; media: string }[] };
  const messages = data.filter(({ source }) => source === 'RecordVerb');
  expect(messages).toHaveLength(1);
  const player = await fetch(server.url + messages[0]?.media);
  expect(player.headers.get('content-type')).toBe('audio/x-wav');
});

test("the recipe for pictures shows those of the drawer's message, without a data scope", async () => {
  const { sid } = sandbox.receiveMessage({
    ...{ from: '+12025550143', to: '+14155550100', body: 'Look', pictures: 2 },
  });
  const pictures: Block = {
    collection: 'media_of_a_message',
    columns: [{ field: 'media', use: 'TelephonyPictureFieldModel' }],
  };
  const messages: Block = {
    collection: 'account_messages',
    rowButtons: [{ use: 'ViewActionModel', title: 'Open', popup: [pictures] }],
    columns: [{ field: 'body', use: 'DisplayTextFieldModel' }],
  };
  const page = { title: 'Pictures', icon: 'PictureOutlined', blocks: [messages] };
  const [path] = await addPages(server.admin, 'telephony', [page]);
  const tab = await openTab('nocobase-pictures');
  await openPage(tab.page, server.url + path);
  takeRequests(sandbox);
  await rowsOf(tab.page).filter({ hasText: 'Look' }).getByText('Open').click();
  const images = drawerOf(tab.page).locator('img');
  await images.nth(1).waitFor();
  expect(await images.count()).toBe(2);
  await tab.screenshot('drawer');
  expect(takeRequests(sandbox).filter((one) => one.includes('Media.json'))).toEqual([
    `GET /Messages/${sid}/Media.json?PageSize=20`,
  ]);
});

test('the other recipes match the desk', () => {
  const customer = buttonOf(deskBlock('Customers')?.rowButtons, 'Open')?.popup ?? [];
  const [calls, messages] = recipe("A customer's calls");
  expect(customer.slice(1).map(({ where }) => where)).toEqual([calls, calls, messages]);
  const [welcome] = recipe('Welcome a new customer');
  expect(workflows[0]?.nodes).toMatchObject([{ config: { input: welcome } }]);
});

/** Opens the desk's first page, its calls, and waits for them, so that no request of this page comes later. */
async function openCalls(story: string) {
  const tab = await openTab(story);
  await openPage(tab.page, `${server.url}/v/admin`);
  await rowsOf(tab.page).first().waitFor();
  return tab;
}

async function openCustomers(story: string) {
  const tab = await openCalls(story);
  await tab.page.getByText('Customers', { exact: true }).first().click();
  await rowsOf(tab.page).filter({ hasText: 'Ada' }).waitFor();
  return tab;
}

test('a customer on the desk shows only their own calls, recordings and messages, and a button that texts them', async () => {
  const { page, picture } = await openCustomers('nocobase-customer');
  takeRequests(sandbox);
  await rowsOf(page).filter({ hasText: 'Ada' }).getByText('Open').click();
  const drawer = drawerOf(page);
  for (const title of ['Calls', 'Recordings', 'Messages'])
    await rowsOf(blockOf(drawer, title)).first().waitFor();
  await drawer.locator('audio').first().waitFor();
  await picture('recipe-nocobase-customer');
  const number = '%2B12025550143';
  expect(takeRequests(sandbox).sort()).toEqual([
    // The plugin matches recordings with the calls of their caller.
    `GET /Calls.json?From=${number}&PageSize=1000`,
    `GET /Calls.json?From=${number}&PageSize=5`,
    `GET /Messages.json?To=${number}&PageSize=5`,
    `GET /Recordings.json?From=${number}&PageSize=1000`,
    `GET /Recordings.json?From=${number}&PageSize=5`,
  ]);

  // A button in a drawer names the record of the drawer, so that the server can check it.
  await drawerOf(page).getByRole('button', { name: 'Text this customer' }).click();
  const form = page.locator('.ant-modal:visible');
  await form.locator('textarea').fill('Dear Ada.');
  const asked = page.waitForRequest(/telephonyActions:send-sms/);
  await form.getByRole('button', { name: 'Send SMS' }).click();
  const { popups, row } = (await asked).postDataJSON();
  await until(() => sandbox.messages.some(({ body }) => body === 'Dear Ada.'));
  const [uid, ...others] = Object.keys(popups);
  expect(await server.admin.request(`flowModels:findOne?uid=${uid}`)).toMatchObject({
    use: 'ViewActionModel',
  });
  expect([others, popups[uid ?? '']]).toEqual([[], { ...row, key: String(row.key) }]);
  expect(row).toEqual({ dataSource: 'main', collection: 'customers', key: expect.any(Number) });
});

test('the menu of a row offers the actions for calls, filled in from the row', async () => {
  const { page, screenshot } = await openCalls('nocobase-menu');
  await page.getByTestId('ui-editor-button').click();
  await page.getByRole('button', { name: 'Actions' }).waitFor();
  await page.locator('th:visible', { hasText: 'Actions' }).hover();
  await page.locator('.anticon-plus:visible').last().hover();
  await page.locator('.ant-dropdown-menu-submenu-title:visible', { hasText: 'Telephony' }).hover();
  const menu = page.locator('.ant-dropdown-menu-submenu-popup:visible');
  await menu.getByText('End a Call', { exact: true }).waitFor();
  await screenshot('row');
  expect(await menu.locator('.ant-dropdown-menu-item').allTextContents()).toEqual(
    definitions.actions
      .filter(({ fields }) =>
        fields.every(
          ({ type, key, required }) =>
            !required || type !== 'sid' || ['callSid', 'phoneNumberSid'].includes(key),
        ),
      )
      .map(({ name }) => name),
  );
  const saved = page.waitForRequest(/flowModels:save/);
  await menu.getByText('End a Call', { exact: true }).click();
  const { uid, use, stepParams } = (await saved).postDataJSON();
  const run = { callSid: '{{ ctx.record.sid }}', ask: true };
  expect([use, stepParams.telephonyClick]).toEqual(['TelephonyEndACallActionModel', { run }]);
  await rowsOf(page).first().getByText('End a Call').waitFor();
  await server.admin.request(`flowModels:destroy?filterByTk=${uid}`, {});
});

test('opening a call on the desk shows its recordings', async () => {
  const { page, screenshot } = await openCalls('nocobase-call');
  const sids = new Set(sandbox.recordings.map(({ call_sid }) => call_sid));
  const place = sandbox.calls.slice(0, 20).findIndex(({ sid }) => sids.has(sid));
  takeRequests(sandbox);
  const { sid, from = '' } = sandbox.calls[place] ?? {};
  await rowsOf(page).nth(place).getByText('Open').click();
  await drawerOf(page).getByText(from).first().waitFor();
  await drawerOf(page).locator('audio').first().waitFor();
  await screenshot('call');
  expect([...new Set(takeRequests(sandbox))].sort()).toEqual([
    `GET /Calls/${sid}.json`,
    `GET /Recordings.json?CallSid=${sid}&PageSize=20`,
  ]);
});

/** Moves the calls and messages to these days: a chart's last seven days end today. */
function moveToToday() {
  const dayMs = 86_400_000;
  const newest = Date.parse(sandbox.calls[0]?.date_created ?? '');
  const movedMs = Math.floor((Date.now() - newest) / dayMs) * dayMs;
  const moved = (date: string) => new Date(Date.parse(date) + movedMs).toUTCString();
  for (const call of sandbox.calls) if (call.start_time) call.start_time = moved(call.start_time);
  for (const message of sandbox.messages)
    if (message.date_sent) message.date_sent = moved(message.date_sent);
}

/** What the visible charts show two frames later, or nothing if one has no colour: it is grey without rows. */
const drawnCharts = `new Promise((drawn) => {
  const isColoured = (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    return data.some((red, at) => at % 4 === 0 && Math.abs(red - data[at + 2]) > 50);
  };
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const charts = [...document.querySelectorAll('canvas')];
    const visible = charts.filter((one) => one.getBoundingClientRect().top < innerHeight);
    drawn(visible.every(isColoured) ? visible.map((one) => one.toDataURL()).join() : '');
  }));
})`;

test("the desk shows calls, messages and spending in NocoBase's charts", async () => {
  moveToToday();
  const { page, picture } = await openTab('nocobase-charts');
  await openPage(page, `${server.url}/v/admin`);
  await rowsOf(page).first().waitFor();
  takeRequests(sandbox);
  await page.getByText('Charts', { exact: true }).first().click();
  await page.locator('canvas:visible').nth(2).waitFor();
  let drawn = '';
  await until(async () => {
    const before = drawn;
    drawn = await page.evaluate<string>(drawnCharts);
    return drawn !== '' && drawn === before;
  });
  await picture('recipe-nocobase-chart');
  const week = (name: string) =>
    expect.stringMatching(`^GET /\\S+\\.json\\?${name}%3E=[^&]+&PageSize=1000$`);
  expect(takeRequests(sandbox).sort()).toEqual([
    week('StartTime'),
    week('DateSent'),
    expect.stringMatching(
      /^GET \/Usage\/Records\/Daily\.json\?Category=totalprice&StartDate=[\d-]+&PageSize=1000$/,
    ),
  ]);
});

test('a workflow texts a customer who is added on the desk', async () => {
  const { page, picture } = await openCustomers('nocobase-workflow');
  await openPage(page, `${server.url}/v/admin/settings/workflow`);
  await rowsOf(page).filter({ hasText: 'Welcome' }).getByText('Configure').click();
  await page.getByText('Send SMS', { exact: true }).first().click();
  await drawerOf(page).getByText('1 SMS (GSM-7), plus the text of the variables').waitFor();
  await picture('recipe-nocobase-workflow');
  await openPage(page, `${server.url}/v/admin`);
  await page.getByText('Customers', { exact: true }).first().click();
  await page.getByRole('button', { name: 'New customer' }).click();
  const [name, phone] = [0, 1].map((index) => drawerOf(page).locator('input').nth(index));
  await name?.fill('Alan Turing');
  await phone?.fill('+1 206 555 0131');
  await drawerOf(page).getByRole('button', { name: 'Submit' }).click();
  await rowsOf(page).filter({ hasText: 'Alan' }).waitFor();
  const body = 'Dear Alan Turing, welcome. Call us at any time.';
  const sent = () => sandbox.messages.filter((message) => message.body === body);
  await until(() => sent().length > 0);
  await rowsOf(page).filter({ hasText: 'Alan' }).getByText('Open').click();
  await rowsOf(blockOf(drawerOf(page), 'Messages'))
    .getByText(body)
    .waitFor();
  expect(sent()).toMatchObject([{ to: '+12065550131' }]);
});

test('the inbox of the desk shows an incoming SMS without a reload, answers it, and shows the conversation', async () => {
  const { username, password, url: baseUrl } = sandbox;
  const account = { key: 'telephony', username, password, baseUrl, publicAddress: server.url };
  await server.admin.request('telephonyAccounts:save', account);
  await leadToSandbox(server.admin, sandbox.origin);
  const [path] = await addDesk(server.admin, 'telephony', inbox as Desk, {});
  const { page, screenshot } = await openTab('nocobase-inbox');
  await openPage(page, server.url + path);
  const form = blockOf(page, 'Simulate an incoming SMS');
  await form.locator('input').fill('+12025550143');
  await form.locator('textarea').fill('Are you open?');
  const list = blockOf(page, 'Incoming SMS').last();
  await list.locator('.ant-empty').waitFor();
  const smsUrl = `${server.url}/api/telephony/events/telephony`;
  sandbox.events.numbers.set('+14155550100', { smsUrl });
  await form.getByRole('button', { name: 'Simulate' }).click();
  await rowsOf(list).filter({ hasText: 'Are you open?' }).waitFor();
  await screenshot('inbox');
  await sandbox.events.settled();
  const replies = sandbox.messages.filter(({ direction }) => direction === 'outbound-reply');
  const body = 'Thank you for your message. We answer today.';
  expect(replies).toMatchObject([{ to: '+12025550143', body }]);

  const row = rowsOf(list).filter({ hasText: 'Are you open?' });
  await row.getByText('Reply', { exact: true }).click();
  const dialog = page.locator('.ant-modal:visible');
  await dialog.locator('textarea').fill('Until six.');
  await dialog.getByRole('button', { name: 'Send SMS' }).click();
  await page.getByText('Message to +12025550143 queued').waitFor();
  await row.getByText('Open', { exact: true }).click();
  const messages = (title: string) => rowsOf(blockOf(drawerOf(page), title));
  await messages('Received').getByText('Are you open?').waitFor();
  await messages('Sent').getByText('Until six.').waitFor();
  await screenshot('conversation');
});

test('lists are empty while a condition of the block, or one that an event flow sets, has no value', async () => {
  const value = '{{ ctx.urlSearchParams.from }}';
  const filter = { logic: '$and', items: [{ path: 'from', operator: '$eq', value }] };
  const set = {
    ...{ key: 'set', use: 'setTargetDataScope', sort: 1 },
    defaultParams: { targetBlockUid: '{{ ctx.model.uid }}', filter },
  };
  const list: Block = {
    collection: 'calls_by_caller_id',
    columns: [{ field: 'from', use: 'TelephonyPhoneFieldModel' }],
  };
  const flows = { scope: { key: 'scope', title: 'Scope', on: 'beforeRender', steps: { set } } };
  const bound = { title: 'Bound', icon: 'LinkOutlined' };
  const [path] = await addPages(server.admin, 'telephony', [
    {
      ...bound,
      blocks: [
        { ...list, where: { from: value } },
        { ...list, flows },
      ],
    },
  ]);
  const { page } = await openTab('nocobase-bound');
  await openPage(page, server.url + path);
  await page.locator('.ant-empty-description:visible').nth(1).waitFor();
  expect(takeRequests(sandbox)).toEqual([]);
  await openPage(page, `${server.url}${path}?from=%2B12025550143`);
  for (const index of [0, 1])
    await rowsOf(page.locator('.ant-table:visible').nth(index))
      .getByText('+12025550143')
      .first()
      .waitFor();
  const asked = 'GET /Calls.json?From=%2B12025550143&PageSize=20';
  expect([...new Set(takeRequests(sandbox))]).toEqual([asked]);
});
