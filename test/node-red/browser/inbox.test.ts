import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort } from '../../../demo/ports.ts';
import { barriers } from '../../support/accessibility.ts';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { gateIn } from '../../support/gate.ts';
import { payloads, watchForHostility } from '../../support/hostile.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { proxyTo, type ReverseProxy } from '../../support/reverse-proxy.ts';
import { root } from '../../support/root.ts';
import { until } from '../../support/until.ts';
import { startNodeRedServer } from '../node-red-server.ts';

const own = '+14155550101';
const caller = '+12025550143';
const socket = "document.querySelector('#app').__vue_app__._context.provides.$socket";
const unreachable = '+15005550001';

/** What a visitor sees of the inbox, and of a conversation. */
function inboxIn(page: Page) {
  const dialog = page.getByRole('dialog');
  return {
    ...{ page, dialog },
    // The whole text: an earlier SMS may contain it, too.
    row: (text: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByText(text, { exact: true }) })
        .first(),
    text: dialog.locator('textarea').first(),
    send: dialog.getByRole('button', { name: 'Send' }),
    problem: dialog.getByRole('alert'),
    item: (text: string) => dialog.locator('li', { hasText: text }),
    /** Each message: its direction, its status and its text. */
    messages: async () =>
      Promise.all(
        (await dialog.locator('li').all()).map(async (item) => [
          await item.locator('.about > *').first().textContent(),
          await item.locator('.v-chip').textContent(),
          await item.locator('.text').textContent(),
        ]),
      ),
  };
}

type Inbox = ReturnType<typeof inboxIn>;

