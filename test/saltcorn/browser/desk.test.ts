import pack from '../../../demo/saltcorn/desk.json';
import { watchForFaults } from '../../support/browser.ts';
import { caller, callsFrom, recordingsFrom } from '../../support/of-caller.ts';
import { deskPaths } from '../installed-desk.ts';
import { builders, type Desk, openDesk } from './desk.ts';
import { builderIn } from './saltcorn-builder.ts';

// Within office hours, so that the newest calls are from today.
const now = new Date('2026-11-20T15:42:00Z');

const body = 'Tom & <b>Jerry</b> 😀 {{ to }}\n\n"Tomorrow", 10:30?\n';

const form = pack.views.find(({ viewtemplate }) => viewtemplate === 'Edit') ?? { name: '' };
const [, rndid] = /"rndid":"(\w+)"/.exec(JSON.stringify(form)) ?? [];

// One story: each test continues where the previous one ended.
describe('at the demo desk, a user', () => {
  let desk: Desk;
  let faults: string[];

  beforeAll(async () => {
    desk = await openDesk('desk', { now });
    const { page } = desk.browser;
    // Chromium requests a favicon once, and Saltcorn has none.
    const isIcon = (url: string) => url.endsWith('/favicon.ico');
    faults = watchForFaults(page, (response) => isIcon(response.url()));
    page.on('console', (message) => {
      const { url } = message.location();
      if (message.type() === 'error' && !isIcon(url)) faults.push(`${message.text()} ${url}`);
    });
  });

  const requested = () =>
    desk.sandbox.requests.map(({ path, query }) => `${path.split('/').pop()}?${query}`);

  test('sees nothing and sends nothing before logging in', async () => {
    const { page } = desk.browser;
    for (const place of deskPaths) {
      const text = await (await page.request.get(desk.url + place)).text();
      const shown = /\+1415555|Send SMS|CA[0-9a-f]{32}/.exec(text);
      expect({ place, shown }).toEqual({ place, shown: null });
    }
    await desk.go('/auth/login');
    const token = await page.evaluate<string>('_sc_globalCsrf');
    expect(rndid).toBeDefined();
    await page.request.post(`${desk.url}/view/${encodeURIComponent(form.name)}/run_action`, {
      headers: { 'CSRF-Token': token },
      data: { rndid, from: '+14155550100', to: caller, body: 'Hi' },
    });
    expect(desk.sandbox.requests).toEqual([]);
  });

  test('logs in and sees the desk', async () => {
    const { page } = desk.browser;
    await desk.logIn();
    expect(await page.title()).toContain('Telephony desk');
    expect(await desk.rows('Calls').count()).toBe(20);
    expect(await desk.rows('Calls').first().locator('td').allTextContents()).toEqual(
      expect.arrayContaining([desk.sandbox.calls[0]?.from, desk.sandbox.calls[0]?.to, 'queued']),
    );
  });

  test('turns to the next page of the list', async () => {
    const { page } = desk.browser;
    await desk.turnTo('Calls', 2);
    expect(await desk.rows('Calls').count()).toBe(20);
    expect(await desk.rows('Calls').first().textContent()).toContain(desk.sandbox.calls[20]?.from);
    await page.goBack();
    await page.waitForURL(`${desk.url}/`);
  });

  test('filters the calls at the service, by number and by status', async () => {
    const { page, screenshot } = desk.browser;
    desk.sandbox.requests.length = 0;
    await desk.filterByCaller('Calls', caller);
    const theirs = callsFrom(desk.sandbox, caller);
    expect(await desk.rows('Calls').count()).toBe(Math.min(theirs.length, 20));
    expect(new URL(page.url()).searchParams.get('from')).toBe(caller);
    expect(requested()[0]).toMatch(/^Calls\.json\?From=%2B12025550143(&|$)/);

    desk.sandbox.requests.length = 0;
    await desk.filterByStatus('in-progress');
    await screenshot('desk-filtered');
    expect(await desk.rows('Calls').count()).toBe(1);
    expect(requested()[0]).toMatch(/^Calls\.json\?Status=in-progress&From=%2B12025550143(&|$)/);
    expect(await desk.typedSms()).toMatchObject({ from: '+14155550100' });

    await desk.filterByStatus('no-answer');
    const either = theirs.filter(({ status }) => ['in-progress', 'no-answer'].includes(status));
    expect(await desk.rows('Calls').count()).toBe(either.length);
    expect(either.length).toBeGreaterThan(1);
  });

  test('sees that nothing was found', async () => {
    await desk.go(`/?from=${encodeURIComponent('+19995550199')}`);
    expect(await desk.rows('Calls').count()).toBe(0);
    const shown = await desk.browser.page.evaluate(
      "getComputedStyle(document.querySelector('tbody'), '::after').content",
    );
    expect(shown).toBe('"Nothing found. Clear the filters to see all."');
  });

  test('opens a call in progress and records it', async () => {
    const { sandbox } = desk;
    const call = callsFrom(sandbox, caller).find(({ status }) => status === 'in-progress');
    await desk.go(`/?from=${encodeURIComponent(caller)}&status=in-progress`);
    await desk.follow(desk.rows('Calls').getByText(caller), `/view/Call?sid=${call?.sid}`);
    const details = await desk.callDetails();
    for (const detail of [call?.sid, 'in-progress', 'Inbound', caller, '20 Nov 2026 15:38'])
      expect(details).toContain(detail);

    expect(await desk.rows('Recordings').count()).toBe(0);
    await desk.card('Recordings').getByText('Start recording').click();
    await desk.toast('success').waitFor();
    await desk.rows('Recordings').waitFor();
    await desk.browser.screenshot('call-recorded');
    expect(sandbox.recordings[0]).toMatchObject({ call_sid: call?.sid, status: 'in-progress' });
    expect(await desk.rows('Recordings').textContent()).toContain('in-progress');
    expect(await desk.players().count()).toBe(0);
  });

  test('stops the recording, and sees its new status without a reload', async () => {
    const { sandbox } = desk;
    const stop = desk.rows('Recordings').getByText('Stop', { exact: true });
    await stop.click();
    await desk.rows('Recordings').getByText('stopped').waitFor();
    expect(sandbox.recordings[0]?.status).toBe('stopped');
    expect(await stop.count()).toBe(0);
    await desk.browser.screenshot('call-recording-stopped');
  });

  test('finds a form to text the caller on the page of a call', async () => {
    expect(await desk.typedSms()).toMatchObject({ from: '+14155550100', to: caller });
  });

  test('sees and plays the recordings of a finished call', async () => {
    const { page, screenshot } = desk.browser;
    const { recordings } = desk.sandbox;
    const recorded = recordings.find(({ status }) => status === 'completed');
    const parts = recordings.filter(({ call_sid }) => call_sid === recorded?.call_sid);
    await desk.go(`/view/Call?sid=${recorded?.call_sid}`);
    await screenshot('call-finished');
    expect(await desk.rows('Recordings').count()).toBe(parts.length);
    expect(await page.getByText('Start recording').count()).toBe(0);
    expect(await desk.players().count()).toBe(parts.length);
    expect(await desk.audioTypeOf(desk.players().first())).toContain('audio/');
  });

  test('sends an SMS, exactly as typed', async () => {
    const { page, picture, screenshot } = desk.browser;
    const { messages } = desk.sandbox;
    await desk.go('/');
    const before = messages.length;
    await desk.typeSms({ to: caller, body: 'Sorry we missed you. We call back today.' });
    await page.getByText('1 SMS, 120 characters left (GSM-7)').waitFor();
    await picture('desk');
    await desk.sendSms({ body });
    expect(await desk.toastText('success')).toContain(
      `Message to ${caller} queued: “Tom & <b>Jerry</b> 😀 {{ to }} "Tomorrow"`,
    );
    await screenshot('sms-sent');
    expect(messages).toHaveLength(before + 1);
    expect(messages[0]).toMatchObject({ from: '+14155550100', to: caller, body });
    expect(await desk.typedSms()).toEqual({ from: '+14155550100', to: '', body: '' });
    await page.getByText('1 SMS, 160 characters left (GSM-7)').waitFor();
  });

  test('sees which field is missing and keeps the typed text', async () => {
    const { messages } = desk.sandbox;
    const before = messages.length;
    await desk.sendSms({ body: 'Call me.' });
    expect(await desk.toastText('danger')).toContain('To');
    await desk.browser.screenshot('sms-without-number');
    expect(await desk.typedSms()).toMatchObject({ body: 'Call me.' });
    expect(messages).toHaveLength(before);
  });

  test('lists and plays the recordings of a caller, and opens one of the calls', async () => {
    await desk.goInMenu('Recordings', '/page/recordings');
    expect(await desk.rows('Recordings').count()).toBe(20);
    await desk.filterByCaller('Recordings', caller);
    await desk.browser.screenshot('recordings-by-caller');
    const theirs = recordingsFrom(desk.sandbox, caller);
    expect(await desk.rows('Recordings').count()).toBe(Math.min(theirs.length, 20));
    for (const row of await desk.rows('Recordings').allTextContents())
      expect(row).toContain(`${caller}Ada Lovelace`);
    expect(await desk.audioTypeOf(desk.players().last())).toContain('audio/');

    await desk.follow(desk.rows('Recordings').last().getByText('Open'), '/view/Call?sid=*');
    expect(await desk.callDetails()).toContain(caller);
    expect(await desk.callDetails()).toContain('CustomerAda Lovelace');
  });

  test('lists all calls of the account, with the customers who called', async () => {
    await desk.goInMenu('Account calls', '/page/account-calls');
    await desk.browser.screenshot('account-calls');
    expect(await desk.rows('Calls').count()).toBe(20);
    const ofCaller = desk.rows('Calls').filter({ hasText: new RegExp(`^\\${caller}`) });
    expect(await ofCaller.first().locator('td').nth(1).innerText()).toBe('Ada Lovelace');
  });

  test('opens every view and page in the builder', async () => {
    await desk.browser.page.setViewportSize({ width: 1280, height: 900 });
    const { open } = builderIn(desk);
    for (const path of builders) await open(path);
  });

  test('saw no page error during these tests', () => {
    expect(faults).toEqual([]);
  });
});
