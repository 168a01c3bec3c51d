import { resolve } from 'node:path';
import { type Sandbox, startSandbox } from '../../demo/sandbox/index.ts';
import { barriers } from './accessibility.ts';
import { type Browser, describeInBrowser, openBrowser } from './browser.ts';
import { admin, type SaltcornServer, startSaltcornServer } from './saltcorn-server.ts';

jest.setTimeout(60_000);

const folder = (path: string) => resolve(__dirname, '../..', path);
const caller = '+12025550143';

describeInBrowser('by keyboard, or with a screen reader, someone', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox();
    const { username, password, url: baseUrl } = sandbox;
    [saltcorn, browser] = await Promise.all([
      startSaltcornServer({
        plugin: folder('dist/saltcorn'),
        pack: folder('demo/saltcorn/desk.json'),
        customers: folder('demo/saltcorn/customers.json'),
        configuration: { username, password, baseUrl },
      }),
      openBrowser('accessibility'),
    ]);
    const { page } = browser;
    await go('/auth/login');
    await page.fill('input[name=email]', admin.email);
    await page.fill('input[name=password]', admin.password);
    await page.locator('form button[type=submit]').last().click();
    await page.waitForURL(`${saltcorn.url}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await saltcorn?.close();
    await sandbox?.close();
  });

  const go = (path: string) => browser.page.goto(saltcorn.url + path);
  const callWith = (status: string) => sandbox.calls.find((call) => call.status === status)?.sid;
  const recordedCall = () =>
    sandbox.recordings.find(({ status }) => status === 'completed')?.call_sid;

  const desk: [name: string, path: () => string][] = [
    ['desk', () => '/'],
    ['customers', () => '/page/customers'],
    ['customer', () => '/view/Customer?id=1'],
    ['recordings', () => '/page/recordings'],
    ['account-calls', () => '/page/account-calls'],
    ['call-in-progress', () => `/view/Call?sid=${callWith('in-progress')}`],
    ['call-with-recordings', () => `/view/Call?sid=${recordedCall()}`],
  ];
  const widths: [where: string, width: number][] = [
    ['at a desk', 1280],
    ['on a phone', 375],
  ];
  describe.each(widths)('%s', (where, width) => {
    beforeAll(() => browser.page.setViewportSize({ width, height: 900 }));

    test.each(desk)('meets no barrier: %s', async (name, path) => {
      await go(path());
      await browser.screenshot(`${name} ${where}`.replaceAll(' ', '-'));
      expect(await barriers(browser.page)).toEqual([]);
    });
  });

  test('meets no barrier in the settings', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 1280, height: 900 });
    await go('/plugins/configure/telephony');
    await page.locator('.accordion-button.collapsed').click();
    await page.locator('.accordion-collapse.show').waitFor();
    expect(await barriers(page, 'form')).toEqual([]);
  });

  test.each(['Calls', 'Call recordings', 'Recordings', 'Account calls'])(
    'meets no barrier in what the provider of a table asks for: %s',
    async (table) => {
      const { page } = browser;
      await go('/table');
      await page.getByRole('link', { name: table, exact: true }).last().click();
      await page.locator('a[href*="provider-cfg"]').first().click();
      await page.waitForURL('**/table/provider-cfg/*');
      for (const folded of await page.locator('.accordion-button.collapsed').all())
        await folded.click();
      await browser.screenshot(`provider-of-${table.toLowerCase().replaceAll(' ', '-')}`);
      expect(await barriers(page, 'form')).toEqual([]);
    },
  );

  const focused = () => browser.page.locator(':focus');

  /** Presses Tab until a field has the focus. */
  async function tabTo(selector: string) {
    for (let presses = 0; presses < 100; presses += 1) {
      if (await focused().and(browser.page.locator(selector)).count()) return;
      await browser.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${selector}.`);
  }

  test('opens a call and answers its caller without a mouse', async () => {
    const { page } = browser;
    const { keyboard } = page;
    await go(`/?from=${encodeURIComponent(caller)}`);
    await tabTo('tbody a');
    await keyboard.press('Enter');
    await page.waitForURL('**/view/Call?sid=*');

    const before = sandbox.messages.length;
    await tabTo('input[name=from]');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    await keyboard.type('We call back today.');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.locator('#toasts-area .toast:has(.bg-success)').waitFor();
    await browser.screenshot('answered-by-keyboard');
    expect(sandbox.messages).toHaveLength(before + 1);
    expect(sandbox.messages[0]).toMatchObject({ body: 'We call back today.' });
    expect([sandbox.messages[0]?.to, sandbox.messages[0]?.from]).toContain(caller);
  });

  test('sends an SMS without a mouse', async () => {
    const { page } = browser;
    const { keyboard } = page;
    await go('/');
    await tabTo('textarea[name=body]');
    await keyboard.press('Shift+Tab');
    await keyboard.type(caller);
    await keyboard.press('Tab');
    await keyboard.type('Your table is ready.');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.locator('#toasts-area .toast:has(.bg-success)').waitFor();
    expect(sandbox.messages[0]).toMatchObject({ to: caller, body: 'Your table is ready.' });
  });

  test('meets no barrier where the page says that the service is down', async () => {
    sandbox.faults.add({ name: 'server-error', status: 503, times: 20 });
    await go('/');
    await browser.screenshot('service-down');
    expect(await barriers(browser.page)).toEqual([]);
    sandbox.faults.clear();
  });
});
