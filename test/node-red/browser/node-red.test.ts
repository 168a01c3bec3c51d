import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { version } from '../../../package.json';
import { acceptedBy } from '../../support/accepted-by.ts';
import { barriers, type Foreign } from '../../support/accessibility.ts';
import { type Browser, openBrowser, watchForFaults, windows } from '../../support/browser.ts';
import { caller, callsFrom } from '../../support/of-caller.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { deskIn, type NodeRedDesk } from '../node-red-desk.ts';
import { type NodeRedServer, startNodeRedServer } from '../node-red-server.ts';
import { editorIn, type NodeRedEditor } from './node-red-editor.ts';

const tarball = join(root, `dist/telephony-plugin-node-red-${version}.tgz`);
const login = { name: 'admin', password: 'Not-a-real-1-password' };
const body = 'Tom & <b>Jerry</b> 😀 {{payload}}\n\n"Tomorrow", 10:30?';

const foreign: Foreign = [
  // An element that stops browsers from filling in a login, hidden from everyone.
  { selector: '[id^=red-ui-trap-]', rule: 'label' },
  // The dashboard's title is not a heading.
  { selector: 'html', rule: 'page-has-heading-one' },
  // Its menu, the button that opens it, and the tooltips of its entries.
  { selector: '.v-navigation-drawer .v-list', rule: 'aria-required-children' },
  { selector: 'header button', rule: 'button-name' },
  { selector: '[role=tooltip]', rule: 'aria-tooltip-name' },
  // The head of its tables on a phone contains only the choice of the order.
  { selector: '.nrdb-table--mobile th', rule: 'empty-table-header' },
  // Vuetify draws the label of a filled field as part of its frame, which is hidden from screen readers; the field's
  // title is not.
  { selector: '.v-input--dirty', rule: 'label-title-only' },
];

