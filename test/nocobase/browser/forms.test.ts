import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { addPages } from '../../../demo/nocobase/desk.ts';
import { definitions } from '../../../src/builder.ts';
import { type Browser, openBrowser, watchForFaults } from '../../support/browser.ts';
import type { Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { logIn, type NocobaseServer, startTimeoutMs } from '../nocobase-server.ts';
import { type AccountSettings, furtherAccounts, openNocobase, password } from '../open-nocobase.ts';
import { openPage, sharedTab } from '../open-page.ts';
import { addWorkflow, addWorkflowOnTable } from '../workflow-on-table.ts';

let sandbox: Sandbox;
let server: NocobaseServer;
let settings: AccountSettings;
let browser: Browser;
const openTab = sharedTab(() => browser);

beforeAll(async () => {
  ({ sandbox, server, settings } = await openNocobase());
  browser = await openBrowser('nocobase-forms', 'Europe/Berlin');
  await logIn(browser.page, `${server.url}/v/admin`);
}, startTimeoutMs);
beforeEach(() => {
  sandbox.reset();
  takeRequests(sandbox);
});

/** The part of a form for an input. */
const item = (place: Locator, label: string) =>
  place
    .locator('.ant-form-item:visible')
    .filter({ has: place.page().getByText(label, { exact: true }) });

describe('choices', () => {
  const numbers = ['+14155550100 Front desk', '+14155550101 Support'];
  const down = 'http://127.0.0.1:9';
  const addAccount = furtherAccounts(() => ({ server, settings }));

  const offered = (page: Page) =>
    page.locator('.ant-select-item-option:visible, .ant-dropdown-menu-item:visible');

  test('an administrator picks the default sender, and copies the webhook URL', async () => {
    await addAccount({ publicAddress: 'https://app.example.com' });
    const { page, screenshot } = await openTab('nocobase-sender');
    await openPage(page, `${server.url}/v/admin/settings/telephony`);
    const desk = page.locator('form').first();
    const sender = desk.getByLabel('Default sender', { exact: true });
    await sender.waitFor();
    const faults = watchForFaults(page);
    await sender.click();
    await offered(page).first().waitFor();
    await until(async () => isDeepStrictEqual(await offered(page).allTextContents(), numbers));
    await screenshot('sender');
    await offered(page).last().click();
    await until(async () => (await sender.inputValue()) === '+14155550101');
    await sender.fill('Our Shop');
    await page.keyboard.press('Enter');
    await until(async () => (await sender.inputValue()) === 'Our Shop');
    // A filled input offers all numbers until the user types.
    await desk.getByLabel('password', { exact: true }).click();
    await sender.click();
    await until(async () => isDeepStrictEqual(await offered(page).allTextContents(), numbers));
    await page.keyboard.press('Escape');
    await desk.getByText('Advanced').click();
    // A label focuses the field of its own account.
    await page.locator('form').last().getByText('password', { exact: true }).click();
    await page.keyboard.type('secret');
    const typed = (form: Locator) => form.locator('input[type="password"]').first().inputValue();
    expect([await typed(desk), await typed(page.locator('form').last())]).toEqual(['', 'secret']);
    await desk.getByLabel('password', { exact: true }).fill(settings.password);
    await desk.getByLabel('Base URL', { exact: true }).fill(down);
    await sender.click();
    await page.getByText('Could not load your numbers. The plugin cannot reach').waitFor();
    await screenshot('down');
    await page.locator('form').last().getByText('Events', { exact: true }).click();
    await page.context().grantPermissions(['clipboard-read']);
    await page.getByRole('button', { name: 'Copy' }).last().click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(
      /^https:\/\/app\.example\.com\/api\/telephony\/events\/telephony/,
    );
    await screenshot('webhook');
    expect(faults).toEqual([]);
  });

  test('an administrator sends the events of a number here, and undoes it', async () => {
    await addAccount({ publicAddress: 'https://app.example.com' });
    const { page, screenshot } = await openTab('nocobase-numbers');
    await openPage(page, `${server.url}/v/admin/settings/telephony`);
    const form = page.locator('form').last();
    const { numbers: urls } = sandbox.events;
    const before = { smsUrl: 'https://user:secret@www.example.com/sms' };
    urls.set('+14155550100', before);
    await form.getByText('Events', { exact: true }).click();
    await form.getByRole('button', { name: 'Show numbers' }).click();
    await form.getByText('SMS URL: https://***@www.example.com/sms').waitFor();
    await form.getByRole('button', { name: 'Send events here' }).first().click();
    const question = page.locator('.ant-popover:visible');
    await question
      .getByText(
        'Replace these URLs of +14155550100 (Front desk)? SMS URL: https://***@www.example.com/sms',
      )
      .waitFor();
    await screenshot('question');
    await question.getByRole('button', { name: 'OK' }).click();
    await form.getByText('+14155550100 (Front desk) now sends its events here.').waitFor();
    const here = expect.stringMatching(/^https:\/\/app\.example\.com\/api\/telephony\/events\//);
    expect(urls.get('+14155550100')).toEqual({
      smsUrl: here,
      voiceUrl: here,
      statusCallback: here,
    });
    await screenshot('connected');
    await form.getByRole('button', { name: 'Undo' }).click();
    await form.getByText('Restored the URLs of +14155550100 (Front desk).').waitFor();
    expect(urls.get('+14155550100')).toEqual({ ...before, voiceUrl: '', statusCallback: '' });
    // The numbers that are shown were compared with the old URL.
    await form.getByLabel('Public URL').fill('https://other.example.com');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByRole('button', { name: 'Show numbers' }).waitFor();
  });

  test('the form of a button and the settings of a button offer numbers', async () => {
    const use = 'TelephonySendSmsActionModel';
    const [path] = await addPages(server.admin, 'main', [
      {
        ...{ title: 'Choices', icon: 'FormOutlined' },
        blocks: [
          {
            collection: 'users',
            columns: [],
            buttons: [{ use, run: { ask: true, account: 'telephony' } }],
          },
        ],
      },
    ]);
    const { page, screenshot } = await openTab('nocobase-choices');
    await openPage(page, server.url + path);
    const button = page.getByRole('button', { name: 'Send SMS' });
    await button.click();
    const form = page.locator('.ant-modal:visible');
    await item(form, 'From').locator('input').click();
    await offered(page).first().waitFor();
    await until(async () => isDeepStrictEqual(await offered(page).allTextContents(), numbers));
    await screenshot('form');
    await offered(page).first().click();
    await until(
      async () => (await item(form, 'From').locator('input').inputValue()) === '+14155550100',
    );
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByTestId('ui-editor-button').click();
    // What the editor adds moves the button.
    await page.getByRole('button', { name: 'Actions' }).waitFor();
    await button.hover();
    await page.locator('.anticon-menu:visible').last().hover();
    await page.locator('.ant-dropdown-menu-item:visible').getByText('Send SMS').click();
    const dialog = page.locator('.ant-modal:visible');
    await dialog.getByRole('button', { name: 'Choose' }).click();
    await offered(page).getByText('Support').waitFor();
    await screenshot('button');
    await offered(page).getByText('Support').click();
    await until(
      async () => (await dialog.locator('textarea').first().inputValue()) === '+14155550101',
    );
  });

  test('nodes of a workflow offer numbers and languages, and a trigger shows its webhook URL', async () => {
    const key = await addAccount({ publicAddress: 'https://app.example.com' });
    await addWorkflow(server.admin, {
      ...{ title: 'Choices', type: 'telephony-call-received', config: { account: key } },
      ...{ isAwaited: false },
      nodes: [
        { type: 'telephony-send-sms', account: key, input: {} },
        { type: 'telephony-reply-say', input: {} },
      ],
    });
    const { page, screenshot } = await openTab('nocobase-node');
    await openPage(page, `${server.url}/v/admin/settings/workflow`);
    const row = page.locator('tr.ant-table-row:visible').filter({ hasText: 'Choices' });
    await row.getByText('Configure').click();
    await page.getByText('Send SMS', { exact: true }).first().click();
    const drawer = page.locator('.ant-drawer-content:visible');
    await item(drawer, 'From').getByRole('button', { name: 'Choose' }).click();
    await offered(page).first().waitFor();
    await until(async () => isDeepStrictEqual(await offered(page).allTextContents(), numbers));
    await screenshot('node');
    await offered(page).last().click();
    await item(drawer, 'From').getByText('+14155550101').waitFor();
    await screenshot('chosen');
    await drawer
      .getByRole('button', { name: /Cancel|Close/ })
      .first()
      .click();
    await page.getByText('Reply: Say', { exact: true }).first().click();
    const language = item(drawer, 'Language');
    await language.getByRole('button', { name: 'Choose' }).click();
    await offered(page).getByText('de-DE').click();
    await language.getByText('de-DE').waitFor();
    await drawer
      .getByRole('button', { name: /Cancel|Close/ })
      .first()
      .click();
    await page.getByText('Call received', { exact: true }).first().click();
    await drawer.getByText(`https://app.example.com/api/telephony/events/${key}`).waitFor();
    await drawer.getByText('Reply nodes need the execute mode “Synchronously”').waitFor();
    await screenshot('trigger');
  });
});

test('a button that deletes asks first, and names what it deletes', async () => {
  const { sid = '' } = sandbox.messages.find(({ status }) => status === 'delivered') ?? {};
  const use = 'TelephonyDeleteAMessageActionModel';
  const button = (run: object) => ({ collection: 'users', columns: [], buttons: [{ use, run }] });
  const [fixed, typed] = await addPages(server.admin, 'main', [
    {
      ...{ title: 'Delete', icon: 'DeleteOutlined' },
      blocks: [button({ messageSid: sid, ask: false })],
    },
    { ...{ title: 'Choose', icon: 'DeleteOutlined' }, blocks: [button({ ask: true })] },
  ]);
  const deleted = () => takeRequests(sandbox).filter((one) => one.startsWith('DELETE'));
  const { page, screenshot } = await openTab('nocobase-delete');
  const question = page.locator('.ant-modal-confirm:visible');
  const press = (place: Page | Locator, name: string) =>
    place.getByRole('button', { name }).click();
  // In a loaded client, the end of this question's animation can be missed.
  await page.goto(server.url + fixed);
  await press(page, 'Delete a Message');
  await question.getByText(`Delete message ${sid}? This can't be undone.`).waitFor();
  await screenshot('question');
  await press(question, 'Cancel');
  await question.waitFor({ state: 'detached' });
  expect(deleted()).toEqual([]);

  await openPage(page, server.url + typed);
  await press(page, 'Delete a Message');
  const form = page.locator('.ant-modal:visible').filter({ has: page.locator('form') });
  await form.locator('input').fill(sid);
  await press(form, 'Delete a Message');
  await press(question, 'Delete a Message');
  await page.getByText(`Message ${sid} deleted`).waitFor();
  expect(deleted()).toEqual([`DELETE /Messages/${sid}.json`]);
});

test('a table no longer shows a record that a button of its row has deleted', async () => {
  const { sid = '' } = sandbox.messages.find(({ status }) => status === 'delivered') ?? {};
  const use = 'TelephonyDeleteAMessageActionModel';
  const run = { messageSid: '{{ ctx.record.sid }}', ask: false };
  const [path] = await addPages(server.admin, definitions.manifest.id, [
    {
      ...{ title: 'Messages', icon: 'DeleteOutlined' },
      blocks: [
        {
          collection: 'account_messages',
          columns: [{ field: 'sid', use: 'DisplayTextFieldModel' }],
          rowButtons: [{ use, run }],
        },
      ],
    },
  ]);
  const { page } = await openTab('nocobase-deleted');
  await openPage(page, server.url + path);
  const row = page.locator('tr.ant-table-row', { hasText: sid });
  await row.getByText('Delete a Message').click();
  const question = page.locator('.ant-modal-confirm:visible');
  await question.getByRole('button', { name: 'Delete a Message' }).click();
  await row.waitFor({ state: 'detached' });
});

test('an action can be a step of an event flow', async () => {
  const step = { key: 'send', use: 'telephony.send-sms', sort: 1 };
  const run = { from: '+15005550006', to: '+12025550177', body: 'Hello.', ask: false };
  const flow = { key: 'remind', title: 'Remind', on: 'click' };
  const [path] = await addPages(server.admin, 'main', [
    {
      ...{ title: 'Flow', icon: 'TableOutlined' },
      blocks: [
        {
          ...{ collection: 'users', rowButtons: [], columns: [] },
          buttons: [
            {
              ...{ use: 'RefreshActionModel', title: 'Remind' },
              flows: { remind: { ...flow, steps: { send: { ...step, defaultParams: run } } } },
            },
          ],
        },
      ],
    },
  ]);
  const { page, screenshot } = await openTab('nocobase-event-flow');
  await openPage(page, server.url + path);
  await page.getByRole('button', { name: 'Remind' }).click();
  await page.getByText(`Message to ${run.to} queued`).waitFor();
  await screenshot('reminded');
  expect(sandbox.messages.filter(({ to }) => to === run.to)).toHaveLength(1);
});

/** What is in both shells of NocoBase. */
function inShell(shell: string, path: string) {
  test('a workflow is executed manually with a changed sample of its event', async () => {
    const body = `{{$context.data.body}} {{$context.data.numSegments}} (${shell})`;
    const title = `Try in the ${shell} shell`;
    await addWorkflow(server.admin, {
      ...{ title, type: 'telephony-sms-received', config: {}, isAwaited: true },
      nodes: [
        {
          type: 'telephony-send-sms',
          input: { from: '{{$context.data.to}}', to: '{{$context.data.from}}', body },
        },
        { type: 'telephony-reply', input: { text: 'Thank you' } },
      ],
    });
    const { page, screenshot } = await openTab(`nocobase-execute-${shell}`);
    const faults = watchForFaults(page);
    await openPage(page, `${server.url}${path}/settings/workflow`);
    const row = page.locator('tr.ant-table-row:visible').filter({ hasText: title });
    await row.getByText('Configure').click();
    await page.getByText('SMS received', { exact: true }).first().waitFor();
    await screenshot('workflow');
    await page.getByText('Execute manually', { exact: true }).click();
    const dialog = page.locator('.ant-modal-content:visible');
    await dialog.getByText('This runs the workflow for real').waitFor();
    const field = (label: string) =>
      dialog
        .locator('.ant-form-item')
        .filter({ has: page.getByText(label, { exact: true }) })
        .last();
    const typed = field('Body').locator('textarea').first();
    expect(await typed.inputValue()).toBe("Yes, I'll come! 👍 ½ + 1");
    await screenshot('sample');
    await typed.fill('Are you open?');
    await field('From').locator('input').fill('+12025550177');
    await field('To').locator('input').fill('+15005550006');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    const said = page.locator('.ant-message-notice').filter({ hasText: 'View the execution' });
    await said.getByText('Resolved', { exact: true }).waitFor();
    await screenshot('executed');
    expect(sandbox.messages.filter(({ body }) => body.endsWith(`(${shell})`))).toMatchObject([
      { from: '+15005550006', to: '+12025550177', body: `Are you open? 1 (${shell})` },
    ]);
    expect(faults).toEqual([]);
  });

  test('the settings page tests the connection and shows no password', async () => {
    const { page, picture } = await openTab(`nocobase-settings-${shell}`);
    await openPage(page, `${server.url}${path}/settings/telephony`);
    const said = page.locator('.ant-alert');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await said.getByText(' accepts the username and the password ').waitFor();
    if (shell === 'modern') await picture('install-nocobase-settings');
    await page.getByLabel('password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await said.getByText('The service rejected the credentials').waitFor();
    expect(await page.content()).not.toContain(password);
  });
}

describe('in the modern shell', () => inShell('modern', '/v/admin'));

test('an administrator adds a notification channel, and uses it in the notification node of a workflow', async () => {
  const { page, screenshot } = await openTab('nocobase-channel');
  await openPage(page, `${server.url}/v/admin/settings/notification-manager`);
  await page.getByRole('button', { name: 'Add new' }).click();
  await page.getByText('Send SMS', { exact: true }).click();
  const drawer = page.locator('.ant-drawer-content:visible');
  await drawer.getByLabel('Channel display name').fill('On call');
  await drawer.getByLabel('Account').click();
  await page.locator('.ant-select-item-option:visible').first().click();
  await screenshot('channel');
  await drawer.getByRole('button', { name: 'Submit' }).click();
  await page.getByRole('cell', { name: 'On call' }).waitFor();

  const table = { name: 'alarms', columns: ['door'], isAwaited: true, nodes: [] };
  const id = await addWorkflowOnTable(server.admin, table);
  await server.admin.request(`workflows/${id}/nodes:create`, {
    ...{ type: 'notification', title: 'Alarm by SMS', upstreamId: null, branchIndex: null },
    config: {},
  });
  await openPage(page, `${server.url}/v/admin/workflow/workflows/${id}`);
  // A click on the title would edit it.
  await page.getByText('Notification', { exact: true }).click();
  await item(drawer, 'Channel').locator('.ant-select').click();
  await page.locator('.ant-select-item-option:visible').getByText('On call').click();
  for (const [label, value] of [
    ['From', '+14155550100'],
    ['To', '+12025550143'],
    ['Body', 'The door is open.'],
  ] as const) {
    await item(drawer, label).locator('input, textarea, [contenteditable=true]').first().click();
    // At once: NocoBase redraws this input after each change, so fast typing would mix up its characters.
    await page.keyboard.insertText(value);
  }
  await screenshot('notification');
  await drawer.getByRole('button', { name: 'Submit' }).click();
  await drawer.waitFor({ state: 'detached' });
  await server.admin.request('alarms:create', { door: 'front' });
  const sent = sandbox.messages.filter(({ body }) => body === 'The door is open.');
  expect(sent).toMatchObject([{ from: '+14155550100', to: '+12025550143' }]);
});

test('the form of an action counts the SMS, offers choices and times, and marks invalid values', async () => {
  const use = 'TelephonySendAMessageActionModel';
  const [path] = await addPages(server.admin, 'main', [
    {
      ...{ title: 'Form', icon: 'FormOutlined' },
      blocks: [{ collection: 'users', columns: [], buttons: [{ use, run: { ask: true } }] }],
    },
  ]);
  const { page, screenshot } = await openTab('nocobase-form');
  await openPage(page, server.url + path);
  await page.getByRole('button', { name: 'Send a Message' }).click();
  const form = page.locator('.ant-modal:visible');
  const item = (label: string) =>
    form.locator('.ant-form-item').filter({ has: page.getByText(label, { exact: true }) });
  await form.locator('textarea').first().fill('Bis gleich 🙂');
  await form.getByText('1 SMS, 57 characters left (UCS-2)').waitFor();
  await form.locator('textarea').first().fill('Hi {{ ctx.user.nickname }}');
  const refusal = "Variables work only in the button's settings. Enter here what is to be sent.";
  await form.getByText(refusal).waitFor();
  await form.locator('textarea').first().fill('x'.repeat(161));
  await form.getByText(refusal).waitFor({ state: 'detached' });
  await form.getByText('2 SMS, 145 characters left (GSM-7)').waitFor();
  await item('From').locator('input').fill('+15005550006');
  await item('Messaging service SID').locator('input').fill('MG1');
  await item('Send at').locator('input').fill('2026-11-25 10:00:00');
  await page.keyboard.press('Enter');
  await form.getByText('Here, dates are in your time zone, Europe/Berlin.').waitFor();
  await item('Schedule type').locator('.ant-select-selector').click();
  await page.locator('.ant-select-item-option:visible').getByText('fixed').click();
  const send = form.getByRole('button', { name: 'Send a Message' });
  await send.click();
  await item('To').getByText('This field is required.').waitFor();
  await item('To').locator('input').fill('+15005550001');
  sandbox.requests.length = 0;
  await send.click();
  await item('To').getByText('21211').waitFor();
  await screenshot('refused');
  const sent = new URLSearchParams(sandbox.requests.at(-1)?.body);
  expect(Object.fromEntries(sent)).toMatchObject({
    ...{ SendAt: '2026-11-25T09:00:00Z', ScheduleType: 'fixed', MessagingServiceSid: 'MG1' },
  });
});

// The stories from here on load the client again, for this shell, another user and another language.
describe('in the legacy shell', () => inShell('legacy', '/admin'));

test('the form of a user who may only use buttons has no sender, and fixes configured values', async () => {
  const use = 'TelephonySendSmsActionModel';
  const to = '+12025550143';
  const [path] = await addPages(server.admin, 'main', [
    {
      ...{ title: 'Only buttons', icon: 'FormOutlined' },
      blocks: [{ collection: 'users', columns: [], buttons: [{ use, run: { to, ask: true } }] }],
    },
  ]);
  const save = (defaultSender: string) =>
    server.admin.request('telephonyAccounts:save', {
      ...{ ...settings, key: 'telephony', defaultSender },
      buttonRoles: { 'send-sms': ['member'] },
    });
  await save('');
  const { page, screenshot } = await openTab('nocobase-only-buttons');
  await logIn(page, server.url + path, true);
  await page.getByRole('button', { name: 'Send SMS' }).click();
  const form = page.locator('.ant-modal:visible');
  const number = item(form, 'To').locator('input');
  await number.waitFor();
  expect([await number.inputValue(), await number.isEnabled()]).toEqual([to, false]);
  expect(await item(form, 'From').count()).toBe(0);
  await form.locator('textarea').first().fill('We are open.');
  await form.getByRole('button', { name: 'Send SMS' }).click();
  await form.getByText('This button has no sender.').waitFor();
  await screenshot('no-sender');
  await save('+14155550100');
  await form.getByRole('button', { name: 'Send SMS' }).click();
  await page.getByText(`Message to ${to} queued`).waitFor();
  expect(sandbox.messages[0]).toMatchObject({ from: '+14155550100', to, body: 'We are open.' });
});

test('a German user sees German names', async () => {
  const languages = { enabledLanguages: ['en-US', 'de-DE'] };
  await server.admin.request('systemSettings:update?filterByTk=1', languages);
  const { page, screenshot } = await openBrowser('nocobase-german');
  await logIn(page, `${server.url}/v/admin`);
  await page.evaluate("localStorage.setItem('NOCOBASE_LOCALE', 'de-DE')");
  await page.reload();
  await page.getByText('Calls', { exact: true }).first().click();
  for (const name of ['Begonnen', 'Dauer'])
    await page.getByRole('columnheader', { name }).first().waitFor();
  await page.getByRole('button', { name: 'SMS senden' }).waitFor();
  await screenshot('calls');
});
