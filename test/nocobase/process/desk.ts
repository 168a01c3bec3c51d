import type { Locator, Page } from 'playwright-core';
import { addDesk, addPages, type Desk, leadToSandbox } from '../../../demo/nocobase/desk.ts';
import inbox from '../../../demo/nocobase/inbox.json';
import { definitions } from '../../../src/builder.ts';
import { openBrowser } from '../../support/browser.ts';
import type { Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { logIn, type NocobaseServer } from '../nocobase-server.ts';

interface Opened {
  sandbox: Sandbox;
  server: NocobaseServer;
}

const rowsOf = (page: Page | Locator) => page.locator('tr.ant-table-row:visible');
const drawerOf = (page: Page) => page.locator('.ant-drawer-content:visible');

/** The block with a title. */
const blockOf = (place: Page | Locator, title: string) =>
  place.locator('.ant-card:visible').filter({ hasText: title });

/** Tests of the desk's pages, and of the forms of actions. */
export function keepsDesk(opened: () => Opened): void {
  async function openPage(story: string, title: string) {
    const { server } = opened();
    const { page, screenshot } = await openBrowser(story);
    await logIn(page, `${server.url}/v/admin`);
    await page.getByText(title, { exact: true }).first().click();
    await rowsOf(page).first().waitFor();
    return { page, screenshot };
  }

  test('a customer on the desk shows only their own calls, recordings and messages', async () => {
    const { sandbox } = opened();
    const { page, screenshot } = await openPage('nocobase-customer', 'Customers');
    takeRequests(sandbox);
    await rowsOf(page).filter({ hasText: 'Ada' }).getByText('Open').click();
    const drawer = drawerOf(page);
    for (const title of ['Calls', 'Recordings', 'Messages'])
      await rowsOf(blockOf(drawer, title)).first().waitFor();
    await drawer.locator('audio').first().waitFor();
    await screenshot('customer');
    const number = '%2B12025550143';
    expect(takeRequests(sandbox).sort()).toEqual([
      // The plugin matches recordings with the calls of their caller.
      `GET /Calls.json?From=${number}&PageSize=1000`,
      `GET /Calls.json?From=${number}&PageSize=5`,
      `GET /Messages.json?To=${number}&PageSize=5`,
      `GET /Recordings.json?From=${number}&PageSize=1000`,
      `GET /Recordings.json?From=${number}&PageSize=5`,
    ]);
  });

  test('a button in a drawer names the record of the drawer, so that the server can check it', async () => {
    const { sandbox, server } = opened();
    const { page } = await openPage('nocobase-drawer', 'Customers');
    await rowsOf(page).filter({ hasText: 'Ada' }).getByText('Open').click();
    await drawerOf(page).getByRole('button', { name: 'Text this customer' }).click();
    const form = page.locator('.ant-modal:visible');
    await form.locator('textarea').fill('Dear Ada.');
    const asked = page.waitForRequest(/telephonyActions:send-sms/);
    await form.getByRole('button', { name: 'Send SMS' }).click();
    const { popups, row } = (await asked).postDataJSON();
    await until(() => sandbox.messages.some(({ body }) => body === 'Dear Ada.'));
    const [uid, ...others] = Object.keys(popups);
    expect(await server.admin.ask(`flowModels:findOne?uid=${uid}`)).toMatchObject({
      use: 'ViewActionModel',
    });
    expect([others, popups[uid ?? '']]).toEqual([[], { ...row, key: String(row.key) }]);
    expect(row).toEqual({ dataSource: 'main', collection: 'customers', key: expect.any(Number) });
  });

  test('the menu of a row offers the actions for calls, filled in from the row', async () => {
    const { server } = opened();
    const { page, screenshot } = await openPage('nocobase-menu', 'Calls');
    await page.getByTestId('ui-editor-button').click();
    await page.getByRole('button', { name: 'Actions' }).waitFor();
    await page.locator('th:visible', { hasText: 'Actions' }).hover();
    await page.locator('.anticon-plus:visible').last().hover();
    await page
      .locator('.ant-dropdown-menu-submenu-title:visible', { hasText: 'Telephony' })
      .hover();
    const menu = page.locator('.ant-dropdown-menu-submenu-popup:visible');
    await menu.getByText('End a Call', { exact: true }).waitFor();
    await screenshot('row');
    expect(await menu.locator('.ant-dropdown-menu-item').allTextContents()).toEqual(
      definitions.actions
        .filter(({ fields }) => !fields.some(({ key }) => key === 'recordingSid'))
        .map(({ name }) => name),
    );
    const saved = page.waitForRequest(/flowModels:save/);
    await menu.getByText('End a Call', { exact: true }).click();
    const { uid, use, stepParams } = (await saved).postDataJSON();
    const run = { callSid: '{{ ctx.record.sid }}', ask: true };
    expect([use, stepParams.telephonyClick]).toEqual(['TelephonyEndACallActionModel', { run }]);
    await rowsOf(page).first().getByText('End a Call').waitFor();
    await server.admin.ask(`flowModels:destroy?filterByTk=${uid}`, {});
  });

  test('opening a call on the desk shows its recordings', async () => {
    const { sandbox } = opened();
    const { page, screenshot } = await openPage('nocobase-call', 'Calls');
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

  test('a workflow texts a customer who is added on the desk', async () => {
    const { sandbox, server } = opened();
    const { page, screenshot } = await openPage('nocobase-workflow', 'Customers');
    await page.goto(`${server.url}/v/admin/settings/workflow`);
    await rowsOf(page).filter({ hasText: 'Welcome' }).getByText('Configure').click();
    await page.getByText('Send SMS', { exact: true }).first().click();
    await drawerOf(page).getByText('1 SMS (GSM-7), plus the text of the variables').waitFor();
    await screenshot('workflow');
    await page.goto(`${server.url}/v/admin`);
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

  test('the inbox of the desk shows an incoming SMS without a reload, and answers it', async () => {
    const { sandbox, server } = opened();
    const { username, password, url: baseUrl } = sandbox;
    const account = { key: 'telephony', username, password, baseUrl, publicAddress: server.url };
    await server.admin.ask('telephonyAccounts:save', account);
    await leadToSandbox(server.admin, sandbox.origin);
    await addDesk(server.admin, 'telephony', inbox as Desk, {});
    const { page, screenshot } = await openBrowser('nocobase-inbox');
    await logIn(page, `${server.url}/v/admin`);
    await page.getByText('Inbox', { exact: true }).first().click();
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
  });

  test('a list bound to a URL parameter shows no rows without that parameter', async () => {
    const { sandbox, server } = opened();
    const block = {
      ...{ collection: 'calls_by_caller_id', where: { from: '{{ ctx.urlSearchParams.from }}' } },
      columns: [{ field: 'from', use: 'TelephonyPhoneFieldModel' }],
    };
    const bound = { title: 'Bound', icon: 'LinkOutlined', blocks: [block] };
    const [path] = await addPages(server.admin, 'telephony', [bound]);
    const { page } = await openBrowser('nocobase-bound');
    await logIn(page, server.url + path);
    await page.locator('.ant-empty-description:visible').waitFor();
    expect(takeRequests(sandbox)).toEqual([]);
    await page.goto(`${server.url}${path}?from=%2B12025550143`);
    await rowsOf(page).getByText('+12025550143').first().waitFor();
    expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?From=%2B12025550143&PageSize=20']);
  });

  test('the form of an action counts the SMS, offers choices and times, and marks invalid values', async () => {
    const { sandbox, server } = opened();
    const use = 'TelephonySendAMessageActionModel';
    const [path] = await addPages(server.admin, 'main', [
      {
        ...{ title: 'Form', icon: 'FormOutlined' },
        blocks: [{ collection: 'users', columns: [], buttons: [{ use, run: { ask: true } }] }],
      },
    ]);
    const { page, screenshot } = await openBrowser('nocobase-form', 'Europe/Berlin');
    await logIn(page, server.url + path);
    await page.getByRole('button', { name: 'Send a Message' }).click();
    const form = page.locator('.ant-modal:visible');
    const item = (label: string) =>
      form.locator('.ant-form-item').filter({ has: page.getByText(label, { exact: true }) });
    await form.locator('textarea').fill('Bis gleich 🙂');
    await form.getByText('1 SMS, 57 characters left (UCS-2)').waitFor();
    await form.locator('textarea').fill('x'.repeat(161));
    await form.getByText('2 SMS, 145 characters left (GSM-7)').waitFor();
    await item('From').locator('input').fill('+15005550006');
    await item('Messaging service SID').locator('input').fill('MG1');
    await item('Send at').locator('input').fill('2026-11-25 10:00:00');
    await page.keyboard.press('Enter');
    await form.getByText('In your time zone, Europe/Berlin.').waitFor();
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
}
