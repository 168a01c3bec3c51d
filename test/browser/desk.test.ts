import pack from '../../demo/saltcorn/desk.json';
import { demoDesk, type OpenSaltcorn, openSaltcorn } from './open-saltcorn.ts';

// Within office hours, so that the newest calls are of today.
const now = new Date('2026-11-20T15:42:00Z');

const caller = '+12025550143';
const body = 'Tom & <b>Jerry</b> 😀 {{ to }}\n\n"Tomorrow", 10:30?\n';

const encoded = encodeURIComponent;
const form = pack.views.find(({ viewtemplate }) => viewtemplate === 'Edit') ?? { name: '' };
const [, rndid] = /"rndid":"(\w+)"/.exec(JSON.stringify(form)) ?? [];

const places = [
  '/',
  ...pack.pages.map(({ name }) => `/page/${encoded(name)}`),
  ...pack.views.map(({ name }) => `/view/${encoded(name)}`),
];

// One story: each test goes on where the one before ended, as its user would.
describe('at the desk of the demo, someone', () => {
  let desk: OpenSaltcorn;
  const faults: string[] = [];

  beforeAll(async () => {
    desk = await openSaltcorn('desk', demoDesk, { now });
    const { page } = desk.browser;
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

  const asked = () =>
    desk.sandbox.requests.map(({ path, query }) => `${path.split('/').pop()}?${query}`);

  /** Does something that loads the page's contents anew, and waits for them. */
  async function reloading(act: () => Promise<unknown>) {
    const loaded = desk.browser.page.evaluate(
      "new Promise((done) => document.addEventListener('pjax-loaded', () => done(), { once: true }))",
    );
    await act();
    await loaded;
  }

  test('sees nothing and sends nothing before logging in', async () => {
    const { page } = desk.browser;
    for (const place of places) {
      const text = await (await page.request.get(desk.url + place)).text();
      const shown = /\+1415555|Send SMS|CA[0-9a-f]{32}/.exec(text);
      expect({ place, shown }).toEqual({ place, shown: null });
    }
    await desk.go('/auth/login');
    const token = await page.evaluate<string>('_sc_globalCsrf');
    expect(rndid).toBeDefined();
    await page.request.post(`${desk.url}/view/${encoded(form.name)}/run_action`, {
      headers: { 'CSRF-Token': token },
      data: { rndid, from: '+14155550100', to: caller, body: 'Hi' },
    });
    expect(desk.sandbox.requests).toEqual([]);
  });

  test('logs in and is at the desk', async () => {
    const { page } = desk.browser;
    await desk.logIn();
    expect(await page.title()).toContain('Telephony desk');
    expect(await desk.rows('Calls').count()).toBe(20);
    expect(await desk.rows('Calls').first().locator('td').allTextContents()).toEqual(
      expect.arrayContaining([desk.sandbox.calls[0]?.from, desk.sandbox.calls[0]?.to, 'queued']),
    );
  });

  test('turns a page of the list', async () => {
    const { page } = desk.browser;
    await reloading(() =>
      desk.card('Calls').locator('.pagination').getByText('2', { exact: true }).click(),
    );
    expect(await desk.rows('Calls').count()).toBe(20);
    expect(await desk.rows('Calls').first().textContent()).toContain(desk.sandbox.calls[20]?.from);
    await page.goBack();
    await page.waitForURL(`${desk.url}/`);
  });

  test('filters the calls at the service, by number and by status', async () => {
    const { page, screenshot } = desk.browser;
    desk.sandbox.requests.length = 0;
    const from = desk.card('Calls').getByLabel('Caller');
    await from.fill(caller);
    await reloading(() => from.press('Enter'));
    const theirs = desk.sandbox.calls.filter((call) => call.from === caller);
    expect(await desk.rows('Calls').count()).toBe(Math.min(theirs.length, 20));
    expect(new URL(page.url()).searchParams.get('from')).toBe(caller);
    expect(asked()[0]).toMatch(/^Calls\.json\?From=%2B12025550143(&|$)/);

    desk.sandbox.requests.length = 0;
    await reloading(() => desk.card('Calls').locator('select').selectOption('in-progress'));
    await screenshot('desk-filtered');
    expect(await desk.rows('Calls').count()).toBe(1);
    expect(asked()[0]).toMatch(/^Calls\.json\?Status=in-progress&From=%2B12025550143(&|$)/);
    expect(await page.getByLabel('From').inputValue()).toBe('+14155550100');
  });

  test('reads that nothing was found', async () => {
    const { page } = desk.browser;
    await desk.go(`/?from=${encoded('+19995550199')}`);
    expect(await desk.rows('Calls').count()).toBe(0);
    const shown = await page.evaluate(
      "getComputedStyle(document.querySelector('tbody'), '::after').content",
    );
    expect(shown).toBe('"Nothing found. Clear the filters to see all."');
  });

  test('opens a call in progress and records it', async () => {
    const { page, screenshot } = desk.browser;
    const [call] = desk.sandbox.calls.filter(
      ({ status, from }) => status === 'in-progress' && from === caller,
    );
    await desk.go(`/?from=${encoded(caller)}&status=in-progress`);
    await desk.rows('Calls').getByText(caller).click();
    await page.waitForURL(`**/view/Call?sid=${call?.sid}`);
    const details = await desk.card('Call').first().textContent();
    for (const detail of [call?.sid, 'in-progress', 'inbound', caller, '20 Nov 2026 15:38'])
      expect(details).toContain(detail);

    expect(await desk.rows('Recordings').count()).toBe(0);
    await desk.card('Recordings').getByText('Start recording').click();
    await desk.toast('success').waitFor();
    await desk.rows('Recordings').waitFor();
    await screenshot('call-recorded');
    expect(desk.sandbox.recordings[0]).toMatchObject({
      call_sid: call?.sid,
      status: 'in-progress',
    });
    expect(await desk.rows('Recordings').textContent()).toContain('in-progress');
    expect(await desk.rows('Recordings').locator('audio').count()).toBe(0);
  });

  test('finds a form on the page of a call to answer its caller', async () => {
    const { page } = desk.browser;
    expect(await page.getByLabel('From').inputValue()).toBe('+14155550100');
    expect(await page.getByLabel('To').inputValue()).toBe(caller);
  });

  test('sees and hears the recordings of a finished call', async () => {
    const { page, screenshot } = desk.browser;
    const recorded = desk.sandbox.recordings.find(({ status }) => status === 'completed');
    const parts = desk.sandbox.recordings.filter(({ call_sid }) => call_sid === recorded?.call_sid);
    await desk.go(`/view/Call?sid=${recorded?.call_sid}`);
    await screenshot('call-finished');
    expect(await desk.rows('Recordings').count()).toBe(parts.length);
    expect(await page.getByText('Start recording').count()).toBe(0);
    const players = desk.rows('Recordings').locator('audio');
    expect(await players.count()).toBe(parts.length);
    const sound = await page.request.get(desk.url + (await players.first().getAttribute('src')));
    expect(sound.headers()['content-type']).toContain('audio/');
  });

  test('sends what was typed, exactly', async () => {
    const { page, screenshot } = desk.browser;
    await desk.go('/');
    const before = desk.sandbox.messages.length;
    await page.getByLabel('To').fill(caller);
    await page.getByLabel('Body').fill('Sorry we missed you. We call back today.');
    await screenshot('desk');
    await page.getByLabel('Body').fill(body);
    await page.getByText('Send', { exact: true }).click();
    await desk.toast('success').waitFor();
    await screenshot('sms-sent');
    const [message] = desk.sandbox.messages;
    expect(desk.sandbox.messages).toHaveLength(before + 1);
    expect(message).toMatchObject({ from: '+14155550100', to: caller, body });
    expect(await desk.toast('success').textContent()).toContain(
      `SMS queued to ${caller}: “Tom & <b>Jerry</b> 😀 {{ to }} "Tomorrow"`,
    );
    expect(await page.getByLabel('From').inputValue()).toBe('+14155550100');
    expect(await page.getByLabel('To').inputValue()).toBe('');
    expect(await page.getByLabel('Body').inputValue()).toBe('');
  });

  test('reads what is missing, and keeps what was typed', async () => {
    const { page, screenshot } = desk.browser;
    const before = desk.sandbox.messages.length;
    await page.getByLabel('Body').fill('Call me.');
    await page.getByText('Send', { exact: true }).click();
    await desk.toast('danger').waitFor();
    await screenshot('sms-without-number');
    expect(await desk.toast('danger').textContent()).toContain('To');
    expect(await page.getByLabel('Body').inputValue()).toBe('Call me.');
    expect(desk.sandbox.messages).toHaveLength(before);
  });

  test('lists and hears the recordings of a caller, and goes to one of the calls', async () => {
    const { page, screenshot } = desk.browser;
    await page.getByRole('link', { name: 'Recordings' }).click();
    await page.waitForURL('**/page/recordings');
    expect(await desk.rows('Recordings').count()).toBe(20);
    const filter = page.getByLabel('Caller');
    await filter.fill(caller);
    await reloading(() => filter.press('Enter'));
    await screenshot('recordings-by-caller');
    const calls = desk.sandbox.calls.filter(({ from }) => from === caller).map(({ sid }) => sid);
    const theirs = desk.sandbox.recordings.filter(({ call_sid }) => calls.includes(call_sid));
    expect(await desk.rows('Recordings').count()).toBe(Math.min(theirs.length, 20));
    const source = await desk.rows('Recordings').locator('audio').last().getAttribute('src');
    const sound = await page.request.get(desk.url + source);
    expect(sound.headers()['content-type']).toContain('audio/');

    await desk.rows('Recordings').last().getByText('Open').click();
    await page.waitForURL('**/view/Call?sid=*');
    expect(await desk.card('Call').first().textContent()).toContain(caller);
  });

  test('lists all calls of the account', async () => {
    const { page, screenshot } = desk.browser;
    await page.getByRole('link', { name: 'Account calls' }).click();
    await page.waitForURL('**/page/account-calls');
    await screenshot('account-calls');
    expect(await desk.rows('Calls').count()).toBe(20);
  });

  const windows: [where: string, width: number][] = [
    ['on a phone', 375],
    ['in a window with a scroll bar', 1264],
  ];
  test.each(windows)('scrolls no page, nor a list, sideways: %s', async (where, width) => {
    const { page, screenshot } = desk.browser;
    await page.setViewportSize({ width, height: 740 });
    const [call] = desk.sandbox.calls;
    for (const place of [
      '/',
      '/page/customers',
      '/page/recordings',
      '/page/account-calls',
      '/view/Customer?id=1',
      `/view/Call?sid=${call?.sid}`,
    ]) {
      await desk.go(place);
      await screenshot(`${where}${place.replace(/\?.*/, '')}`.replaceAll(/[ /]/g, '-'));
      const tooWide = await page.evaluate(`
        [document.documentElement, ...document.querySelectorAll('.table-responsive')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
          .map(({ className, scrollWidth }) => [className, scrollWidth])
      `);
      expect({ place, tooWide }).toEqual({ place, tooWide: [] });
      expect(await page.getByRole('link', { name: 'Desk', exact: true }).isVisible()).toBe(true);
    }
  });

  test('opens every view and page in the builder', async () => {
    const { page } = desk.browser;
    await page.setViewportSize({ width: 1280, height: 900 });
    for (const { name } of pack.views) {
      await desk.go(`/viewedit/config/${encoded(name)}`);
      await page.waitForSelector('.wrap-builder-elem');
      // A page that is left while it still loads its previews would report them as errors.
      await page.waitForLoadState('networkidle');
    }
    for (const { name } of pack.pages) {
      await desk.go(`/pageedit/edit/${encoded(name)}`);
      await page.waitForSelector('.wrap-builder-elem');
      await page.waitForLoadState('networkidle');
    }
  });

  test('never met an error on the way', () => {
    expect(faults).toEqual([]);
  });
});
