import { resolve } from 'node:path';
import { barriers, type Foreign } from '../../support/accessibility.ts';
import { type Browser, openBrowser, watchForFaults } from '../../support/browser.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { until } from '../../support/until.ts';
import { startNodeRedServer } from '../node-red-server.ts';
import { firstSmsFlow } from './first-sms-flow.ts';
import { editorIn, type NodeRedEditor } from './node-red-editor.ts';

// An element that stops browsers from filling in a login, hidden from everyone.
const foreign: Foreign = [{ selector: '[id^=red-ui-trap-]', rule: 'label' }];

// One story: each test continues where the previous one ended.
describe('in a dialog of Node-RED, a user', () => {
  let sandbox: Sandbox;
  let browser: Browser;
  let editor: NodeRedEditor;
  let faults: string[];

  beforeAll(async () => {
    sandbox = await openSandbox();
    const options = ['--module', resolve(root, 'dist/node-red')];
    const { url } = await startNodeRedServer([...options, '--flow', firstSmsFlow()], {});
    browser = await openBrowser('node-red-choices');
    editor = editorIn(browser.page);
    faults = watchForFaults(browser.page);
    await browser.page.goto(`${url}/#flow/first-sms-flow`);
  });

  const row = (label: string) => browser.page.locator('.form-row', { hasText: label });
  const from = () => row('From').locator('.red-ui-typedInput-input');
  const expand = (label: string) => row(label).locator('.red-ui-typedInput-option-expand').click();
  const menu = () => browser.page.locator('.red-ui-autoComplete-container:visible');
  const offered = () => menu().locator('a').allTextContents();
  const numbers = ['+14155550100  Front desk', '+14155550101  Support'];

  test.each([
    ['Account Calls', 'Read records'],
    ['recordings by', 'Read records'],
    ['Reply: Forward', 'Reply'],
  ])('finds “%s” in the palette', async (typed, label) => {
    const { page } = browser;
    await editor.paletteNode('telephony-read').waitFor({ state: 'attached' });
    const search = page.locator('#red-ui-palette-search input');
    // The search follows keys, which `fill` doesn't press.
    const type = async (text: string) => {
      await search.fill(text);
      await search.press('End');
    };
    await type(typed);
    const nodes = page.locator('[data-palette-type^="telephony-"]:not([data-filter])');
    const shown = async () =>
      (await nodes.allTextContents()).map((text) => text.trim().split(/\s+/).join(' '));
    // The search begins a moment after the last key.
    await until(async () => (await shown()).join() === label);
    await type('');
    await until(async () => (await shown()).length > 1);
  });

  test('sees in a new account why its numbers are not listed, and types a sender', async () => {
    const { page, screenshot } = browser;
    await editor.canvasNode('Send SMS').dblclick();
    await page.locator('#node-input-btn-account-edit').click();
    await expand('Default sender');
    const hint = page.locator('#telephony-choices-sender');
    await hint.filter({ hasText: 'variable TELEPHONY_USERNAME, which has no value' }).waitFor();
    await screenshot('no-account');
    expect(faults).toEqual([]);
  });

  test('picks the default sender with what was just typed', async () => {
    const { page, screenshot } = browser;
    await editor.fillAccount(sandbox);
    await editor.fillBaseUrl(sandbox.url);
    await expand('Default sender');
    await menu().waitFor();
    expect(await offered()).toEqual(numbers);
    await screenshot('sender');
    await menu().getByText('Support').click();
    await until(
      async () =>
        (await page.locator('#node-config-input-defaultSender').inputValue()) === '+14155550101',
    );
    await screenshot('sender-chosen');
    await editor.saveAccount();
  });

  test('picks a number for From, of an account that is not deployed yet', async () => {
    const { page, screenshot } = browser;
    await expand('From');
    await menu().waitFor();
    expect(await offered()).toEqual(numbers);
    await screenshot('from');
    await menu().getByText('Front desk').click();
    await until(async () => (await from().inputValue()) === '+14155550100');
    expect(await barriers(page, '#dialog-form', foreign)).toEqual([]);
  });

  test('finds a number while typing, and types any other sender', async () => {
    const { page, screenshot } = browser;
    await from().fill('');
    await from().pressSequentially('0101');
    await menu().waitFor();
    expect(await offered()).toEqual(numbers.slice(1));
    await screenshot('typed');
    await from().fill('');
    await from().pressSequentially('Support');
    await menu().waitFor({ state: 'detached' });
    await page.keyboard.press('Tab');
    await until(
      async () => (await page.locator('#node-input-inputFrom').inputValue()) === 'Support',
    );
    await editor.saveNode();
    await editor.deploy();
  });

  test('sees a hint if their login may not change flows, lists the numbers once it may, and types', async () => {
    const { page, screenshot } = browser;
    const path = '**/telephony/choices/**';
    await page.route(path, (route) => route.fulfill({ status: 401 }));
    await editor.canvasNode('Send SMS').dblclick();
    await expand('From');
    await page.getByText('Could not load your numbers. Your login may not').waitFor();
    await screenshot('reader');
    await page.unroute(path);
    await expand('From');
    await menu().waitFor();
    expect(await offered()).toEqual(numbers);
    await page.keyboard.press('Escape');
    await from().fill('Our Shop');
    await editor.saveNode();
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^401 .*\/choices\/account$/)]);
  });

  test('sees in Make a Call labels of one or two lines, and what an empty language means', async () => {
    const { page, screenshot } = browser;
    await editor.drag('telephony-make-a-call', 300, 300);
    await editor.canvasNode('Make a Call').dblclick();
    await row('Language').locator('.red-ui-typedInput-option-label').waitFor();
    await screenshot('make-a-call');
    expect(await row('Language').locator('.red-ui-typedInput-option-label').innerText()).toBe(
      'default',
    );
    const heights = await page.evaluate<number[]>(
      "[...document.querySelectorAll('#dialog-form label')].map(({ offsetHeight }) => offsetHeight)",
    );
    const line = Math.min(...heights);
    expect(heights.filter((height) => height > 2 * line)).toEqual([]);
    await page.locator('#node-dialog-delete').click();
    await editor.trayClosed();
  });

  test('chooses an action for each row, which keeps what its fields share, and a number for it', async () => {
    const { page, screenshot } = browser;
    const value = async (property: string) => page.locator(`#node-input-${property}`).inputValue();
    const choose = (label: string) => page.locator('#node-input-operation').selectOption({ label });
    await editor.drag('telephony-for-each-row', 300, 300);
    await editor.canvasNode('Send SMS for each row').dblclick();
    await from().fill('+14155550101');
    await page.keyboard.press('Tab');
    await screenshot('for-each-row');
    await choose('Send a Template');
    await row('Template').first().waitFor();
    await screenshot('template-for-each-row');
    const seen = [await value('inputFrom'), await value('inputTo'), await value('typeOfTo')];
    expect(seen).toEqual(['+14155550101', 'payload.to', 'msg']);
    expect([await value('inputContentSid'), await value('typeOfContentSid')]).toEqual([
      'payload.contentSid',
      'msg',
    ]);
    expect(await page.locator('#node-input-inputBody').count()).toBe(0);
    await editor.saveNode();
    await editor.canvasNode('Send a Template for each row').dblclick();
    expect(await page.locator('#node-input-operation').inputValue()).toBe('send-a-template');
    expect([await value('inputFrom'), await value('inputContentSid')]).toEqual([
      '+14155550101',
      'payload.contentSid',
    ]);
    expect(await barriers(page, '#dialog-form', foreign)).toEqual([]);
    await page.locator('#node-dialog-delete').click();
    await editor.trayClosed();
  });

  test('finds a record to read and a reply in groups, and sees what each does', async () => {
    const { page, screenshot } = browser;
    const groups = () =>
      page
        .locator('#node-input-operation optgroup')
        .evaluateAll((all) => all.map((one) => Object(one).label));
    await editor.drag('telephony-read', 300, 400);
    await editor.canvasNode('Account Calls').dblclick();
    expect((await groups()).slice(0, 3)).toEqual(['Call', 'Recording', 'Message']);
    await page.locator('#dialog-form').getByText('All calls of the account, newest').waitFor();
    await screenshot('read');
    await page.locator('#node-dialog-delete').click();
    await editor.trayClosed();
    await editor.drag('telephony-reply', 300, 400);
    await editor.canvasNode('Reply').dblclick();
    expect(await groups()).toEqual(['SMS received', 'Call received']);
    await page.locator('#node-input-operation').selectOption({ label: 'Reply: Forward' });
    await row('Caller ID').waitFor();
    await screenshot('reply');
    await page.locator('#node-dialog-delete').click();
    await editor.trayClosed();
    expect(faults).toEqual([]);
  });

  test('sees a hint if the service is down, and types', async () => {
    const { page, screenshot } = browser;
    await sandbox.close();
    await editor.canvasNode('Send SMS').dblclick();
    await expand('From');
    const hint = page.locator('#telephony-choices-from');
    await hint.filter({ hasText: 'Could not load your numbers.' }).waitFor();
    await screenshot('down');
    await from().fill('+14155550100');
    await editor.saveNode();
    expect(faults).toEqual([]);
  });
});