describe("in the inbox of Node-RED's desk", () => {
  let sandbox: Sandbox;
  let service: ReverseProxy;
  let network: ReverseProxy;
  let browser: Browser;
  let anna: Inbox;
  let bob: Inbox;
  const faults: string[] = [];

  beforeAll(async () => {
    const port = String(await freePort());
    const publicAddress = `http://127.0.0.1:${port}`;
    const smsUrl = `${publicAddress}/telephony/events/desk-account`;
    sandbox = await openSandbox({
      // Webhooks have no date, so Node-RED's clock dates them.
      now: new Date(),
      numbers: { [own]: { smsUrl } },
    });
    service = await proxyTo(sandbox.url);
    const { username, password } = sandbox;
    const account = { username, password, baseUrl: service.url, publicAddress, reported: true };
    const [nodeRed, opened] = await Promise.all([
      startNodeRedServer(
        [
          ...['--port', port, '--module', resolve(root, 'dist/node-red')],
          ...['--flow', resolve(root, 'demo/node-red/desk.json')],
        ],
        { PLUGIN_CONFIGURATION: JSON.stringify(account) },
      ),
      openBrowser('node-red-inbox'),
    ]);
    browser = opened;
    network = await proxyTo(nodeRed.url);
    anna = inboxIn(browser.page);
    bob = inboxIn(await browser.page.context().newPage());
    for (const { page } of [anna, bob]) page.on('pageerror', (error) => faults.push(error.message));
    await Promise.all([anna, bob].map(openInbox));
  });

  beforeEach(() => {
    sandbox.messages.length = 0;
    sandbox.requests.length = 0;
  });
  afterEach(async () => {
    service.handler = (_from, _to, forward) => forward();
    if (await anna.dialog.isVisible()) await close(anna);
  });

  const openInbox = ({ page }: Inbox) => page.goto(`${network.url}/dashboard/inbox`);

  /** Receives an SMS, later than those before. */
  async function receive(body: string, from = caller) {
    sandbox.pass(60);
    sandbox.receiveMessage({ from, to: own, body });
    await sandbox.events.settled();
  }

  async function open(inbox: Inbox, body: string, from?: string) {
    await receive(body, from);
    await inbox.row(body).click();
    await inbox.dialog.waitFor();
  }

  /** Closes a conversation. Not with the keyboard: a dialog that is still opening ignores Escape. */
  async function close({ dialog }: Inbox) {
    await dialog.getByRole('button', { name: 'Close' }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  const sent = () =>
    sandbox.messages
      .filter(({ direction }) => direction === 'outbound-api')
      .map(({ from, to, body }) => [from, to, body]);

  /** The methods of the requests to the service, and the numbers that they are about. */
  const requested = () =>
    new Set(
      sandbox.requests.map(({ method, query }) => {
        const fields = new URLSearchParams(query);
        return `${method} ${fields.get('From') ?? fields.get('To')}`;
      }),
    );

  test('a click on an SMS opens the conversation, with the oldest message at the top', async () => {
    await receive('Are you open?');
    await open(anna, 'Not mine', '+13125550188');
    await anna.item('Not mine').waitFor();
    await close(anna);
    await open(anna, 'Hello?');
    await anna.item('Hello?').waitFor();
    expect(await anna.messages()).toEqual([
      ['Received', 'received', 'Are you open?'],
      ['Received', 'received', 'Hello?'],
    ]);
    expect(await bob.dialog.count()).toBe(0);
  });

  test('an answer comes from the number that received the SMS, once, and its status changes', async () => {
    await open(anna, 'Are you open today?');
    expect(await anna.send.isDisabled()).toBe(true);
    await anna.text.fill('Until 6.\nSee you');
    await anna.send.dblclick();
    await anna.item('Until 6.').getByText('queued').waitFor();
    expect(await anna.text.inputValue()).toBe('');
    sandbox.pass(5);
    await anna.item('Until 6.').getByText('delivered').waitFor();
    expect(await anna.messages()).toEqual([
      ['Received', 'received', 'Are you open today?'],
      ['Sent', 'delivered', 'Until 6.\nSee you'],
    ]);
    await browser.screenshot('conversation');
    // Vuetify's own labels are faint.
    const foreign = [{ selector: '.v-label', rule: 'color-contrast' }];
    expect(await barriers(anna.page, '[role=dialog]', foreign)).toEqual([]);
    expect(sent()).toEqual([[own, caller, 'Until 6.\nSee you']]);
  });

  test('the same answer can be sent twice in a row', async () => {
    await open(anna, 'Really?');
    for (const count of [1, 2]) {
      await anna.text.fill('Yes');
      await anna.send.click();
      await anna
        .item('Yes')
        .nth(count - 1)
        .waitFor();
    }
    expect(sent()).toEqual([
      [own, caller, 'Yes'],
      [own, caller, 'Yes'],
    ]);
  });

  test('an answer that failed stays in the form, with the reason', async () => {
    await open(anna, 'Can you hear me?', unreachable);
    await anna.text.fill('Typed with care');
    await anna.send.click();
    await anna.problem.getByText('(21211)').waitFor();
    expect(await anna.text.inputValue()).toBe('Typed with care');
    await browser.screenshot('failed');
    await anna.send.click();
    await until(() => sandbox.requests.filter(({ status }) => status === 400).length === 2);
    await anna.problem.getByText('(21211)').waitFor();
    expect(sent()).toEqual([]);
  });

  test('another SMS appears in the open conversation, and does not change the form', async () => {
    await open(anna, 'One');
    await anna.item('One').waitFor();
    await anna.text.fill('Typed');
    await receive('Two');
    await anna.item('Two').waitFor();
    await receive('Three', '+13125550188');
    await anna.row('Three').waitFor();
    expect(await anna.messages()).toEqual([
      ['Received', 'received', 'One'],
      ['Received', 'received', 'Two'],
    ]);
    expect(await anna.text.inputValue()).toBe('Typed');
    await anna.text.fill('');
  });

  test('a long conversation also shows the newest message', async () => {
    for (let count = 0; count < 25; count += 1) await receive(`Number ${count}`);
    await open(anna, 'Next to last');
    await anna.item('Next to last').waitFor();
    await anna.dialog.getByText('These are the newest 20 messages.').waitFor();
    await receive(`At the end${' word'.repeat(100)}`);
    const list = anna.dialog.locator('.conversation');
    await until(async () => {
      const [item, all] = [await anna.item('At the end').boundingBox(), await list.boundingBox()];
      return item !== null && all !== null && item.y + item.height <= all.y + all.height;
    });
  });

  /** Sends an answer, and does something before the service responds. */
  async function interrupt(text: string, interruption: () => Promise<unknown>) {
    const gate = gateIn(service, (path) => path.endsWith('/Messages.json'));
    await anna.text.fill(text);
    await anna.send.click();
    await gate.holds(1);
    await interruption();
    return gate;
  }

  test('the outcome of an answer appears after a lost connection', async () => {
    await open(anna, 'Still there?');
    const gate = await interrupt('I am', async () => {
      await network.stop();
      await anna.page.getByText('Connection Lost').waitFor();
      await network.open();
      await anna.page.getByText('re-established').waitFor();
    });
    await anna.row('Still there?').click();
    expect(await anna.text.inputValue()).toBe('I am');
    expect(await anna.text.isDisabled()).toBe(true);
    await gate.open();
    await anna.item('I am').waitFor();
    await until(async () => (await anna.text.inputValue()) === '');
    expect(sent()).toEqual([[own, caller, 'I am']]);
  });

  test('the outcome of an answer appears after a reload', async () => {
    await open(anna, 'Before the reload');
    const gate = await interrupt('Once', () => anna.page.reload());
    await anna.row('Before the reload').click();
    expect(await anna.text.inputValue()).toBe('Once');
    expect(await anna.send.isDisabled()).toBe(true);
    await gate.open();
    await anna.item('Once').waitFor();
    await until(async () => (await anna.text.inputValue()) === '');
    expect(sent()).toEqual([[own, caller, 'Once']]);
  });

  test('an unsent answer survives a reload', async () => {
    await open(anna, 'Please think about it');
    await anna.text.fill('Typed with care');
    await anna.page.reload();
    await anna.row('Please think about it').click();
    expect(await anna.text.inputValue()).toBe('Typed with care');
    await anna.text.fill('');
  });

  test('SMS that came in while Node-RED was not running appear', async () => {
    const now = sandbox.events.numbers.get(own);
    sandbox.events.numbers.delete(own);
    await receive('In the night');
    sandbox.events.numbers.set(own, now ?? {});
    await openInbox(anna);
    await anna.row('In the night').click();
    await anna.item('In the night').waitFor();
    expect(await anna.page.getByRole('row', { name: 'In the night' }).count()).toBe(1);
  });

  test('the inbox says why the SMS cannot be listed', async () => {
    service.handler = (_from, to) => to.destroy();
    await openInbox(anna);
    await anna.page
      .locator('.v-snackbar__content', { hasText: 'The connection to the service' })
      .waitFor();
  });

  test('the conversation says why it cannot be read', async () => {
    await receive('Anyone?');
    service.handler = (_from, to) => to.destroy();
    await anna.row('Anyone?').click();
    await anna.problem.waitFor();
    await browser.screenshot('unreadable');
    expect(await anna.messages()).toEqual([]);
    await close(anna);
    service.handler = (_from, _to, forward) => forward();
    await anna.row('Anyone?').click();
    await anna.item('Anyone?').waitFor();
    expect(await anna.problem.count()).toBe(0);
  });

  test('a slow response does not replace the messages of another conversation', async () => {
    await receive('From the first');
    await receive('From the second', '+13125550188');
    // A new row moves the others.
    await anna.row('From the second').waitFor();
    const gate = gateIn(service, (path) => path.includes(encodeURIComponent(caller)));
    await anna.row('From the first').click();
    await gate.holds(1);
    await close(anna);
    await anna.row('From the second').click();
    await anna.item('From the second').waitFor();
    await anna.page.evaluate(`
      window.late = false;
      ${socket}.onAny((_event, message) => (window.late ||= message?.other === '${caller}'));
    `);
    await gate.open();
    await anna.page.waitForFunction('window.late');
    expect(await anna.messages()).toEqual([['Received', 'received', 'From the second']]);
  });

  test('an answer to an SMS that has left the inbox stays in the form, with the reason', async () => {
    await open(anna, 'The oldest');
    await anna.item('The oldest').waitFor();
    for (let count = 0; count < 50; count += 1) await receive(`After it ${count}`, '+13125550188');
    await anna.row('After it 49').waitFor();
    await anna.text.fill('Too late');
    await anna.send.click();
    await anna.problem.getByText('no longer in the inbox').first().waitFor();
    expect(await anna.text.inputValue()).toBe('Too late');
    await anna.text.fill('');
    expect(sent()).toEqual([]);
  });

  test('markup and scripts in an SMS do not run', async () => {
    const watch = await watchForHostility(anna.page);
    for (const text of payloads) await receive(text);
    await anna.row(payloads.at(-1) ?? '').click();
    await anna.dialog
      .locator('li')
      .nth(payloads.length - 1)
      .waitFor();
    expect((await anna.messages()).map(([, , text]) => text)).toEqual(payloads);
    expect({ found: await watch.found(), ran: watch.ran }).toEqual({ found: [], ran: [] });
  });

  test('a forged sender opens no messages', async () => {
    await receive('From everyone', '*');
    sandbox.requests.length = 0;
    await anna.row('From everyone').click();
    await open(anna, 'From one');
    await anna.item('From one').waitFor();
    expect(requested()).toEqual(new Set([`GET ${caller}`]));
  });

  test('a crafted message reads and sends nothing', async () => {
    await open(anna, 'Mine');
    await anna.item('Mine').waitFor();
    sandbox.requests.length = 0;
    const write = (message: unknown) =>
      bob.page.evaluate(
        `${socket}.emit('widget-action', 'conversation-window', ${JSON.stringify(message)})`,
      );
    const key = 'f'.repeat(32);
    for (const topic of ['read', 'answer', undefined])
      for (const payload of ['x', null, {}, { sid: 'SM1', from: '*', body: 'Hello' }])
        await write({ topic, key, payload });
    // Node-RED has handled all of that when it responds to a later message.
    await open(bob, 'Last');
    await bob.item('Last').waitFor();
    await close(bob);
    expect(requested()).toEqual(new Set([`GET ${caller}`]));
    expect(sent()).toEqual([]);
  });

  test('on a phone, no row is cut off, and the newest message and the form are visible', async () => {
    await anna.page.setViewportSize({ width: 390, height: 740 });
    for (let count = 0; count < 12; count += 1) await receive(`Number ${count}`);
    await open(anna, 'long'.repeat(60));
    await anna.item('long').waitFor();
    await browser.screenshot('phone');
    const cut = await anna.page.evaluate(`{
      const { scrollWidth, clientWidth } = document.querySelector('.v-table__wrapper');
      scrollWidth - clientWidth;
    }`);
    expect(cut).toBe(0);
    await until(async () => {
      const box = await anna.item('long').boundingBox();
      return box !== null && box.y > 0 && box.y + box.height < 740;
    });
    const width = await anna.page.evaluate(`{
      const { scrollWidth, clientWidth } = document.querySelector('[role=dialog] .v-card-text');
      scrollWidth - clientWidth;
    }`);
    expect(width).toBe(0);
    const button = await anna.send.boundingBox();
    expect(button && button.y + button.height).toBeLessThan(740);
  });

  test('no page threw an error during these tests', () => {
    expect(faults).toEqual([]);
  });
});
