import desk from '../../../demo/nocobase/desk.json';
import { addPages, addWorkflow, type Desk } from '../../../demo/nocobase/desk.ts';
import type { Block, Button } from '../../../demo/nocobase/page-models.ts';
import { openBrowser } from '../../support/browser.ts';
import { callIn, incoming } from '../../support/call-in.ts';
import { readDocument, sectionOf, typedIn } from '../../support/document.ts';
import type { Sandbox } from '../../support/open-sandbox.ts';
import { until } from '../../support/until.ts';
import { logIn, type NocobaseServer } from '../nocobase-server.ts';
import { addWorkflow as addSyncWorkflow } from '../workflow-on-table.ts';

const { pages, workflows } = desk as Desk;

/** The values that a recipe gives, for each of its tables, by field. */
const recipe = (heading: string) =>
  typedIn(sectionOf(readDocument('docs/recipes-nocobase.md'), heading)).map((table) =>
    Object.fromEntries(Object.entries(table).map(([label, value]) => [label.toLowerCase(), value])),
  );

const blockOf = (title: string): Block | undefined =>
  pages.find((page) => page.title === title)?.blocks[0];

const buttonOf = (buttons: Button[] = [], title: string) =>
  buttons.find((button) => button.title === title);

/** Follows the recipes, and compares the desk with them. */
export function keepsRecipes(opened: () => { sandbox: Sandbox; server: NocobaseServer }): void {
  test('the recipe for missed calls lists them, and a row button texts the caller', async () => {
    const { sandbox, server } = opened();
    const [where = {}, run = {}] = recipe('Call back those who were not answered');
    const block = {
      ...{ collection: 'calls_by_caller_id', where },
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
    const browser = await openBrowser('nocobase-recipes');
    await logIn(browser.page, server.url + path);
    const rows = browser.page.locator('tr.ant-table-row:visible');
    await rows.first().waitFor();
    const missed = sandbox.calls.filter(({ status }) => status === 'no-answer').slice(0, 20);
    expect(await rows.count()).toBe(missed.length);
    expect(await rows.getByText('no-answer').count()).toBe(missed.length);
    await browser.screenshot('missed-calls');
    const [call] = missed;
    await rows.first().getByText('Send SMS').click();
    await browser.page.getByText(`SMS queued to ${call?.from}`).waitFor();
    const sent = sandbox.messages.filter(({ body }) => body === run.body);
    expect(sent).toMatchObject([{ from: call?.to, to: call?.from }]);
  });

  test('the recipe for selected customers texts two by name', async () => {
    const { sandbox, server } = opened();
    const [run] = recipe('Text selected customers');
    expect(buttonOf(blockOf('Customers')?.buttons, 'Text selected')?.run).toMatchObject({ ...run });
    const { page } = await openBrowser('nocobase-selected-customers');
    await logIn(page, `${server.url}/v/admin`);
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
    const { sandbox, server } = opened();
    const [condition = {}, input = {}] = recipe('Tell me when a call was missed');
    const { username, password, url: baseUrl } = sandbox;
    const account = { key: 'telephony', username, password, baseUrl, publicAddress: server.url };
    await server.admin.ask('telephonyAccounts:save', account);
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
    const { sandbox, server } = opened();
    const [typed = {}] = recipe('Voicemail');
    const { username, password, url: baseUrl } = sandbox;
    const account = { key: 'telephony', username, password, baseUrl, publicAddress: server.url };
    await server.admin.ask('telephonyAccounts:save', account);
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

  test('the other recipes match the desk', () => {
    const customer = buttonOf(blockOf('Customers')?.rowButtons, 'Open')?.popup ?? [];
    const [calls, messages] = recipe('A customer’s calls');
    expect(customer.slice(1).map(({ where }) => where)).toEqual([calls, calls, messages]);
    const [welcome] = recipe('Welcome a new customer');
    expect(workflows[0]?.nodes).toMatchObject([{ config: { input: welcome } }]);
  });
}
