import { resolve } from 'node:path';
import desk from '../../demo/node-red/desk.json';
import { type Door, doorTo } from '../door.ts';
import { type Gate, gateIn } from '../gate.ts';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { root } from '../root.ts';
import { type Browser, openBrowser } from './browser.ts';
import { deskIn, type NodeRedDesk } from './node-red-desk.ts';
import { type NodeRedServer, startNodeRedServer } from './node-red-server.ts';

const pictures = resolve(root, 'test/artefacts/node-red-desk');
const caller = '+12025550143';
const other = '+13125550188';

// Two people at the desk of Node-RED's demo, each in a window of their own.
describe("at Node-RED's desk", () => {
  let sandbox: Sandbox;
  let service: Door;
  let nodeRed: NodeRedServer;
  let network: Door;
  let browser: Browser;
  let anna: NodeRedDesk;
  let bob: NodeRedDesk;
  const faults: string[] = [];

  beforeAll(async () => {
    sandbox = await openSandbox({ now: new Date('2026-11-20T15:42:00Z') });
    service = await doorTo(sandbox.url);
    const { username, password } = sandbox;
    const account = JSON.stringify({ username, password, baseUrl: service.url });
    const options = [
      ...['--module', resolve(root, 'dist/node-red')],
      ...['--flow', resolve(root, 'demo/node-red/desk.json')],
    ];
    [nodeRed, browser] = await Promise.all([
      startNodeRedServer(options, { PLUGIN_CONFIGURATION: account }),
      openBrowser('node-red-desk'),
    ]);
    network = await doorTo(nodeRed.url);
    anna = deskIn(browser.page);
    bob = deskIn(await browser.page.context().newPage());
    for (const { page } of [anna, bob]) page.on('pageerror', (error) => faults.push(error.message));
  });

  async function openDesk({ page, rows }: NodeRedDesk) {
    await page.goto(`${network.url}/dashboard/desk`);
    await rows.nth(9).waitFor();
  }

  /** Holds back what is asked of the service. */
  const hold = (isHeld: (path: string) => boolean): Gate => gateIn(service, isHeld);
  const isAboutOther = (path: string) => path.includes(`From=${encodeURIComponent(other)}`);

  beforeEach(() => Promise.all([openDesk(anna), openDesk(bob)]));

  test('all calls are counted, and none is hidden', async () => {
    await anna.page.getByText(`1-10 of ${sandbox.calls.length}`).waitFor();
  });

  test('what one does changes nothing for the other', async () => {
    await anna.to.fill(caller);
    const shown = await anna.rows.allTextContents();
    await bob.find(caller);
    await bob.page.getByText(/1-10 of \d\d$/).waitFor();
    await bob.rows.first().click();
    await bob.page.getByRole('dialog').getByText('SID').waitFor();
    await bob.page.screenshot({ path: resolve(pictures, 'call.png'), animations: 'disabled' });
    await bob.page.getByRole('button', { name: 'Write to' }).click();
    await bob.page.waitForFunction(`document.activeElement.matches('textarea')`);
    await bob.page.screenshot({ path: resolve(pictures, 'write.png'), animations: 'disabled' });
    // What reached Bob's window first has reached Anna's when something of hers comes back.
    await anna.message.fill('Hello');
    await anna.send.click();
    await anna.toast(`Message queued to ${caller}`).waitFor();
    expect(sandbox.messages[0]).toMatchObject({ to: caller, body: 'Hello' });
    expect(await anna.rows.allTextContents()).toEqual(shown);
    expect(await anna.page.getByRole('dialog').count()).toBe(0);
    expect(await bob.toast('Message queued').count()).toBe(0);
  });

  test('a slow answer does not replace a later one', async () => {
    const gate = hold(isAboutOther);
    await anna.find(other);
    await gate.holds(1);
    await anna.find(caller);
    await anna.page.getByText(/1-10 of \d\d$/).waitFor();
    await gate.open();
    await anna.to.fill(caller);
    await anna.message.fill('Hello');
    await anna.send.click();
    await anna.toast('Message queued').waitFor();
    const numbers = await anna.rows.locator('td:first-child').allTextContents();
    expect(new Set(numbers)).toEqual(new Set([caller]));
  });

  test('a message that failed is not lost, and one that was sent is gone', async () => {
    expect(await anna.group('Send an SMS').locator('label').allTextContents()).toEqual(
      expect.arrayContaining(['* To', '* Message']),
    );
    await anna.to.fill('+15005550001');
    expect(await anna.send.isDisabled()).toBe(true);
    await anna.message.fill('Typed with care');
    await anna.send.click();
    await anna.toast('(21211)').waitFor();
    await anna.untilFormHolds('+15005550001', 'Typed with care');
    await browser.screenshot('failed');
    await anna.to.fill(caller);
    await anna.send.click();
    await anna.toast(`Message queued to ${caller}`).waitFor();
    expect(sandbox.messages[0]).toMatchObject({ to: caller, body: 'Typed with care' });
    await anna.untilFormHolds('', '');
  });

  test('two clicks send once', async () => {
    const before = sandbox.messages.length;
    await anna.to.fill(caller);
    await anna.message.fill('Only once');
    await anna.send.dblclick();
    await anna.toast(`Message queued to ${caller}`).waitFor();
    await anna.message.fill('Another');
    await anna.to.fill(other);
    await anna.send.click();
    await anna.toast(`Message queued to ${other}`).waitFor();
    expect(sandbox.messages.slice(0, -before).map(({ body }) => body)).toEqual([
      'Another',
      'Only once',
    ]);
  });

  describe('when the connection is lost while a message is sent', () => {
    const body = 'Typed with care';

    /** Anna has sent a message that the service has not answered yet, and has no connection. */
    async function lose(to: string) {
      sandbox.messages.length = 0;
      const gate = hold((path) => path.endsWith('/Messages.json'));
      await anna.to.fill(to);
      await anna.message.fill(body);
      await anna.send.click();
      await gate.holds(1);
      await network.shut();
      await anna.toast('Connection Lost').waitFor();
      return gate;
    }

    afterEach(async () => {
      await network.shut();
      await network.open();
    });

    const sent = () => sandbox.messages.map((message) => [message.to, message.body]);

    test.each([
      ['before she has one again', true],
      ['after she has one again', false],
    ])('she hears that it was sent, %s', async (_, isBefore) => {
      const gate = await lose(caller);
      if (isBefore) await gate.open();
      await network.open();
      await anna.toast('re-established').waitFor();
      if (!isBefore) await gate.open();
      await anna.toast(`Message queued to ${caller}`).waitFor();
      await anna.untilFormHolds('', '');
      expect(sent()).toEqual([[caller, body]]);
      expect(await bob.toast('Message queued').count()).toBe(0);
    });

    test('she has what she typed, and why it was not sent', async () => {
      const gate = await lose('+15005550001');
      await gate.open();
      await network.open();
      await anna.toast('(21211)').waitFor();
      await anna.untilFormHolds('+15005550001', body);
      await anna.to.fill(caller);
      await anna.send.click();
      await anna.toast(`Message queued to ${caller}`).waitFor();
      expect(sent()).toEqual([[caller, body]]);
    });

    test('she has what she typed, and is told to look, where Node-RED was lost, too', async () => {
      const gate = await lose(caller);
      await nodeRed.restart('SIGKILL');
      await gate.open();
      await network.open();
      await anna.page.getByText('it is not known whether this was sent').waitFor();
      await anna.untilFormHolds(caller, body);
      await browser.screenshot('unknown');
      expect(await anna.send.isEnabled()).toBe(true);
    });

    test('she sees what she had asked for when she has one again', async () => {
      await anna.find(caller);
      await anna.page.getByText(/1-10 of \d\d$/).waitFor();
      await network.shut();
      await anna.toast('Connection Lost').waitFor();
      const gate = hold((path) => path.includes(`From=${encodeURIComponent(caller)}`));
      await network.open();
      await gate.holds(1);
      await gate.open();
      await anna.page.getByText(/1-10 of \d\d$/).waitFor();
      const numbers = await anna.rows.locator('td:first-child').allTextContents();
      expect(new Set(numbers)).toEqual(new Set([caller]));
    });

    test('nothing is sent without a connection', async () => {
      await network.shut();
      await anna.toast('Connection Lost').waitFor();
      await anna.to.fill(caller);
      await anna.message.fill(body);
      expect(await anna.send.isDisabled()).toBe(true);
      await network.open();
      await anna.toast('re-established').waitFor();
      sandbox.messages.length = 0;
      await anna.send.click();
      await anna.toast(`Message queued to ${caller}`).waitFor();
      expect(sent()).toEqual([[caller, body]]);
    });
  });

  describe('one who writes to Node-RED as no widget does', () => {
    const socket = "document.querySelector('#app').__vue_app__._context.provides.$socket";
    const write = (widget: string, message: unknown, event = 'widget-action') =>
      bob.page.evaluate(
        `${socket}.emit(${JSON.stringify(event)}, ${JSON.stringify(widget)}, ${JSON.stringify(message)})`,
      );
    const widgets = desk
      .filter(({ type, wires }) => type.startsWith('ui-') && wires)
      .map(({ id }) => id);

    test.each([
      ['nothing but a text', 'x'],
      ['a wish to stop', { stop: true, payload: {} }],
      ['a wish to begin anew', { reset: true, payload: {} }],
      ['a form that is closed', { enabled: false, visible: false, payload: {} }],
    ])('changes nothing for the other: %s', async (_, message) => {
      const gate = hold(isAboutOther);
      await anna.find(other);
      await gate.holds(1);
      await anna.to.fill(caller);
      for (const widget of widgets)
        for (const event of ['widget-action', 'widget-send', 'widget-change'])
          await write(widget, message, event);
      // Node-RED has met all of that when it answers what came later.
      await bob.find(caller);
      await bob.page.getByText(/1-10 of \d\d$/).waitFor();
      await gate.open();
      await anna.rows.first().locator('td:first-child', { hasText: other }).waitFor();
      await anna.message.fill('Hello');
      await anna.send.click();
      await anna.toast(`Message queued to ${caller}`).waitFor();
      expect(await anna.page.locator('.v-snackbar__content').count()).toBe(1);
    });
  });

  test('two clicks record once', async () => {
    const before = sandbox.recordings.length;
    await anna.find(caller);
    await anna.page.getByText(/1-10 of \d\d$/).waitFor();
    await anna.rows.filter({ hasText: 'in-progress' }).click();
    await anna.page.getByRole('button', { name: 'Record this call' }).dblclick();
    await anna.toast('The recording is in-progress').waitFor();
    await anna.page.locator('table.recordings', { hasText: 'in-progress' }).waitFor();
    expect(sandbox.recordings).toHaveLength(before + 1);
  });

  describe('on a phone', () => {
    beforeAll(() => anna.page.setViewportSize({ width: 375, height: 740 }));
    afterAll(() => anna.page.setViewportSize({ width: 1280, height: 900 }));

    test('no column is cut, and a tap shows the call', async () => {
      const cut = await anna.page.evaluate(`
        [...document.querySelectorAll('.v-table__wrapper')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length
      `);
      expect(cut).toBe(0);
      await browser.screenshot('phone');
      const [call] = sandbox.calls;
      await anna.rows.first().click();
      const sid = anna.page.getByText(call?.sid ?? '');
      await sid.waitFor();
      const box = await sid.boundingBox();
      await anna.page.screenshot({
        path: resolve(pictures, 'phone-call.png'),
        animations: 'disabled',
      });
      expect(box?.y).toBeGreaterThan(0);
      expect(box?.y).toBeLessThan(740);
    });
  });

  test('never met an error on the way', () => {
    expect(faults).toEqual([]);
  });
});
