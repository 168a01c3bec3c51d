import { join } from 'node:path';
import type { Response } from 'playwright-core';
import { acceptedBy } from '../../support/accepted-by.ts';
import { root } from '../../support/root.ts';
import { type OpenSaltcorn, openSaltcorn } from '../open-saltcorn.ts';
import { type SaltcornSettings, settingsIn } from '../saltcorn-settings.ts';
import { builderIn, type SaltcornBuilder } from './saltcorn-builder.ts';

const refusal = 'The service rejected the credentials. Check the username (the Account SID)';

// Saltcorn writes some values into its pages as URL components.
function decoded(text: string) {
  try {
    return text + decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    return text;
  }
}

const isSave = (response: Response) => response.url().includes('/plugins/saveconfig/');

// One story: each test continues where the previous one ended.
describe('in Saltcorn, a user', () => {
  let saltcorn: OpenSaltcorn;
  let settings: SaltcornSettings;
  let builder: SaltcornBuilder;

  beforeAll(async () => {
    saltcorn = await openSaltcorn('saltcorn', {}, { isBare: true });
    settings = settingsIn(saltcorn);
    builder = builderIn(saltcorn);
    await saltcorn.logIn();
  });

  async function chooseAction(typed: string) {
    const { screenshot } = saltcorn.browser;
    await builder.choose(typed, () =>
      screenshot(`choose-${typed.toLowerCase().replaceAll(' ', '-')}`),
    );
  }

  test("installs the plugin through Saltcorn's own module installer", async () => {
    const { page, screenshot } = saltcorn.browser;
    await saltcorn.go('/plugins/new');
    await page.fill('input[name=name]', 'telephony');
    await page.selectOption('select[name=source]', 'local');
    await page.fill('input[name=location]', join(root, 'dist/saltcorn'));
    await screenshot('install');
    await saltcorn.submit();
    await page.waitForSelector('text=Module telephony installed');
  });

  test('fills in the settings', async () => {
    const { page, picture, screenshot } = saltcorn.browser;
    const { username, password, url: baseUrl } = saltcorn.sandbox;
    await settings.open();
    await settings.fill({ username, password });
    expect(await settings.field('Base URL').isVisible()).toBe(false);
    await screenshot('settings-folded');
    await page.getByRole('button', { name: 'Advanced' }).focus();
    await page.keyboard.press('Enter');
    await settings.fill({ baseUrl });
    expect(await settings.test('success')).toContain(acceptedBy(saltcorn.sandbox));
    // The message is within the window.
    await page.evaluate('scrollTo(0, 0)');
    await picture('saltcorn-settings');
    await saltcorn.submit();
    await settings.open();
    expect(await settings.field('username').inputValue()).toBe(username);
    expect(await settings.field('password').inputValue()).toBe('');
    expect(await settings.field('Base URL').isVisible()).toBe(false);
    await settings.unfold();
    expect(await settings.field('Base URL').inputValue()).toBe(baseUrl);
    expect(await page.content()).not.toContain(password);
    await screenshot('settings-saved');
  });

  test('sees why invalid settings are not saved', async () => {
    const { page, screenshot } = saltcorn.browser;
    await settings.open();
    await settings.unfold();
    await settings.fill({ baseUrl: 'ftp://x' });
    await page.keyboard.press('Tab');
    const refused = saltcorn.toast('danger');
    await refused.waitFor();
    await screenshot('settings-refused');
    expect(await refused.innerText()).toContain(`"Base URL" must start with https://.`);
    await settings.fill({ baseUrl: 'https://other.example' });
    await page.keyboard.press('Tab');
    await page.getByText('was entered for').waitFor();
    await screenshot('settings-other-host');
    // A save is in progress when the next one starts. Its failure comes after the next one's success.
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/plugins/saveconfig/*', async (route) => {
      const response = await route.fetch();
      if (response.status() !== 200) await held;
      await route.fulfill({ response });
    });
    const failed = page.waitForResponse(
      (response) => isSave(response) && response.status() === 400,
    );
    const saved = page.waitForResponse((response) => isSave(response) && response.status() === 200);
    await settings.fill({ baseUrl: 'ftp://y' });
    await page.keyboard.press('Tab');
    await settings.fill({ baseUrl: saltcorn.sandbox.url });
    await page.keyboard.press('Tab');
    await saved;
    release();
    await failed;
    await screenshot('settings-saved-after-all');
    expect(await page.locator('#toasts-area .toast.show').allInnerTexts()).toEqual([]);
    await page.unroute('**/plugins/saveconfig/*');
  });

  test('creates a pack without the password', async () => {
    const { page, screenshot } = saltcorn.browser;
    await saltcorn.go('/packs/create');
    await page.locator('input[name="plugin.telephony"]').check();
    await saltcorn.submit();
    await screenshot('pack');
    const pack = await page.locator('pre').textContent();
    expect(pack).toContain(saltcorn.sandbox.username);
    expect(pack).not.toContain(saltcorn.sandbox.password);
  });

  test('creates a table from a data source', async () => {
    const { screenshot } = saltcorn.browser;
    await saltcorn.go('/table/new');
    await builder.fillTable('calls', 'Telephony: Calls by caller id');
    await saltcorn.press(/^Create/, /^Finish/);
    await screenshot('table-provider');
    await saltcorn.press(/^Finish/, 'Table calls saved');
    await screenshot('table');
  });

  test('builds a list of calls', async () => {
    const { screenshot } = saltcorn.browser;
    await builder.createView('calls_list', 'List', 'calls');
    await screenshot('list-builder');
    await saltcorn.go('/view/calls_list');
    await screenshot('list');
    expect(await saltcorn.rows().count()).toBe(20);
    const cells = await saltcorn.rows().first().locator('td').allTextContents();
    const [call] = saltcorn.sandbox.calls;
    expect(cells.slice(0, 3)).toEqual([call?.status, call?.from, call?.to]);
  });

  test('filters the list at the service', async () => {
    const { calls, requests } = saltcorn.sandbox;
    requests.length = 0;
    await saltcorn.go('/view/calls_list?status=busy');
    await saltcorn.browser.screenshot('list-filtered');
    const busy = calls.filter((call) => call.status === 'busy');
    expect(await saltcorn.rows().count()).toBe(busy.length);
    expect(new Set(requests.map(({ query }) => query))).toEqual(
      new Set(['Status=busy&PageSize=1000']),
    );
  });

  test('drags an action onto a page and chooses Send SMS', async () => {
    await builder.createPage('desk');
    const saved = builder.saved('Jerry');
    await builder.drag('Action button');
    await chooseAction('Send');
    await builder.configure({
      from: '+14155550100',
      to: '+1 (202) 555-0143',
      body: 'Tom & <b>Jerry</b> 😀',
    });
    await saltcorn.browser.screenshot('send-sms-configured');
    await saved;
    await builder.finishPage();
  });

  test('clicks the button, which sends the message once and shows a toast', async () => {
    const { page, screenshot } = saltcorn.browser;
    const { messages } = saltcorn.sandbox;
    await saltcorn.go('/page/desk');
    const before = messages.length;
    await page.getByText('Send SMS', { exact: true }).click();
    expect(await saltcorn.toastText('success')).toContain(
      'Message to +12025550143 queued: “Tom & <b>Jerry</b> 😀”',
    );
    await screenshot('message-sent');
    expect(messages).toHaveLength(before + 1);
    expect(messages[0]).toMatchObject({ to: '+12025550143', body: 'Tom & <b>Jerry</b> 😀' });
  });

  test('starts a recording from the row of a call in progress', async () => {
    const { screenshot } = saltcorn.browser;
    const { calls, recordings } = saltcorn.sandbox;
    await saltcorn.go('/viewedit/config/calls_list');
    const saved = builder.saved('{{ sid }}');
    await builder.drag('Action button', builder.columns().first());
    await chooseAction('Create a Call');
    await builder.configure({ callSid: '{{ sid }}' });
    await screenshot('recording-configured');
    await saved;

    const call = calls.find(({ status }) => status === 'in-progress');
    await saltcorn.go('/view/calls_list');
    const row = saltcorn
      .rows()
      .filter({ hasText: call?.from ?? '' })
      .filter({ hasText: 'in-progress' });
    await row.getByText('Create a Call Recording').click();
    expect(await saltcorn.toastText('success')).toContain('Recording status: in-progress');
    await screenshot('recording-started');
    expect(recordings[0]).toMatchObject({ call_sid: call?.sid, status: 'in-progress' });
  });

  test('sees the error for a wrong password', async () => {
    const { page, screenshot } = saltcorn.browser;
    const { messages } = saltcorn.sandbox;
    await settings.open();
    await settings.fill({ password: 'wrong-password-5a5a' });
    expect(await settings.test('danger')).toContain(refusal);
    await screenshot('wrong-password-settings');
    await saltcorn.submit();

    await saltcorn.go('/view/calls_list');
    await screenshot('wrong-password-list');
    expect(await page.locator('body').textContent()).toContain(refusal);

    const before = messages.length;
    await saltcorn.go('/page/desk');
    await page.getByText('Send SMS', { exact: true }).click();
    expect(await saltcorn.toastText('danger')).toContain(refusal);
    await screenshot('wrong-password-toast');
    expect(messages).toHaveLength(before);
  });

  test('finds no password in any page or in the server output', async () => {
    const { page, shown } = saltcorn.browser;
    const { username, password } = saltcorn.sandbox;
    await saltcorn.go('/crashlog');
    expect(await page.locator('body').textContent()).not.toContain(refusal);
    const basic = Buffer.from(`${username}:${password}`).toString('base64');
    const texts = [...shown, saltcorn.written()].map(decoded);
    expect(texts.length).toBeGreaterThan(10);
    for (const secret of [password, basic, 'wrong-password-5a5a'])
      expect(texts.filter((text) => text.includes(secret))).toEqual([]);
  });
});