// One story: each test continues where the previous one ended, like a user.
describe('in Node-RED, a user', () => {
  let sandbox: Sandbox;
  let nodeRed: NodeRedServer;
  let browser: Browser;
  let editor: NodeRedEditor;
  let desk: NodeRedDesk;
  let faults: string[];

  beforeAll(async () => {
    sandbox = await openSandbox({ now: new Date('2026-11-20T15:42:00Z') });
    [nodeRed, browser] = await Promise.all([
      startNodeRedServer(['--admin', login.name], { ADMIN_PASSWORD: login.password }),
      openBrowser('node-red'),
    ]);
    editor = editorIn(browser.page);
    desk = deskIn(browser.page);
    // The editor checks whether it needs a login.
    faults = watchForFaults(
      browser.page,
      (response) => response.url().includes('/settings?') && response.status() === 401,
    );
  });

  const go = (path: string) => browser.page.goto(nodeRed.url + path);

  /** Opens the account of a node, fills it in, and returns to the canvas. */
  async function fillInAccount(fill: () => Promise<void>) {
    const { page } = browser;
    await editor.canvasNode('Send SMS').first().dblclick();
    await page.locator('#node-input-lookup-account, #node-input-btn-account-edit').first().click();
    await page.locator('#node-config-input-username').waitFor();
    await fill();
    await editor.saveAccount();
    await editor.saveNode();
  }

  test('logs in', async () => {
    const { page } = browser;
    await go('/');
    await page.fill('#node-dialog-login-username', login.name);
    await page.fill('#node-dialog-login-password', login.password);
    await page.locator('#node-dialog-login-submit').click();
    await page.locator('.red-ui-palette-node').first().waitFor();
  });

  test("uploads the tarball through Node-RED's own installer", async () => {
    const { page, picture } = browser;
    const dialog = page.locator('.red-ui-palette-editor-upload-buttons').locator('..');
    const answer = await editor.upload(tarball, () => picture('install-node-red-upload', dialog));
    expect(answer.status()).toBe(200);
    await editor.paletteNode('telephony-send-sms').waitFor({ state: 'attached' });
    await editor.closeTray();
  });

  test('imports the example', async () => {
    const { page, picture } = browser;
    await editor.choose('#menu-item-import');
    await page.getByRole('link', { name: 'Examples' }).click();
    const examples = page.locator('#red-ui-clipboard-dialog-import-tab-examples');
    await examples.getByText('@telephony-plugin/node-red').click();
    await examples.getByText('Telephony desk').click();
    await picture('install-node-red-examples', page.locator('.ui-dialog:visible'));
    await page.locator('#red-ui-clipboard-dialog-ok').click();
    await page.locator('.red-ui-tab', { hasText: 'Telephony desk' }).click();
    await editor.canvasNode('Send SMS').waitFor();
  });

  test('fills in the account and deploys', async () => {
    const { page, picture, screenshot } = browser;
    await fillInAccount(async () => {
      await editor.fillAccount(sandbox);
      await picture('install-node-red-account', page.locator('.red-ui-tray').last());
      await editor.fillBaseUrl(sandbox.url);
      await page.getByText('Test connection').click();
      await page.getByText(acceptedBy(sandbox)).waitFor();
      await screenshot('account-works');
      expect(await barriers(page, '#node-config-dialog-edit-form', foreign)).toEqual([]);
    });
    await editor.deploy();
    await screenshot('deployed');
  });

  test('drags a node onto the canvas and finds the only account in it', async () => {
    const { page, screenshot } = browser;
    expect(await editor.canvasNode('Send SMS').count()).toBe(1);
    await editor.drag('telephony-send-sms', 680, 40);
    expect(await editor.canvasNode('Send SMS').count()).toBe(2);
    const dragged = editor.canvasNode('Send SMS').last();
    await dragged.locator('.red-ui-flow-node-error').waitFor({ state: 'hidden' });
    await dragged.dblclick();
    await page.locator('.red-ui-tray', { hasText: 'Edit Send SMS node' }).waitFor();
    await page.locator('.red-ui-typedInput-container').nth(2).waitFor();
    expect(await page.locator('.red-ui-editor .input-error:visible').count()).toBe(0);
    const labels = await page.locator('#dialog-form label').allTextContents();
    expect(labels.map((text) => text.trim())).toEqual([
      ...['Name', 'Account', 'From', 'To', 'Body', 'Result to'],
    ]);
    // There is only one account.
    expect(await page.locator('#node-input-account').inputValue()).toBe('desk-account');
    await screenshot('send-sms');
    expect(await barriers(page, '#dialog-form', foreign)).toEqual([]);
  });

  test('sees how many SMS a text takes while typing it', async () => {
    const { page, screenshot } = browser;
    const row = page.locator('.form-row', { hasText: 'Body' });
    const text = row.locator('.red-ui-typedInput-input');
    const count = row.locator('#telephony-count-body');
    const choose = async (type: string) => {
      await row.locator('.red-ui-typedInput-type-select').click();
      await page.locator('.red-ui-typedInput-options a:visible', { hasText: type }).click();
    };
    const seen: [typed: string, count: string | null][] = [];
    const look = async () => seen.push([await text.inputValue(), await count.textContent()]);
    await look();
    await choose('string');
    await text.fill('');
    await look();
    await text.pressSequentially('Your table is ready €');
    await look();
    await screenshot('sms-count');
    await text.fill('ж'.repeat(71));
    await look();
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the name of a variable, as Node-RED has it
    await text.fill('${TEXT}');
    await look();
    await choose('msg');
    await text.fill('payload');
    await look();
    expect(seen).toEqual([
      ['payload', ''],
      ['', '1 SMS, 160 characters left (GSM-7)'],
      ['Your table is ready €', '1 SMS, 138 characters left (GSM-7)'],
      ['ж'.repeat(71), '2 SMS, 63 characters left (UCS-2)'],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
      ['${TEXT}', ''],
      ['payload', ''],
    ]);
    expect(await page.locator('#dialog-form [id^=telephony-count-]').count()).toBe(1);
    await page.locator('#node-dialog-delete').click();
    await editor.trayClosed();
    expect(await editor.canvasNode('Send SMS').count()).toBe(1);
  });

  test('sees an error for a limit that is not a whole number above 0', async () => {
    const { page } = browser;
    await editor.canvasNode('Calls by caller id').first().dblclick();
    const limit = page.locator('#node-input-limit');
    for (const typed of ['-5', '0', '1.5', 'all']) {
      await limit.fill(typed);
      await limit.press('End');
      await page.locator('#node-input-limit.input-error').waitFor();
      await limit.fill('5');
      await limit.press('End');
      await page.locator('#node-input-limit:not(.input-error)').waitFor();
    }
    await page.locator('#node-dialog-cancel').click();
    await editor.trayClosed();
  });

  test('sees an error for a typed value that the service would refuse', async () => {
    const { page, screenshot } = browser;
    await editor.drag('telephony-read', 680, 40);
    await editor.canvasNode('Account Calls').last().dblclick();
    await page.locator('#node-input-operation').selectOption({ label: 'Calls by number and date' });
    const row = page.locator('.form-row', { hasText: 'Started from' });
    const text = row.locator('.red-ui-typedInput-input');
    const seen: [typed: string, isMarked: boolean][] = [];
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the name of a variable, as Node-RED has it
    for (const typed of ['today', '2026-11-20', '2026-11-31', '${DAY}', '']) {
      await text.fill(typed);
      await text.blur();
      if (typed === 'today') await screenshot('wrong-date');
      seen.push([typed, (await row.locator('.input-error').count()) > 0]);
    }
    expect(seen).toEqual([
      ['today', true],
      ['2026-11-20', false],
      ['2026-11-31', true],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
      ['${DAY}', false],
      ['', false],
    ]);
    await page.locator('#node-dialog-delete').click();
    await editor.trayClosed();
  });

  test('sees the calls in the dashboard', async () => {
    const { screenshot } = browser;
    await go('/dashboard/desk');
    const { rows } = desk;
    await rows.nth(9).waitFor();
    const [call] = sandbox.calls;
    expect(await rows.first().locator('td').allTextContents()).toEqual([
      ...[call?.from, call?.status, '', call?.to, ''],
    ]);
    await screenshot('calls');
  });

  test('finds the calls from a caller', async () => {
    const { page, screenshot } = browser;
    sandbox.requests.length = 0;
    await desk.find(caller);
    const theirs = callsFrom(sandbox, caller);
    await page.getByText(`1-10 of ${theirs.length}`).waitFor();
    await screenshot('calls-of-a-caller');
    // Responses to requests that the page sent when it opened may arrive late.
    expect(sandbox.requests.at(-1)?.query).toBe('From=%2B12025550143&PageSize=1000');
    // A screenshot changes the window's size. The table then looks as on a phone, and names each value.
    const numbers = desk.rows.locator('td:first-child .nrdb-table-cell-align');
    expect(new Set(await numbers.allTextContents())).toEqual(new Set([caller]));
  });

  test('opens a call in progress and records it', async () => {
    const { page, screenshot } = browser;
    const call = sandbox.calls.find(
      ({ status, from }) => status === 'in-progress' && from === caller,
    );
    await desk.rows.filter({ hasText: 'in-progress' }).click();
    await page.getByText(call?.sid ?? '').waitFor();
    await page.getByText('Record this call').click();
    await desk.toast('Recording status: in-progress').waitFor();
    await page.locator('table.recordings', { hasText: 'in-progress' }).waitFor();
    await desk.conversation.locator('li').first().waitFor();
    expect(await barriers(page, '[role=dialog]', foreign)).toEqual([]);
    await screenshot('recorded');
    expect(sandbox.recordings[0]).toMatchObject({ call_sid: call?.sid, status: 'in-progress' });
    await page.getByText('Write to').click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await desk.untilFormHolds(caller, '');
  });

  test('sends an SMS, exactly as typed', async () => {
    const { screenshot } = browser;
    const before = sandbox.messages.length;
    await desk.message.fill(body);
    await screenshot('desk');
    await desk.send.click();
    await desk.toast(`Message to ${caller} queued`).waitFor();
    await screenshot('sms-sent');
    expect(sandbox.messages).toHaveLength(before + 1);
    expect(sandbox.messages[0]).toMatchObject({ from: '+14155550100', to: caller, body });
  });

  test('sends an SMS without a mouse', async () => {
    const { page } = browser;
    await go('/dashboard/desk');
    await desk.to.focus();
    await page.keyboard.type(caller);
    await page.keyboard.press('Tab');
    await page.keyboard.type('Your table is ready.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await desk.toast(`Message to ${caller} queued`).waitFor();
    expect(sandbox.messages[0]).toMatchObject({ to: caller, body: 'Your table is ready.' });
    // The form is cleared a moment after the success message.
    await desk.untilFormHolds('', '');
  });

  test('sees which field is missing', async () => {
    const { screenshot } = browser;
    const before = sandbox.messages.length;
    await desk.to.fill(caller);
    expect(await desk.send.isDisabled()).toBe(true);
    await desk.message.fill('  ');
    await desk.send.click();
    await desk.toast('"Body" is missing').waitFor();
    await screenshot('nothing-sent');
    expect(sandbox.messages).toHaveLength(before);
  });

  test('plays a recording of a caller', async () => {
    const { page, screenshot } = browser;
    await go('/dashboard/recordings');
    await page.locator('audio').first().waitFor();
    await screenshot('recordings');
    const duration = await page.evaluate(`new Promise((resolve, reject) => {
      const audio = document.querySelector('audio');
      audio.addEventListener('loadedmetadata', () => resolve(audio.duration));
      audio.addEventListener('error', () => reject(new Error('It does not play.')));
      audio.preload = 'metadata';
      audio.load();
    })`);
    expect(duration).toBe(2);
    const [recording] = sandbox.recordings;
    const call = sandbox.calls.find(({ sid }) => sid === recording?.call_sid);
    expect(await page.locator('table.recordings tbody td').first().textContent()).toBe(call?.from);
  });

  test('sees the number of calls by day and status, and of messages by status', async () => {
    const { page, picture } = browser;
    sandbox.requests.length = 0;
    await go('/dashboard/account-calls');
    await desk.group('Calls per day').locator('canvas').waitFor();
    const completed = sandbox.calls.filter(({ status }) => status === 'completed').length;
    await page.getByText(new RegExp(`: ${completed} completed, `)).waitFor();
    await page.getByText(`${sandbox.messages.length} messages: `).waitFor();
    await desk.group('Messages by status').locator('canvas').waitFor();
    await picture('node-red-calls');
    const read = sandbox.requests.map(({ path }) => path.replace(/.*\/(\w+)\.json$/, '$1'));
    const pages = Array.from({ length: Math.ceil(sandbox.calls.length / 50) }, () => 'Calls');
    expect(read.sort()).toEqual([...pages, 'Messages']);
  });

  test.each(['desk', 'recordings', 'account-calls'])(
    'finds no accessibility barrier on a dashboard page in any window: %s',
    async (path) => {
      const { page, screenshot } = browser;
      await go(`/dashboard/${path}`);
      await page.locator('tbody tr').nth(3).waitFor();
      const found: object[] = [];
      for (const [where, width] of windows) {
        await page.setViewportSize({ width, height: 900 });
        // The dashboard draws its tables again.
        await page.evaluate(
          'new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))',
        );
        await screenshot(`${path} ${where}`.replaceAll(' ', '-'));
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
        found.push({ wide, barriers: await barriers(page, '', foreign) });
      }
      await page.setViewportSize({ width: 1280, height: 900 });
      expect(found).toEqual(windows.map(([, wide]) => ({ wide, barriers: [] })));
    },
  );

  test('sees an error for a wrong password', async () => {
    const { page, screenshot } = browser;
    await go('/');
    await page.locator('.red-ui-tab', { hasText: 'Telephony desk' }).click();
    await fillInAccount(() => editor.fillAccount({ password: 'Wrong-1-password' }));
    await editor.deploy();
    await go('/dashboard/account-calls');
    await desk.toast('The service rejected the credentials.').waitFor();
    await screenshot('wrong-password');
  });

  test('finds no secret in the flows, pages or log, and no page error', () => {
    const flows = readFileSync(join(nodeRed.home, 'flows.json'), 'utf8');
    expect(flows).toContain(sandbox.username);
    for (const text of [flows, nodeRed.written(), ...browser.shown]) {
      expect(text).not.toContain(sandbox.password);
      expect(text).not.toContain('Wrong-1-password');
    }
    expect(faults).toEqual([]);
  });
});
