import { resolve } from 'node:path';
import { type Sandbox, startSandbox } from '../../demo/sandbox/index.ts';
import { readDocument, sectionOf, typedIn } from '../document.ts';
import { type Browser, describeInBrowser, openBrowser } from './browser.ts';
import { admin, type SaltcornServer, startSaltcornServer } from './saltcorn-server.ts';

jest.setTimeout(60_000);

const [button = {}, list = {}] = typedIn(
  sectionOf(readDocument('docs/recipes.md'), 'Missed calls'),
);

// One story: each test is a step of the recipe.
describeInBrowser('with the recipe for missed calls, someone', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox();
    const { username, password, url: baseUrl } = sandbox;
    [saltcorn, browser] = await Promise.all([
      startSaltcornServer({
        plugin: resolve(__dirname, '../../dist/saltcorn'),
        configuration: { username, password, baseUrl },
      }),
      openBrowser('recipes'),
    ]);
    const { page } = browser;
    await go('/auth/login');
    await page.fill('input[name=email]', admin.email);
    await page.fill('input[name=password]', admin.password);
    await submit();
    await page.waitForSelector('text=Logout', { state: 'attached' });
  });
  afterAll(async () => {
    await browser?.close();
    await saltcorn?.close();
    await sandbox?.close();
  });

  const go = (path: string) => browser.page.goto(saltcorn.url + path);
  const submit = async () => {
    await browser.page.locator('form button[type=submit]').last().click();
    await browser.page.waitForLoadState();
  };
  const sidebar = () => browser.page.locator('.builder-sidebar');

  test('makes the table', async () => {
    const { page } = browser;
    await go('/table/new');
    await page.fill('input[name=name]', 'Missed calls');
    await page.selectOption('select[name=provider_name]', 'Telephony: Calls by caller id');
    await submit();
    await submit();
    await page.waitForSelector('text=Table Missed calls saved');
  });

  test('makes the list, and deletes the columns that it does not need', async () => {
    const { page } = browser;
    await go('/viewedit/new');
    await page.fill('input[name=name]', 'Missed calls');
    await page.selectOption('select[name=viewtemplate]', 'List');
    await page.selectOption('select[name=table_name]', 'Missed calls');
    await submit();
    await page.waitForSelector('.wrap-builder-elem');
    const columns = page.getByText(/^Column \d+:/);
    for (let count = await columns.count(); count > 5; count -= 1) {
      await columns.last().click();
      await sidebar().getByText('Delete').click();
      await columns.nth(count - 1).waitFor({ state: 'detached' });
    }
  });

  test('drags the button into it', async () => {
    const { page } = browser;
    const cell = page.locator('.list-col-canvas').first();
    await page.locator('.wrap-builder-elem[title="Action button"]').dragTo(cell);
    const action = sidebar().locator('input[role=combobox]').first();
    await action.fill('Send SMS');
    await action.press('Enter');
    await sidebar()
      .locator('xpath=.//label[starts-with(., "Label")]/following::input[1]')
      .fill(button.Label ?? '');
    await sidebar()
      .locator('.field-from')
      .fill(button.From ?? '');
    await sidebar()
      .locator('.field-to')
      .fill(button.To ?? '');
    await sidebar()
      .locator('.field-body')
      .fill(button.Body ?? '');
    await browser.screenshot('button');
    await page.getByText('Next').click();
    await page.waitForSelector('text=Default state (step');
    await submit();
  });

  test('leaves out all other calls, and sees the newest missed ones', async () => {
    const { page } = browser;
    const formula = page.locator('.form-group', { hasText: 'Row inclusion formula' });
    await formula.locator('.monaco-editor').click();
    await page.keyboard.insertText(list['Row inclusion formula'] ?? '');
    await browser.screenshot('options');
    await submit();
    sandbox.requests.length = 0;
    await go('/view/Missed%20calls');
    await browser.screenshot('missed-calls');
    console.log(sandbox.requests.map(({ query }) => query));
    const missed = sandbox.calls.filter(
      ({ direction, status }) =>
        direction === 'inbound' && (status === 'no-answer' || status === 'busy'),
    );
    expect(missed.length).toBeGreaterThan(2);
    expect(await page.locator('tbody tr').count()).toBe(Math.min(missed.length, 20));
    expect(await page.locator('tbody tr td:nth-child(2)').allTextContents()).toEqual(
      missed.slice(0, 20).map(({ from }) => from),
    );
  });

  test('texts who called first', async () => {
    const { page } = browser;
    const caller = await page.locator('tbody tr td:nth-child(2)').first().textContent();
    const called = await page.locator('tbody tr td:nth-child(3)').first().textContent();
    await page
      .getByText(button.Label ?? '')
      .first()
      .click();
    await page.locator('#toasts-area .toast:has(.bg-success)').waitFor();
    expect(sandbox.messages[0]).toMatchObject({ from: called, to: caller, body: button.Body });
  });
});
