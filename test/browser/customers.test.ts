import { resolve } from 'node:path';
import customers from '../../demo/saltcorn/customers.json';
import { type Sandbox, startSandbox } from '../../demo/sandbox/index.ts';
import { type Browser, describeInBrowser, openBrowser } from './browser.ts';
import { admin, type SaltcornServer, startSaltcornServer } from './saltcorn-server.ts';

jest.setTimeout(60_000);

const folder = (path: string) => resolve(__dirname, '../..', path);
const now = new Date('2026-11-20T15:42:00Z');
const caller = '+12025550143';

// One story: each test goes on where the one before ended, as its user would.
describeInBrowser('with customers of their own, someone', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({ now });
    const { username, password, url: baseUrl } = sandbox;
    [saltcorn, browser] = await Promise.all([
      startSaltcornServer({
        plugin: folder('dist/saltcorn'),
        pack: folder('demo/saltcorn/desk.json'),
        customers: folder('demo/saltcorn/customers.json'),
        configuration: { username, password, baseUrl },
      }),
      openBrowser('customers', 'Asia/Kolkata'),
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
  const card = (title: string) =>
    browser.page.locator('.card', {
      has: browser.page.locator('.card-header', { hasText: title }),
    });
  const rows = (title: string) => card(title).locator('tbody tr');
  const toast = (kind: 'success' | 'danger') =>
    browser.page.locator(`#toasts-area .toast:has(.bg-${kind}) .toast-body`).last();
  const text = (title: string, row: number) => rows(title).nth(row).textContent();

  test('sees in the list of calls which customer called', async () => {
    await browser.screenshot('calls');
    const known = sandbox.calls.slice(0, 20).map(({ from }) => {
      const same = customers.find(({ phone }) => phone.replaceAll(' ', '') === from);
      return same?.name ?? '';
    });
    expect(known.filter(Boolean).length).toBeGreaterThan(2);
    const cells = await rows('Calls').locator('td:nth-child(2)').allTextContents();
    expect(cells.map((cell) => cell.trim())).toEqual(known);
  });

  test('sees when a call started by the clock on the wall', async () => {
    const started = new Date(sandbox.calls.find(({ start_time }) => start_time)?.start_time ?? '');
    const here = new Intl.DateTimeFormat('en-GB', {
      ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
      timeZone: 'Asia/Kolkata',
    });
    const cells = await rows('Calls').locator('time').allTextContents();
    expect(cells[0]).toBe(here.format(started).replace(',', ''));
  });

  test('opens a customer, with the calls and the recordings of their number', async () => {
    const { page, screenshot } = browser;
    await go('/page/customers');
    await screenshot('customers');
    expect(await rows('Customers').locator('td:first-child').allTextContents()).toEqual(
      customers.map(({ name }) => name).sort(),
    );
    await rows('Customers').first().getByText('Open').click();
    await page.waitForURL('**/view/Customer?id=*');
    await screenshot('customer');
    const theirs = sandbox.calls.filter(({ from }) => from === caller);
    const sids = theirs.map(({ sid }) => sid);
    const recordings = sandbox.recordings.filter(({ call_sid }) => sids.includes(call_sid));
    expect(await rows('Calls').count()).toBe(Math.min(theirs.length, 20));
    expect(await text('Calls', 0)).toContain('Ada Lovelace');
    expect(await rows('Recordings').count()).toBe(Math.min(recordings.length, 20));
    expect(await card('Customer').getByText(caller.slice(0, 2)).getAttribute('href')).toBe(
      `tel:${caller}`,
    );
  });

  test('sends an SMS to this customer', async () => {
    const { page, screenshot } = browser;
    const before = sandbox.messages.length;
    await page.getByText('Ask to call back').click();
    await toast('success').waitFor();
    await screenshot('customer-asked');
    expect(sandbox.messages).toHaveLength(before + 1);
    expect(sandbox.messages[0]).toMatchObject({
      to: caller,
      body: 'Dear Ada Lovelace, please call us back.',
    });
  });

  test('greets someone who is not saved yet', async () => {
    const { page, screenshot } = browser;
    await go('/page/customers');
    const before = sandbox.messages.length;
    await page.getByLabel('Name').fill('Alan & <b>Turing</b>');
    await page.getByLabel('Phone').fill('(1) 202 555 0199'.replace('(1)', '+1'));
    await page.getByText('Say hello').click();
    await toast('success').waitFor();
    await screenshot('customer-greeted');
    expect(sandbox.messages).toHaveLength(before + 1);
    expect(sandbox.messages[0]).toMatchObject({
      to: '+12025550199',
      body: 'Welcome, Alan & <b>Turing</b>!',
    });
    expect(await rows('Customers').count()).toBe(customers.length);
  });

  test('texts all customers, sees how far it is, and what failed', async () => {
    const { page, screenshot } = browser;
    await page.reload();
    await page.getByLabel('Name').fill('Nobody');
    await page.getByLabel('Phone').fill('none');
    await page.getByText('Add', { exact: true }).click();
    await rows('Customers').nth(customers.length).waitFor();
    const before = sandbox.messages.length;
    page.once('dialog', (dialog) => dialog.accept());
    sandbox.faults.add({ name: 'slow', delayMs: 500, times: customers.length });
    await page.waitForFunction("dynamic_update_connection_status === 'connected'");
    await page.getByText('Text all of them').click();
    await page.locator('#toast-telephony').waitFor();
    await screenshot('texting');
    await toast('danger').waitFor();
    await screenshot('texted');
    expect((await toast('danger').textContent())?.trim()).toMatch(
      /^Send SMS: 4 done, 1 failed\.none: The number in "To" is not a phone number/,
    );
    expect(await page.locator('#toast-telephony').count()).toBe(0);
    expect(sandbox.messages).toHaveLength(before + customers.length);
    expect(new Set(sandbox.messages.slice(0, 4).map(({ body }) => body))).toEqual(
      new Set(customers.map(({ name }) => `Dear ${name}, we are closed tomorrow.`)),
    );
  });

  test('reads on the page that the service is down, and what else is there stays', async () => {
    const { page, screenshot } = browser;
    sandbox.faults.add({ name: 'server-error', status: 503, times: 20 });
    const answer = await go('/view/Customer?id=1');
    await screenshot('service-down');
    expect(answer?.status()).toBe(503);
    expect(await toast('danger').first().textContent()).toContain('cannot be shown at the moment');
    expect(await card('Customer').textContent()).toContain('Ada Lovelace');
    await page.getByText('Settings of the module').first().click();
    await page.waitForURL('**/plugins/configure/telephony');
    sandbox.faults.clear();
    await go('/crashlog');
    expect(await page.locator('body').textContent()).not.toContain('cannot be shown');
  });
});
