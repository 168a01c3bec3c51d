import { resolve } from 'node:path';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { type Browser, describeInBrowser, openBrowser } from './browser.ts';
import { admin, type SaltcornServer, startSaltcornServer } from './saltcorn-server.ts';

const artefact = resolve(__dirname, '../../dist/saltcorn');

const refusal = 'The service refused the credentials. Check the username (the Account SID)';

// Saltcorn writes some values into its pages as URL components.
function decoded(text: string) {
  try {
    return text + decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return text;
  }
}

// One story: each test goes on where the one before ended, as its user would.
describeInBrowser('in Saltcorn, someone', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let browser: Browser;
  let go: (path: string) => Promise<void>;
  let submit: () => Promise<void>;

  beforeAll(async () => {
    sandbox = await openSandbox();
    [saltcorn, browser] = await Promise.all([startSaltcornServer(), openBrowser('saltcorn')]);
    go = async (path) => {
      await browser.page.goto(saltcorn.url + path);
    };
    submit = async () => {
      await browser.page.locator('form button[type=submit]').last().click();
      await browser.page.waitForLoadState();
    };
  });

  // The builder saves by itself, a moment after the last change.
  const builderSaved = (value: string) =>
    browser.page.waitForResponse(
      (response) =>
        response.url().includes('/savebuilder') &&
        response.ok() &&
        Boolean(response.request().postData()?.includes(value)),
    );

  async function chooseAction(typed: string) {
    const action = browser.page.locator('.builder-sidebar input[role=combobox]').first();
    await action.fill(typed);
    await browser.screenshot(`choose-${typed.toLowerCase().replaceAll(' ', '-')}`);
    await action.press('Enter');
  }

  const toast = (kind: 'success' | 'danger') =>
    browser.page.locator(`#toasts-area .toast:has(.bg-${kind}) .toast-body`).last();

  test('logs in', async () => {
    const { page } = browser;
    await go('/auth/login');
    await page.fill('input[name=email]', admin.email);
    await page.fill('input[name=password]', admin.password);
    await submit();
    await page.waitForSelector('text=Logout', { state: 'attached' });
  });

  test("installs the plugin through Saltcorn's own module installer", async () => {
    const { page, screenshot } = browser;
    await go('/plugins/new');
    await page.fill('input[name=name]', 'telephony');
    await page.selectOption('select[name=source]', 'local');
    await page.fill('input[name=location]', artefact);
    await screenshot('install');
    await submit();
    await page.waitForSelector('text=Module telephony installed');
  });

  test('fills in the settings', async () => {
    const { page, screenshot } = browser;
    await go('/plugins/configure/telephony');
    await page.getByLabel('username', { exact: true }).fill(sandbox.username);
    await page.getByLabel('password', { exact: true }).fill(sandbox.password);
    const baseUrl = page.getByLabel('Base URL', { exact: true });
    expect(await baseUrl.isVisible()).toBe(false);
    await screenshot('settings-folded');
    await page.getByRole('button', { name: 'Advanced' }).focus();
    await page.keyboard.press('Enter');
    await baseUrl.fill(sandbox.url);
    await page.getByText('Test connection').click();
    await toast('success').waitFor();
    expect(await toast('success').textContent()).toContain(
      'The service accepts the username and the password.',
    );
    await screenshot('settings');
    await submit();
    await go('/plugins/configure/telephony');
    expect(await page.getByLabel('username', { exact: true }).inputValue()).toBe(sandbox.username);
    expect(await page.getByLabel('password', { exact: true }).inputValue()).toBe('');
    expect(await page.getByLabel('Base URL', { exact: true }).isVisible()).toBe(true);
    expect(await page.content()).not.toContain(sandbox.password);
    await screenshot('settings-saved');
  });

  test('makes a pack, in which the password is not', async () => {
    const { page, screenshot } = browser;
    await go('/packs/create');
    await page.locator('input[name="plugin.telephony"]').check();
    await submit();
    await screenshot('pack');
    const pack = await page.locator('pre').textContent();
    expect(pack).toContain(sandbox.username);
    expect(pack).not.toContain(sandbox.password);
  });

  test('makes a table of a data source', async () => {
    const { page, screenshot } = browser;
    await go('/table/new');
    await page.fill('input[name=name]', 'calls');
    await page.selectOption('select[name=provider_name]', 'Telephony: Calls by caller id');
    await submit();
    await screenshot('table-provider');
    await submit();
    await page.waitForSelector('text=Table calls saved');
    await screenshot('table');
  });

  test('builds a list of calls', async () => {
    const { page, screenshot } = browser;
    await go('/viewedit/new');
    await page.fill('input[name=name]', 'calls_list');
    await page.selectOption('select[name=viewtemplate]', 'List');
    await page.selectOption('select[name=table_name]', 'calls');
    await submit();
    await page.waitForSelector('.wrap-builder-elem');
    await screenshot('list-builder');
    await go('/view/calls_list');
    await screenshot('list');
    const shown = await page.locator('tbody tr').count();
    expect(shown).toBe(20);
    const cells = await page.locator('tbody tr').first().locator('td').allTextContents();
    expect(cells.slice(0, 3)).toEqual([
      sandbox.calls[0]?.status,
      sandbox.calls[0]?.from,
      sandbox.calls[0]?.to,
    ]);
  });

  test('filters the list at the service', async () => {
    const { page, screenshot } = browser;
    sandbox.requests.length = 0;
    await go('/view/calls_list?status=busy');
    await screenshot('list-filtered');
    const busy = sandbox.calls.filter((call) => call.status === 'busy');
    expect(await page.locator('tbody tr').count()).toBe(busy.length);
    expect(new Set(sandbox.requests.map(({ query }) => query))).toEqual(
      new Set(['Status=busy&PageSize=100']),
    );
  });

  test('drags an action onto a page and chooses Send SMS', async () => {
    const { page, screenshot } = browser;
    await go('/pageedit/new');
    await page.fill('input[name=name]', 'desk');
    await submit();
    const button = page.locator('.wrap-builder-elem[title="Action button"]');
    const saved = builderSaved('Jerry');
    await button.dragTo(page.locator('#builder-main-canvas'), {
      targetPosition: { x: 100, y: 10 },
    });
    await chooseAction('Send');
    await page.fill('.builder-sidebar .field-from', '+14155550100');
    await page.fill('.builder-sidebar .field-to', '+1 (202) 555-0143');
    await page.fill('.builder-sidebar .field-body', 'Tom & <b>Jerry</b> 😀');
    await screenshot('send-sms-configured');
    await saved;
    await page.getByText('Done', { exact: false }).click();
    await page.waitForLoadState();
  });

  test('clicks it: the message is sent once, and a toast says so', async () => {
    const { page, screenshot } = browser;
    await go('/page/desk');
    const before = sandbox.messages.length;
    await page.getByText('Send SMS', { exact: true }).click();
    await toast('success').waitFor();
    await screenshot('message-sent');
    const [message] = sandbox.messages;
    expect(sandbox.messages).toHaveLength(before + 1);
    expect(message).toMatchObject({ to: '+12025550143', body: 'Tom & <b>Jerry</b> 😀' });
    expect(await toast('success').textContent()).toContain(
      'SMS queued to +12025550143: “Tom & <b>Jerry</b> 😀”',
    );
  });

  test('starts a recording from the row of a call in progress', async () => {
    const { page, screenshot } = browser;
    await go('/viewedit/config/calls_list');
    const saved = builderSaved('{{ sid }}');
    const cell = page.locator('.list-col-canvas').first();
    await page.locator('.wrap-builder-elem[title="Action button"]').dragTo(cell);
    await chooseAction('Create a Call');
    await page.fill('.builder-sidebar .field-callSid', '{{ sid }}');
    await screenshot('recording-configured');
    await saved;

    const call = sandbox.calls.find(({ status }) => status === 'in-progress');
    await go('/view/calls_list');
    const row = page
      .locator('tbody tr', { hasText: call?.from ?? '' })
      .filter({ hasText: 'in-progress' });
    await row.getByText('Create a Call Recording').click();
    await toast('success').waitFor();
    await screenshot('recording-started');
    const [recording] = sandbox.recordings;
    expect(recording).toMatchObject({ call_sid: call?.sid, status: 'in-progress' });
    expect(await toast('success').textContent()).toContain('The recording is in-progress');
  });

  test('reads what is wrong when the password is', async () => {
    const { page, screenshot } = browser;
    await go('/plugins/configure/telephony');
    await page.getByLabel('password', { exact: true }).fill('wrong-password-5a5a');
    await page.getByText('Test connection').click();
    await toast('danger').waitFor();
    await screenshot('wrong-password-settings');
    expect(await toast('danger').textContent()).toContain(refusal);
    await submit();

    await go('/view/calls_list');
    await screenshot('wrong-password-list');
    expect(await page.locator('body').textContent()).toContain(refusal);

    const before = sandbox.messages.length;
    await go('/page/desk');
    await page.getByText('Send SMS', { exact: true }).click();
    await toast('danger').waitFor();
    await screenshot('wrong-password-toast');
    expect(await toast('danger').textContent()).toContain(refusal);
    expect(sandbox.messages).toHaveLength(before);
  });

  test('finds no password in any page, nor in what the server printed', async () => {
    await go('/crashlog');
    expect(await browser.page.locator('body').textContent()).not.toContain(refusal);
    const basic = Buffer.from(`${sandbox.username}:${sandbox.password}`).toString('base64');
    const texts = [...browser.shown, saltcorn.written()].map(decoded);
    expect(texts.length).toBeGreaterThan(10);
    for (const secret of [sandbox.password, basic, 'wrong-password-5a5a'])
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});
