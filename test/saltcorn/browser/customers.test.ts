import customers from '../../../demo/customers.json';
import catalogue from '../../../errors.json';
import { caller, callsFrom, messagesWith, recordingsFrom } from '../../support/of-caller.ts';
import { until } from '../../support/until.ts';
import { type Desk, openDesk } from './desk.ts';

/** The reasons for undelivered messages, by the service's code. */
const reasons: Record<string, string> = Object.fromEntries(
  catalogue.errors
    .filter(({ code }) => [30004, 30034, 21610].includes(code))
    .map(({ code, sentence }) => [code, `${sentence} (${code})`]),
);

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

const now = new Date('2026-11-20T15:42:00Z');

// One story: each test continues where the previous one ended.
describe('with a table of customers, a user', () => {
  let desk: Desk;

  beforeAll(async () => {
    desk = await openDesk('customers', { now, timezoneId: 'Asia/Kolkata', hasInbox: true });
    await desk.logIn();
  });

  const text = (title: string, row: number) => desk.rows(title).nth(row).textContent();

  test('sees which customer called, or was called, in the list of calls', async () => {
    await desk.browser.screenshot('calls');
    const nameOf = (number: string) =>
      customers.find(({ phone }) => phone.replaceAll(' ', '') === number)?.name;
    const shown = desk.sandbox.calls.slice(0, 20);
    const known = shown.map(({ from, to }) => nameOf(from) ?? nameOf(to) ?? '');
    expect(known.filter(Boolean).length).toBeGreaterThan(2);
    const cells = await desk.rows('Calls').locator('td:nth-child(2)').allTextContents();
    expect(cells.map((cell) => cell.trim())).toEqual(known);
  });

  test('sees the start of a call in their own time zone', async () => {
    const started = new Date(
      desk.sandbox.calls.find(({ start_time }) => start_time)?.start_time ?? '',
    );
    const here = new Intl.DateTimeFormat('en-GB', {
      ...{ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
      timeZone: 'Asia/Kolkata',
    });
    const cells = await desk.rows('Calls').locator('time').allTextContents();
    expect(cells[0]).toBe(here.format(started).replace(',', ''));
  });

  /** Makes the newest messages to a number fail, each with another code. */
  function fail(codes: string[]) {
    const theirs = messagesWith(desk.sandbox, caller).filter(({ to }) => to === caller);
    for (const [index, code] of codes.entries())
      Object.assign(theirs[index] ?? {}, { status: 'undelivered', error_code: Number(code) });
  }

  test('opens a customer with the calls and recordings of their number', async () => {
    const { picture, screenshot } = desk.browser;
    fail(Object.keys(reasons));
    await desk.go('/page/customers');
    await screenshot('customers');
    expect(await desk.rows('Customers').locator('td:first-child').allTextContents()).toEqual(
      customers.map(({ name }) => name).sort(),
    );
    await desk.follow(desk.rows('Customers').first().getByText('Open'), '/view/Customer?id=*');
    await picture('saltcorn-customer');
    const theirs = callsFrom(desk.sandbox, caller);
    const recordings = recordingsFrom(desk.sandbox, caller);
    expect(await desk.rows('Calls').count()).toBe(Math.min(theirs.length, 20));
    expect(await text('Calls', 0)).toContain('Ada Lovelace');
    expect(await desk.rows('Recordings').count()).toBe(Math.min(recordings.length, 20));
    expect(await desk.card('Customer').getByText(caller.slice(0, 2)).getAttribute('href')).toBe(
      `tel:${caller}`,
    );
  });

  test('sees the messages with this customer, their status and why some failed', async () => {
    const shown = await Promise.all(
      (await desk.rows('Conversation').all()).map((row) => row.locator('td').allInnerTexts()),
    );
    const theirs = messagesWith(desk.sandbox, caller).slice(0, 10);
    expect(theirs.map(({ direction }) => direction)).toContain('inbound');
    expect(shown.map((cells) => cells.slice(1).map(oneLine))).toEqual(
      theirs.map(({ direction, body, status, error_code }) => [
        direction === 'inbound' ? 'Received' : 'Sent',
        body,
        oneLine(`${status} ${reasons[String(error_code)] ?? ''}`),
      ]),
    );
    expect(shown.flat().join()).toContain('blocks messages from you. (30004)');
  });

  test('sends an SMS to this customer', async () => {
    const { page, screenshot } = desk.browser;
    const before = desk.sandbox.messages.length;
    await page.getByText('Ask to call back').click();
    await desk.toast('success').waitFor();
    await desk.rows('Conversation').getByText('please call us back').waitFor();
    await screenshot('customer-asked');
    expect(desk.sandbox.messages).toHaveLength(before + 1);
    expect(desk.sandbox.messages[0]).toMatchObject({
      to: caller,
      body: 'Dear Ada Lovelace, please call us back.',
    });
  });

  /**
   * Does something while the inbox keeps its list: a new one between mouse down and up would lose the click. Saltcorn requests
   * a new list only after the response to the last request, so no other one is on its way.
   */
  async function keepingInbox(act: () => Promise<void>) {
    const { page } = desk.browser;
    const list = '**/view/List%20of%20incoming%20SMS*';
    await new Promise<void>((held) => page.route(list, () => held()));
    await act();
    await page.unroute(list);
  }

  test('receives an SMS from this customer, replies and sees the reply delivered', async () => {
    const { page, screenshot } = desk.browser;
    const customer = page.url();
    await desk.go('/page/inbox');
    await page.getByLabel('From').fill(caller);
    await page.getByLabel('Message').fill('Are you <b>open</b>?');
    await page.getByText('Simulate', { exact: true }).click();
    await desk.rows('Incoming SMS').getByText('Are you <b>open</b>?').waitFor();
    await screenshot('inbox');
    expect(await desk.rows('Incoming SMS').innerText()).toContain('Ada Lovelace');
    await keepingInbox(() => desk.rows('Incoming SMS').getByText('Reply').click());
    const popup = page.locator('#scmodal.show');
    await popup.getByText('Reply to Ada Lovelace', { exact: true }).waitFor();
    await popup.getByLabel('Body').fill('We open at nine.');
    expect(await popup.getByLabel('To').inputValue()).toBe(caller);
    await popup.getByText('Send', { exact: true }).click();
    await popup.getByText(`Message to ${caller} queued: “We open at nine.”`).waitFor();
    const conversation = popup.locator('tbody tr');
    await conversation.getByText('Are you <b>open</b>?').waitFor();
    await conversation.getByText('We open at nine.').waitFor();
    await screenshot('reply');
    await page.goto(customer);
    await desk.sendSms({ body: 'Yes, until six.' });
    expect(await desk.toastText('success')).toMatch(/^Message to \+\d+ queued/);
    await desk.rows('Conversation').getByText('Yes, until six.').waitFor();
    desk.sandbox.pass(5);
    // The list that showed the reply is cached for five seconds.
    await until(async () => {
      await page.goto(customer);
      return (await desk.rows('Conversation').getByText('queued').count()) === 0;
    });
    const newest = (await desk.rows('Conversation').all()).slice(0, 4);
    const shown = await Promise.all(newest.map((row) => row.locator('td').allInnerTexts()));
    await screenshot('answered');
    // All have the same time.
    expect(shown.map((cells) => cells.slice(1).map(oneLine)).sort()).toEqual([
      ['Received', 'Are you <b>open</b>?', 'received'],
      ['Sent', 'Thank you for your message. We answer today.', 'delivered'],
      ['Sent', 'We open at nine.', 'delivered'],
      ['Sent', 'Yes, until six.', 'delivered'],
    ]);
  });

  test('replies to a long SMS from the number that it came to', async () => {
    const { page } = desk.browser;
    const sms = { from: caller, to: '+14155550101', body: 'Is this table for six? '.repeat(6) };
    await desk.go('/page/inbox');
    desk.sandbox.receiveMessage(sms);
    const reply = desk.rows('Incoming SMS').filter({ hasText: 'for six' }).getByText('Reply');
    await reply.waitFor();
    await keepingInbox(async () => {
      const edges = [reply, desk.card('Incoming SMS').first()].map(async (element) => {
        const { x, width } = (await element.boundingBox()) ?? { x: Number.NaN, width: 0 };
        return x + width;
      });
      const [link = 0, card = 0] = await Promise.all(edges);
      expect(link).toBeLessThan(card);
      await reply.click();
    });
    const popup = page.locator('#scmodal.show');
    await popup.getByLabel('From').waitFor();
    expect(await popup.getByLabel('From').inputValue()).toBe(sms.to);
    expect(await popup.getByLabel('To').inputValue()).toBe(sms.from);
  });

  test('texts a customer who is not saved yet', async () => {
    const { page, screenshot } = desk.browser;
    await desk.go('/page/customers');
    const before = desk.sandbox.messages.length;
    await page.getByLabel('Name').fill('Alan & <b>Turing</b>');
    await page.getByLabel('Phone').fill('(1) 202 555 0199'.replace('(1)', '+1'));
    await page.getByText('Say hello').click();
    await desk.toast('success').waitFor();
    await screenshot('customer-greeted');
    expect(desk.sandbox.messages).toHaveLength(before + 1);
    expect(desk.sandbox.messages[0]).toMatchObject({
      to: '+12025550199',
      body: 'Welcome, Alan & <b>Turing</b>!',
    });
    expect(await desk.rows('Customers').count()).toBe(customers.length);
  });

  test('texts all customers after a preview, and sees the progress and what failed', async () => {
    const { page, picture, screenshot } = desk.browser;
    await page.reload();
    await page.getByLabel('Name').fill('Nobody');
    await page.getByLabel('Phone').fill('+15005550001');
    await page.getByText('Add', { exact: true }).click();
    await desk.rows('Customers').nth(customers.length).waitFor();
    await page.waitForLoadState();
    const before = desk.sandbox.messages.length;
    desk.sandbox.faults.add({ name: 'slow', delayMs: 500, times: customers.length });
    const popup = page.locator('#scmodal .modal-body');
    await page.getByText('Text all of them').click();
    await popup.getByText('Send 5 SMS').waitFor();
    await picture('saltcorn-bulk-question');
    expect(await popup.locator('li').allTextContents()).toEqual(
      expect.arrayContaining([
        ...customers.map(({ name, phone }) => `${name} (${phone.replaceAll(' ', '')})`),
        'Nobody (+15005550001)',
      ]),
    );
    expect(desk.sandbox.messages).toHaveLength(before);
    // The page shows the progress until this response.
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/progress', async (route) => {
      await held;
      await route.continue();
    });
    await popup.getByText('Send 5 SMS').click();
    await popup.locator('progress').waitFor();
    await screenshot('texting');
    release();
    const result = popup.locator('.alert');
    await result.waitFor();
    await picture('saltcorn-bulk');
    expect(await result.textContent()).toBe('Send SMS: 4 sent, 1 failed.');
    expect(await popup.locator('li').first().textContent()).toMatch(
      /^Nobody \(\+15005550001\): The number in "To" is not a valid phone number/,
    );
    expect(desk.sandbox.messages).toHaveLength(before + customers.length);
    expect(new Set(desk.sandbox.messages.slice(0, 4).map(({ body }) => body))).toEqual(
      new Set(customers.map(({ name }) => `Dear ${name}, we are closed tomorrow.`)),
    );
  });

  test('sees that the service is down, and the rest of the page stays', async () => {
    const { page, picture } = desk.browser;
    desk.sandbox.faults.add({ name: 'server-error', status: 503, times: 20 });
    const answer = await desk.go('/view/Customer?id=1');
    await picture('saltcorn-unavailable');
    expect(answer?.status()).toBe(503);
    expect(await desk.toast('danger').first().textContent()).toContain("Can't load “");
    expect(await desk.card('Customer').textContent()).toContain('Ada Lovelace');
    const settings = page.getByText('Module settings').first();
    await desk.follow(settings, '/plugins/configure/telephony');
    desk.sandbox.faults.clear();
    await desk.go('/crashlog');
    expect(await page.locator('body').textContent()).not.toContain('cannot be shown');
  });
});
