import { cpSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Browser, describeInBrowser, openBrowser } from './browser.ts';
import { admin, type SaltcornServer, startSaltcornServer } from './saltcorn-server.ts';

// The steps of docs/install.md, and its pictures.
describeInBrowser('installing it into a Saltcorn, someone', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    folder = join(temporaryFolder('install'), 'saltcorn');
    cpSync(resolve(__dirname, '../../dist/saltcorn'), folder, { recursive: true });
    sandbox = await openSandbox();
    [saltcorn, browser] = await Promise.all([
      startSaltcornServer(),
      openBrowser('install-saltcorn'),
    ]);
    const { page } = browser;
    page.setDefaultTimeout(10_000);
    await page.setViewportSize({ width: 900, height: 560 });
    await go('/auth/login');
    await page.fill('input[name=email]', admin.email);
    await page.fill('input[name=password]', admin.password);
    await submit();
    await page.waitForURL(`${saltcorn.url}/`);
  });

  const go = (path: string) => browser.page.goto(saltcorn.url + path);
  const main = () => browser.page.locator('#page-inner-content');
  const toast = (kind: 'success' | 'danger') =>
    browser.page.locator(`#toasts-area .toast:has(.bg-${kind}) .toast-body`).last();
  const field = (label: string) => browser.page.getByLabel(label, { exact: true });

  async function submit() {
    await browser.page.locator('form button[type=submit]').last().click();
    await browser.page.waitForLoadState();
  }

  async function modulesMenu(item: string) {
    await go('/plugins');
    await browser.page.locator('#dropdownMenuButton').click();
    await browser.page.getByRole('link', { name: item }).waitFor();
  }

  /** Presses the button beside the settings, and gives what it says. */
  async function testConnection(kind: 'success' | 'danger') {
    await browser.page.getByText('Test connection').click();
    await toast(kind).waitFor();
    return toast(kind).textContent();
  }

  test('adds the module', async () => {
    const { page, screenshot } = browser;
    await page.setViewportSize({ width: 900, height: 420 });
    await modulesMenu('Add another module');
    await screenshot('menu', main());
    await page.setViewportSize({ width: 900, height: 560 });
    await page.getByRole('link', { name: 'Add another module' }).click();
    await page.fill('input[name=name]', 'telephony');
    await page.selectOption('select[name=source]', 'local');
    await page.fill('input[name=location]', '/opt/telephony/saltcorn');
    await screenshot('module', main());
    await page.fill('input[name=location]', folder);
    await submit();
    await page.waitForSelector('text=Module telephony installed');
  });

  test('fills in the settings', async () => {
    await go('/plugins/configure/telephony');
    await field('username').fill(sandbox.username);
    await field('password').fill(sandbox.password);
    await browser.screenshot('settings', main());
    await field('password').fill('');
  });

  async function openSettings() {
    await go('/plugins/configure/telephony');
    const folded = browser.page.locator('.accordion-button.collapsed');
    if (await folded.count()) await folded.click();
    await field('Base URL').waitFor();
  }

  const refusals: [says: string, password: string, baseUrl: (url: string) => string][] = [
    ['"password" in the plugin\'s settings is empty.', '', (url) => url],
    ['The service refused the credentials.', 'Wrong-1-password', (url) => url],
    ['The service does not know this account.', 'Wrong-1-password', (url) => `${url}/elsewhere`],
    ['cannot be reached (ECONNREFUSED).', 'Wrong-1-password', () => 'http://127.0.0.1:9'],
  ];
  test.each(refusals)('reads why it does not work: %s', async (says, password, baseUrl) => {
    await openSettings();
    await field('username').fill(sandbox.username);
    await field('password').fill(password);
    await field('Base URL').fill(baseUrl(sandbox.url));
    expect(await testConnection('danger')).toContain(says);
  });

  test('reads that it works', async () => {
    await openSettings();
    await field('Base URL').fill(sandbox.url);
    await field('password').fill(sandbox.password);
    expect(await testConnection('success')).toContain(
      'The service accepts the username and the password.',
    );
    await browser.screenshot('works', browser.page.locator('#toasts-area .toast').last());
    await submit();
  });

  test('makes a table', async () => {
    const { page, screenshot } = browser;
    await go('/table');
    await page.getByRole('link', { name: 'Create table' }).click();
    await page.fill('input[name=name]', 'Calls');
    await page.selectOption('select[name=provider_name]', 'Telephony: Calls by caller id');
    await screenshot('table', main());
    await submit();
    await submit();
    await page.waitForSelector('text=Table Calls saved');
  });

  test('makes a list', async () => {
    const { page, screenshot } = browser;
    await go('/viewedit');
    await page.getByRole('link', { name: 'Create view' }).click();
    await page.fill('input[name=name]', 'Calls');
    await page.selectOption('select[name=viewtemplate]', 'List');
    await page.selectOption('select[name=table_name]', 'Calls');
    await screenshot('view', main());
    await submit();
    await page.waitForSelector('.wrap-builder-elem');
    await go('/view/Calls');
    expect(await page.locator('tbody tr').count()).toBe(20);
    await go('/view/Calls?status=busy');
    await screenshot('list', main());
  });

  test('drags a button onto a page', async () => {
    const { page, screenshot } = browser;
    await page.setViewportSize({ width: 1000, height: 780 });
    await go('/pageedit/new');
    await page.fill('input[name=name]', 'hello');
    await submit();
    const saved = page.waitForResponse(
      (response) =>
        response.url().includes('/savebuilder') &&
        Boolean(response.request().postData()?.includes('first SMS')),
    );
    await page
      .locator('.wrap-builder-elem[title="Action button"]')
      .dragTo(page.locator('#builder-main-canvas'), { targetPosition: { x: 100, y: 10 } });
    const action = page.locator('.builder-sidebar input[role=combobox]').first();
    await action.fill('Send SMS');
    await action.press('Enter');
    await page.fill('.builder-sidebar .field-from', '+14155550100');
    await page.fill('.builder-sidebar .field-to', '+12025550143');
    await page.fill('.builder-sidebar .field-body', 'My first SMS');
    await screenshot('button', page.locator('.builder-sidebar'));
    await saved;
    await page.getByText('Done', { exact: false }).click();
    await page.waitForLoadState();
  });

  test('presses it, and the SMS is sent', async () => {
    const { page, screenshot } = browser;
    await page.setViewportSize({ width: 900, height: 300 });
    const before = sandbox.messages.length;
    await go('/page/hello');
    await page.getByText('Send SMS', { exact: true }).click();
    await toast('success').waitFor();
    await screenshot('sent');
    expect(sandbox.messages).toHaveLength(before + 1);
    expect(sandbox.messages[0]).toMatchObject({ to: '+12025550143', body: 'My first SMS' });
  });

  test('empties the settings, so that the password goes, and removes the module', async () => {
    const { page } = browser;
    await go('/plugins/configure/telephony');
    expect(await field('password').getAttribute('placeholder')).toBe('unchanged');
    await field('username').fill('');
    await submit();
    await go('/plugins/configure/telephony');
    expect(await field('password').getAttribute('placeholder')).not.toBe('unchanged');
    await go('/plugins');
    await browser.screenshot('modules');
    page.once('dialog', (dialog) => dialog.accept());
    await page.locator('form[action="/plugins/delete/telephony"] button').click();
    await page.waitForLoadState();
    await browser.screenshot('removed');
    await page.getByText('Module telephony removed').waitFor();
  });
});
