import { resolve } from 'node:path';
import desk from '../../demo/saltcorn/desk.json';
import { type Sandbox, startSandbox } from '../../demo/sandbox/index.ts';
import { type Browser, describeInBrowser, openBrowser } from './browser.ts';
import { admin, type SaltcornServer, startSaltcornServer } from './saltcorn-server.ts';

jest.setTimeout(60_000);

const folder = (path: string) => resolve(__dirname, '../..', path);

// Within office hours, so that the newest calls are of today.
const now = new Date('2026-11-20T15:42:00Z');

const caller = '+12025550143';
const body = 'Tom & <b>Jerry</b> 😀 {{ to }}\n\n"Tomorrow", 10:30?\n';

const encoded = encodeURIComponent;
const form = desk.views.find(({ viewtemplate }) => viewtemplate === 'Edit') ?? { name: '' };
const [, rndid] = /"rndid":"(\w+)"/.exec(JSON.stringify(form)) ?? [];

const places = [
  '/',
  ...desk.pages.map(({ name }) => `/page/${encoded(name)}`),
  ...desk.views.map(({ name }) => `/view/${encoded(name)}`),
];

// One story: each test goes on where the one before ended, as its user would.
describeInBrowser('at the desk of the demo, someone', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let browser: Browser;
  const faults: string[] = [];

  beforeAll(async () => {
    sandbox = await startSandbox({ now });
    const { username, password, url: baseUrl } = sandbox;
    [saltcorn, browser] = await Promise.all([
      startSaltcornServer({
        plugin: folder('dist/saltcorn'),
        pack: folder('demo/saltcorn/desk.json'),
        configuration: { username, password, baseUrl },
      }),
      openBrowser('desk'),
    ]);
    const { page } = browser;
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text());
    });
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`);
    });
    // Saltcorn has none, and Chromium asks for it once.
    await page.route('**/favicon.ico', (route) => route.fulfill({ status: 204 }));
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
  const asked = () =>
    sandbox.requests.map(({ path, query }) => `${path.split('/').pop()}?${query}`);

  /** Does something that loads the page's contents anew, and waits for them. */
  async function reloading(act: () => Promise<unknown>) {
    const loaded = browser.page.evaluate(
      "new Promise((done) => document.addEventListener('pjax-loaded', () => done(), { once: true }))",
    );
    await act();
    await loaded;
  }

  test('sees nothing and sends nothing before logging in', async () => {
    const { page } = browser;
    for (const place of places) {
      const text = await (await page.request.get(saltcorn.url + place)).text();
      const shown = /\+1415555|Send SMS|CA[0-9a-f]{32}/.exec(text);
      expect({ place, shown }).toEqual({ place, shown: null });
    }
    await go('/auth/login');
    const token = await page.evaluate<string>('_sc_globalCsrf');
    expect(rndid).toBeDefined();
    await page.request.post(`${saltcorn.url}/view/${encoded(form.name)}/run_action`, {
      headers: { 'CSRF-Token': token },
      data: { rndid, from: '+14155550100', to: caller, body: 'Hi' },
    });
    expect(sandbox.requests).toEqual([]);
  });

  test('logs in and is at the desk', async () => {
    const { page } = browser;
    await go('/auth/login');
    await page.fill('input[name=email]', admin.email);
    await page.fill('input[name=password]', admin.password);
    await page.locator('form button[type=submit]').last().click();
    await page.waitForURL(`${saltcorn.url}/`);
    expect(await page.title()).toContain('Telephony desk');
    expect(await rows('Calls').count()).toBe(20);
    expect(await rows('Calls').first().locator('td').allTextContents()).toEqual(
      expect.arrayContaining([sandbox.calls[0]?.from, sandbox.calls[0]?.to, 'queued']),
    );
  });

  test('turns a page of the list', async () => {
    const { page } = browser;
    await reloading(() =>
      card('Calls').locator('.pagination').getByText('2', { exact: true }).click(),
    );
    expect(await rows('Calls').count()).toBe(20);
    expect(await rows('Calls').first().textContent()).toContain(sandbox.calls[20]?.from);
    await page.goBack();
    await page.waitForURL(`${saltcorn.url}/`);
  });

  test('filters the calls at the service, by number and by status', async () => {
    const { page, screenshot } = browser;
    sandbox.requests.length = 0;
    const from = card('Calls').getByLabel('Caller');
    await from.fill(caller);
    await reloading(() => from.press('Enter'));
    const theirs = sandbox.calls.filter((call) => call.from === caller);
    expect(await rows('Calls').count()).toBe(Math.min(theirs.length, 20));
    expect(new URL(page.url()).searchParams.get('from')).toBe(caller);
    expect(asked()[0]).toMatch(/^Calls\.json\?From=%2B12025550143(&|$)/);

    sandbox.requests.length = 0;
    await reloading(() => card('Calls').locator('select').selectOption('in-progress'));
    await screenshot('desk-filtered');
    expect(await rows('Calls').count()).toBe(1);
    expect(asked()[0]).toMatch(/^Calls\.json\?Status=in-progress&From=%2B12025550143(&|$)/);
    expect(await page.getByLabel('From').inputValue()).toBe('+14155550100');
  });

  test('reads that nothing was found', async () => {
    const { page } = browser;
    await go(`/?from=${encoded('+19995550199')}`);
    expect(await rows('Calls').count()).toBe(0);
    const shown = await page.evaluate(
      "getComputedStyle(document.querySelector('tbody'), '::after').content",
    );
    expect(shown).toBe('"Nothing found"');
  });

  test('opens a call in progress and records it', async () => {
    const { page, screenshot } = browser;
    const [call] = sandbox.calls.filter(
      ({ status, from }) => status === 'in-progress' && from === caller,
    );
    await go(`/?from=${encoded(caller)}&status=in-progress`);
    await rows('Calls').getByText(caller).click();
    await page.waitForURL(`**/view/Call?sid=${call?.sid}`);
    const details = await card('Call').first().textContent();
    for (const detail of [call?.sid, 'in-progress', 'inbound', caller, '20 Nov 2026 15:38'])
      expect(details).toContain(detail);

    expect(await rows('Recordings').count()).toBe(0);
    await card('Recordings').getByText('Start recording').click();
    await toast('success').waitFor();
    await rows('Recordings').waitFor();
    await screenshot('call-recorded');
    expect(sandbox.recordings[0]).toMatchObject({ call_sid: call?.sid, status: 'in-progress' });
    expect(await rows('Recordings').textContent()).toContain('in-progress');
    expect(await rows('Recordings').locator('audio').count()).toBe(0);
  });

  test('finds a form on the page of a call to answer its caller', async () => {
    const { page } = browser;
    expect(await page.getByLabel('From').inputValue()).toBe('+14155550100');
    expect(await page.getByLabel('To').inputValue()).toBe(caller);
  });

  test('sees and hears the recordings of a finished call', async () => {
    const { page, screenshot } = browser;
    const recorded = sandbox.recordings.find(({ status }) => status === 'completed');
    const parts = sandbox.recordings.filter(({ call_sid }) => call_sid === recorded?.call_sid);
    await go(`/view/Call?sid=${recorded?.call_sid}`);
    await screenshot('call-finished');
    expect(await rows('Recordings').count()).toBe(parts.length);
    expect(await page.getByText('Start recording').count()).toBe(0);
    const players = rows('Recordings').locator('audio');
    expect(await players.count()).toBe(parts.length);
    const sound = await page.request.get(
      saltcorn.url + (await players.first().getAttribute('src')),
    );
    expect(sound.headers()['content-type']).toContain('audio/');
  });

  test('sends what was typed, exactly', async () => {
    const { page, screenshot } = browser;
    await go('/');
    const before = sandbox.messages.length;
    await page.getByLabel('To').fill(caller);
    await page.getByLabel('Body').fill('Sorry we missed you. We call back today.');
    await screenshot('desk');
    await page.getByLabel('Body').fill(body);
    await page.getByText('Send', { exact: true }).click();
    await toast('success').waitFor();
    await screenshot('sms-sent');
    const [message] = sandbox.messages;
    expect(sandbox.messages).toHaveLength(before + 1);
    expect(message).toMatchObject({ from: '+14155550100', to: caller, body });
    expect(await toast('success').textContent()).toContain(`Message ${message?.sid} queued`);
    expect(await page.getByLabel('From').inputValue()).toBe('+14155550100');
    expect(await page.getByLabel('To').inputValue()).toBe('');
    expect(await page.getByLabel('Body').inputValue()).toBe('');
  });

  test('reads what is missing, and keeps what was typed', async () => {
    const { page, screenshot } = browser;
    const before = sandbox.messages.length;
    await page.getByLabel('Body').fill('Call me.');
    await page.getByText('Send', { exact: true }).click();
    await toast('danger').waitFor();
    await screenshot('sms-without-number');
    expect(await toast('danger').textContent()).toContain('To');
    expect(await page.getByLabel('Body').inputValue()).toBe('Call me.');
    expect(sandbox.messages).toHaveLength(before);
  });

  test('lists and hears the recordings of a caller, and goes to one of the calls', async () => {
    const { page, screenshot } = browser;
    await page.getByRole('link', { name: 'Recordings' }).click();
    await page.waitForURL('**/page/recordings');
    expect(await rows('Recordings').count()).toBe(20);
    const filter = page.getByLabel('Caller');
    await filter.fill(caller);
    await reloading(() => filter.press('Enter'));
    await screenshot('recordings-by-caller');
    const calls = sandbox.calls.filter(({ from }) => from === caller).map(({ sid }) => sid);
    const theirs = sandbox.recordings.filter(({ call_sid }) => calls.includes(call_sid));
    expect(await rows('Recordings').count()).toBe(Math.min(theirs.length, 20));
    const source = await rows('Recordings').locator('audio').last().getAttribute('src');
    const sound = await page.request.get(saltcorn.url + source);
    expect(sound.headers()['content-type']).toContain('audio/');

    await rows('Recordings').last().getByText('Open').click();
    await page.waitForURL('**/view/Call?sid=*');
    expect(await card('Call').first().textContent()).toContain(caller);
  });

  test('lists all calls of the account', async () => {
    const { page, screenshot } = browser;
    await page.getByRole('link', { name: 'Account calls' }).click();
    await page.waitForURL('**/page/account-calls');
    await screenshot('account-calls');
    expect(await rows('Calls').count()).toBe(20);
  });

  test('reads every page on a phone without scrolling it sideways', async () => {
    const { page, screenshot } = browser;
    await page.setViewportSize({ width: 375, height: 740 });
    const [call] = sandbox.calls;
    for (const place of [
      '/',
      '/page/recordings',
      '/page/account-calls',
      `/view/Call?sid=${call?.sid}`,
    ]) {
      await go(place);
      await screenshot(`phone${place.replace(/\?.*/, '').replaceAll('/', '-')}`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(375);
      expect(await page.getByRole('link', { name: 'Desk', exact: true }).isVisible()).toBe(true);
    }
  });

  test('opens every view and page in the builder', async () => {
    const { page } = browser;
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const { name } of desk.views) {
      await go(`/viewedit/config/${encoded(name)}`);
      await page.waitForSelector('.wrap-builder-elem');
      // A page that is left while it still loads its previews would report them as errors.
      await page.waitForLoadState('networkidle');
    }
    for (const { name } of desk.pages) {
      await go(`/pageedit/edit/${encoded(name)}`);
      await page.waitForSelector('.wrap-builder-elem');
      await page.waitForLoadState('networkidle');
    }
  });

  test('never met an error on the way', () => {
    expect(faults).toEqual([]);
  });
});
