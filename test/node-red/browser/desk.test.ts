import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import desk from '../../../demo/node-red/desk.json';
import type { Call, Message } from '../../../demo/sandbox/index.ts';
import { dateText } from '../../../demo/sandbox/records.ts';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { type Gate, gateIn } from '../../support/gate.ts';
import { makeHostile, watchForHostility } from '../../support/hostile.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { proxyTo, type ReverseProxy } from '../../support/reverse-proxy.ts';
import { root } from '../../support/root.ts';
import { until } from '../../support/until.ts';
import { deskIn, type NodeRedDesk } from '../node-red-desk.ts';
import { type NodeRedServer, startNodeRedServer } from '../node-red-server.ts';

const pictures = resolve(root, 'test/artefacts/node-red-desk');
const caller = '+12025550143';
const other = '+13125550188';
const socket = "document.querySelector('#app').__vue_app__._context.provides.$socket";
const now = new Date('2026-11-20T15:42:00Z');
const own = '+14155550100';

// Two people at the desk of Node-RED's demo, each in their own window.
describe("at Node-RED's desk", () => {
  let sandbox: Sandbox;
  let service: ReverseProxy;
  let nodeRed: NodeRedServer;
  let network: ReverseProxy;
  let browser: Browser;
  let anna: NodeRedDesk;
  let bob: NodeRedDesk;
  const faults: string[] = [];

  beforeAll(async () => {
    sandbox = await openSandbox({ now });
    service = await proxyTo(sandbox.url);
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
    network = await proxyTo(nodeRed.url);
    anna = deskIn(browser.page);
    bob = deskIn(await browser.page.context().newPage());
    for (const { page } of [anna, bob]) page.on('pageerror', (error) => faults.push(error.message));
  });

  async function openDesk({ page, rows }: NodeRedDesk) {
    await page.goto(`${network.url}/dashboard/desk`);
    await rows.nth(9).waitFor();
  }

  /** Holds back requests to the service. */
  const hold = (isHeld: (path: string) => boolean): Gate => gateIn(service, isHeld);
  const isAboutOther = (path: string) => path.includes(`From=${encodeURIComponent(other)}`);

  // A page takes two seconds to load: only tests that need Bob open his.
  beforeEach(() => openDesk(anna));

  test('the table shows the number of calls and sorts durations by length, and one status finds all missed calls', async () => {
    await anna.page.getByText(`1-10 of ${sandbox.calls.length}`).waitFor();
    const durations = anna.rows.locator('td:last-child');
    const isDuration = (text: string | null) => /^\d\d+:[0-5]\d$/.test(text ?? '');
    const shown = await durations.allTextContents();
    const calls = sandbox.calls.slice(0, 10).map(({ duration }) => duration);
    const text = (seconds: number) => new Date(seconds * 1_000).toISOString().slice(14, 19);
    expect(shown).toEqual(
      calls.map((duration) => (duration === null ? '' : text(Number(duration)))),
    );
    await anna.group('Calls').getByText('Duration').dblclick();
    await until(async () => isDuration(await durations.first().textContent()));
    const longest = await durations.allTextContents();
    const all = sandbox.calls
      .map(({ duration }) => Number(duration))
      .sort((one, other) => other - one);
    expect(longest).toEqual(all.slice(0, 10).map(text));
    const isMissed = /^(busy|failed|no-answer)$/;
    const missed = sandbox.calls.filter(({ status }) => isMissed.test(status));
    await anna.group('Calls').locator('.v-select').first().click();
    await anna.page.getByRole('option', { name: 'missed' }).click();
    await anna.page.getByRole('button', { name: 'Find' }).click();
    await anna.page.getByText(`1-10 of ${missed.length}`).waitFor();
    const statuses = await anna.rows.locator('td:nth-child(2)').allTextContents();
    // They are still sorted by length.
    expect(statuses).toEqual(statuses.filter((status) => isMissed.test(status)));
  });

  test('the actions of one visitor do not affect another', async () => {
    await openDesk(bob);
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
    // Bob's window got its events before Anna's gets this one.
    await anna.message.fill('Hello');
    await anna.send.click();
    await anna.toast(`Message to ${caller} queued`).waitFor();
    expect(sandbox.messages[0]).toMatchObject({ to: caller, body: 'Hello' });
    expect(await anna.rows.allTextContents()).toEqual(shown);
    expect(await anna.page.getByRole('dialog').count()).toBe(0);
    expect(await bob.toast('Message to').count()).toBe(0);
  });

  test('a slow response does not replace a later one', async () => {
    const gate = hold(isAboutOther);
    await anna.find(other);
    await gate.holds(1);
    await anna.find(caller);
    await anna.page.getByText(/1-10 of \d\d$/).waitFor();
    await gate.open();
    await anna.to.fill(caller);
    await anna.message.fill('Hello');
    await anna.send.click();
    await anna.toast(`Message to ${caller} queued`).waitFor();
    const numbers = await anna.rows.locator('td:first-child').allTextContents();
    expect(new Set(numbers)).toEqual(new Set([caller]));
  });

  test('the search for a number without a country code says so, and the next one does not', async () => {
    const hint = anna.page.getByText('which has no country code', { exact: false });
    await anna.find('(202) 555-0143');
    await hint.waitFor();
    await anna.find('+19995550000');
    await hint.waitFor({ state: 'detached' });
    await anna.group('Calls').getByText('No data available').waitFor();
  });

  test('the form keeps a message that failed and clears one that was sent', async () => {
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
    await anna.toast(`Message to ${caller} queued`).waitFor();
    expect(sandbox.messages[0]).toMatchObject({ to: caller, body: 'Typed with care' });
    await anna.untilFormHolds('', '');
  });

  test('a double click sends one message', async () => {
    const before = sandbox.messages.length;
    await anna.to.fill(caller);
    await anna.message.fill('Only once');
    await anna.send.dblclick();
    await anna.toast(`Message to ${caller} queued`).waitFor();
    await anna.untilFormHolds('', '');
    await anna.message.fill('Another');
    await anna.to.fill(other);
    await anna.send.click();
    await anna.toast(`Message to ${other} queued`).waitFor();
    expect(sandbox.messages.slice(0, -before).map(({ body }) => body)).toEqual([
      'Another',
      'Only once',
    ]);
  });

  describe('in the dialog of a call', () => {
    let plain: Message;

    beforeAll(() => {
      const [message] = sandbox.messages;
      if (!message) throw new Error('The sandbox has no message.');
      plain = {
        ...message,
        from: own,
        to: own,
        direction: 'outbound-api',
        status: 'delivered',
        error_code: null,
      };
    });

    afterEach(() => hold(() => false));

    /** Replaces the service's messages. Each was created a minute before the one above it. */
    function hasMessages(all: Partial<Record<keyof Message, string | number | null>>[]) {
      const stored = all.map((facts, index) => {
        const date = dateText(new Date(Date.UTC(2026, 10, 20, 15, 40 - index)));
        const dates = { date_created: date, date_sent: date };
        const sid = `SM${String(index).padStart(32, '0')}`;
        return Object.assign({}, plain, dates, { sid }, facts);
      });
      sandbox.messages.splice(0, sandbox.messages.length, ...stored);
    }

    const isAboutMessages = (path: string) => path.includes('/Messages.json?');

    const openCall = (desk: NodeRedDesk, call: Call) =>
      desk.rows.nth(sandbox.calls.indexOf(call)).click();

    /** A call among those shown first. */
    function callWith(number: string): Call {
      const call = sandbox.calls.slice(0, 10).find(({ from, to }) => [from, to].includes(number));
      if (!call) throw new Error(`There is no call with ${number}.`);
      return call;
    }

    /** Each message: its direction, time and status, its text, and why it did not arrive. */
    const lines = async ({ conversation }: NodeRedDesk) => {
      const items = await conversation.locator('li').all();
      return Promise.all(
        items.map(async (item) => [
          ...(await item.locator('.about > *').allTextContents()),
          await item.locator('.text').textContent(),
          ...(await item.locator('.reason').allTextContents()),
        ]),
      );
    };
    const texts = ({ conversation }: NodeRedDesk) =>
      conversation.locator('.text').allTextContents();

    test.each(['inbound', 'outbound-api'])(
      'an %s call lists the messages with the other party',
      async (direction) => {
        const call = sandbox.calls.slice(0, 10).find((one) => one.direction === direction);
        if (!call) throw new Error(`No call is ${direction}.`);
        const number = direction === 'inbound' ? call.from : call.to;
        const inbound = { from: number, direction: 'inbound', status: 'received' };
        const waiting = { status: 'queued', date_sent: null, date_created: dateText(now) };
        const failed = { status: 'failed', error_code: 99, error_message: 'Too late' };
        hasMessages([
          { to: number, body: 'Waits', ...waiting },
          { ...inbound, body: 'Line 1\nLine 2' },
          { to: number, body: 'By another number', from: '+14155550199' },
          { to: '+12125550100', body: 'To somebody else' },
          { to: number, body: 'In vain', status: 'undelivered', error_code: 30004 },
          { ...inbound, body: 'Hello' },
          { to: number, body: 'No', ...failed },
        ]);
        await openCall(anna, call);
        await anna.conversation.getByText('Too late').waitFor();
        await anna.conversation.scrollIntoViewIfNeeded();
        await browser.screenshot(`conversation-${direction}`);
        expect(await anna.conversation.getByRole('heading').textContent()).toBe(
          `Messages with ${number}`,
        );
        const at = (minute: number) => `11/20/2026, 3:${minute}:00 PM`;
        expect(await lines(anna)).toEqual([
          ['Sent', at(42), 'queued', 'Waits'],
          ['Received', at(39), 'received', 'Line 1\nLine 2'],
          ['Sent', at(38), 'delivered', 'By another number'],
          [
            ...['Sent', at(36), 'undelivered', 'In vain'],
            'The recipient or their carrier blocks messages from you. (30004)',
          ],
          ['Received', at(35), 'received', 'Hello'],
          ['Sent', at(34), 'failed', 'No', 'Too late (99)'],
        ]);
        expect(await anna.conversation.getByText('newest').count()).toBe(0);
      },
    );

    test('the newest messages are listed without gaps', async () => {
      const call = callWith(caller);
      const [hers, ours] = [{ from: caller, direction: 'inbound' }, { to: caller }];
      hasMessages(
        Array.from({ length: 44 }, (_, index) => ({
          ...(index === 1 || index > 22 ? ours : hers),
          body: `${index}`,
        })),
      );
      await openCall(anna, call);
      await anna.conversation.getByText('These are the newest 21 messages.').waitFor();
      expect(await texts(anna)).toEqual(Array.from({ length: 21 }, (_, index) => `${index}`));
    });

    test('each visitor sees the messages of their own call', async () => {
      await openDesk(bob);
      hasMessages([
        { to: caller, body: 'For one' },
        { to: other, body: 'For the other' },
      ]);
      const gate = hold(isAboutMessages);
      await openCall(anna, callWith(caller));
      await openCall(bob, callWith(other));
      await gate.holds(2);
      for (const { conversation } of [anna, bob])
        await conversation.getByText('Not read yet').waitFor();
      await gate.open();
      await bob.conversation.getByText('For the other').waitFor();
      await anna.conversation.getByText('For one').waitFor();
      expect([await texts(anna), await texts(bob)]).toEqual([['For one'], ['For the other']]);
    });

    test('a slow response does not replace the later messages of another call or the same call', async () => {
      for (const later of [other, caller]) {
        let isFirst = true;
        const gate = hold((path) => {
          const isHeld = isFirst && isAboutMessages(path);
          isFirst &&= !isHeld;
          return isHeld;
        });
        hasMessages([{ to: later, body: 'Of later' }]);
        await openCall(anna, callWith(caller));
        await gate.holds(1);
        await anna.page.getByRole('button', { name: 'Close' }).click();
        await anna.page.getByRole('dialog').waitFor({ state: 'detached' });
        await openCall(anna, callWith(later));
        await anna.conversation.getByText('Of later').waitFor();
        hasMessages([{ to: caller, body: 'Of before' }]);
        await anna.page.evaluate(`
          if (window.late === undefined)
            ${socket}.onAny((_event, message) => (window.late += message?.topic === 'conversation'));
          window.late = 0;
        `);
        await gate.open();
        await anna.page.waitForFunction('window.late === 1');
        expect(await texts(anna)).toEqual(['Of later']);
        await anna.page.getByRole('button', { name: 'Close' }).click();
        await anna.page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    });

    test('the response to another request does not allow a second recording', async () => {
      hasMessages([{ to: caller, body: 'Something else' }]);
      const before = sandbox.recordings.slice();
      const messages = hold(isAboutMessages);
      const { handler } = service;
      const start = hold((path) => path.endsWith('/Recordings.json'));
      const { handler: handlerOfStart } = service;
      service.handler = (from, to, forward) =>
        handler?.(from, to, () => handlerOfStart?.(from, to, forward));
      await openCall(anna, callWith(caller));
      await messages.holds(1);
      const record = anna.page.getByRole('button', { name: 'Record this call' });
      await record.click();
      await start.holds(1);
      await messages.open();
      await anna.conversation.getByText('Something else').waitFor();
      expect(await record.isDisabled()).toBe(true);
      await start.open();
      await anna.toast('Recording status: ').waitFor();
      await anna.page.waitForFunction('button => !button.disabled', await record.elementHandle());
      expect(sandbox.recordings).toHaveLength(before.length + 1);
      sandbox.recordings.splice(0, sandbox.recordings.length, ...before);
    });

    test('reopening a call while its recording starts does not allow a second recording', async () => {
      const before = sandbox.recordings.slice();
      const [call, another] = [callWith(caller), callWith(other)];
      const wasBefore = { ...another };
      Object.assign(another, { status: 'in-progress' });
      const ofCall = hold((path) => path.endsWith(`/${call.sid}/Recordings.json`));
      const { handler: handlerOfCall } = service;
      const ofAnother = hold((path) => path.endsWith(`/${another.sid}/Recordings.json`));
      const { handler: handlerOfAnother } = service;
      service.handler = (from, to, forward) =>
        handlerOfCall?.(from, to, () => handlerOfAnother?.(from, to, forward));
      const record = anna.page.getByRole('button', { name: 'Record this call' });
      const close = async () => {
        await anna.page.getByRole('dialog').getByLabel('Close').click();
        await anna.page.getByRole('dialog').waitFor({ state: 'detached' });
      };
      await openCall(anna, call);
      await record.click();
      await ofCall.holds(1);
      await close();
      await openCall(anna, another);
      await record.click();
      await ofAnother.holds(1);
      await ofCall.open();
      await anna.toast('Recording status: ').waitFor();
      // Only the outcome of the call's recording enables another one.
      expect(await record.isDisabled()).toBe(true);
      await close();
      await openCall(anna, another);
      await anna.page.getByText('Not read yet').waitFor({ state: 'detached' });
      expect(await record.isDisabled()).toBe(true);
      await ofAnother.open();
      await anna.page.waitForFunction('button => !button.disabled', await record.elementHandle());
      expect(sandbox.recordings).toHaveLength(before.length + 2);
      sandbox.recordings.splice(0, sandbox.recordings.length, ...before);
      Object.assign(another, wasBefore);
    });

    test('only the visitor who opened the call sees why its messages cannot be read', async () => {
      await openDesk(bob);
      service.handler = (from, to, forward) => {
        if (!isAboutMessages(from.url ?? '')) return forward();
        to.writeHead(400, { 'content-type': 'application/json' });
        to.end('{ "code": 1, "message": "No messages today" }');
      };
      await openCall(anna, callWith(caller));
      await anna.toast('No messages today').waitFor();
      await anna.conversation.getByText('Not read yet').waitFor();
      await bob.find(caller);
      await bob.page.getByText(/1-10 of \d\d$/).waitFor();
      expect(await bob.toast('No messages today').count()).toBe(0);
    });

    test('a call without a number requests no messages', async () => {
      await openDesk(bob);
      const call = callWith(caller);
      for (const from of ['anonymous', '*']) {
        const before = { ...call };
        Object.assign(call, { from, direction: 'inbound' });
        sandbox.requests.length = 0;
        const gate = hold((path) => path.includes('/Recordings.json'));
        await openCall(anna, call);
        await gate.holds(1);
        Object.assign(call, before);
        // Node-RED has started requests of the same moment when it responds to a later one.
        await bob.find(caller);
        await bob.page.getByText(/1-10 of \d\d$/).waitFor();
        await gate.open();
        expect(await anna.conversation.count()).toBe(0);
        expect(sandbox.requests.filter(({ path }) => path.includes('/Messages'))).toEqual([]);
        await anna.page.getByRole('button', { name: 'Close' }).click();
        await anna.page.getByRole('dialog').waitFor({ state: 'detached' });
      }
    });

    test('markup and scripts in messages do not run', async () => {
      const watch = await watchForHostility(anna.page);
      hasMessages(Array.from({ length: 16 }, (_, index) => ({ body: `${index}`, to: caller })));
      makeHostile(sandbox.messages, ['to', 'date_created', 'date_sent']);
      await openCall(anna, callWith(caller));
      await anna.conversation.locator('li').nth(15).waitFor();
      expect(await lines(anna)).toEqual(
        sandbox.messages.map(({ status, body, error_code, error_message }) => [
          ...['Sent', expect.any(String), status, body],
          `${error_message} (${error_code})`,
        ]),
      );
      expect({ found: await watch.found(), ran: watch.ran }).toEqual({ found: [], ran: [] });
    });
  });

  describe('when the connection is lost', () => {
    const body = 'Typed with care';

    /** Anna has sent a message that the service has not responded to, and loses the connection. */
    async function lose(to: string) {
      sandbox.messages.length = 0;
      const gate = hold((path) => path.endsWith('/Messages.json'));
      await anna.to.fill(to);
      await anna.message.fill(body);
      await anna.send.click();
      await gate.holds(1);
      await network.stop();
      await anna.toast('Connection Lost').waitFor();
      return gate;
    }

    afterEach(async () => {
      await network.stop();
      await network.open();
    });

    const sent = () => sandbox.messages.map((message) => [message.to, message.body]);

    test.each([
      ['before the connection returns', true],
      ['after the connection returns', false],
    ])('the visitor sees that a message was sent if the response comes %s', async (_, isBefore) => {
      await openDesk(bob);
      const gate = await lose(caller);
      if (isBefore) await gate.open();
      await network.open();
      await anna.toast('re-established').waitFor();
      if (!isBefore) await gate.open();
      await anna.toast(`Message to ${caller} queued`).waitFor();
      await anna.untilFormHolds('', '');
      expect(sent()).toEqual([[caller, body]]);
      expect(await bob.toast('Message to').count()).toBe(0);
    });

    test('the visitor keeps a message that failed and sees why', async () => {
      const gate = await lose('+15005550001');
      await gate.open();
      await network.open();
      await anna.toast('(21211)').waitFor();
      await anna.untilFormHolds('+15005550001', body);
      await anna.to.fill(caller);
      await anna.send.click();
      await anna.toast(`Message to ${caller} queued`).waitFor();
      expect(sent()).toEqual([[caller, body]]);
    });

    test('the visitor keeps a message whose outcome is unknown after Node-RED crashed', async () => {
      const gate = await lose(caller);
      await nodeRed.restart('SIGKILL');
      await gate.open();
      await network.open();
      await anna.page.getByText('the outcome is unknown').waitFor();
      await anna.untilFormHolds(caller, body);
      await browser.screenshot('unknown');
      expect(await anna.send.isEnabled()).toBe(true);
    });

    test('the visitor sees the search result again after reconnecting', async () => {
      await anna.find(caller);
      await anna.page.getByText(/1-10 of \d\d$/).waitFor();
      await network.stop();
      await anna.toast('Connection Lost').waitFor();
      const gate = hold((path) => path.includes(`From=${encodeURIComponent(caller)}`));
      await network.open();
      await gate.holds(1);
      await gate.open();
      await anna.page.getByText(/1-10 of \d\d$/).waitFor();
      // Dashboard redraws the page in between, with an empty table first.
      const shown = () => anna.rows.locator('td:first-child').allTextContents();
      await until(async () =>
        isDeepStrictEqual(
          await shown(),
          Array.from({ length: 10 }, () => caller),
        ),
      );
    });

    test('the visitor can send nothing until the connection returns', async () => {
      await network.stop();
      await anna.toast('Connection Lost').waitFor();
      await anna.to.fill(caller);
      await anna.message.fill(body);
      expect(await anna.send.isDisabled()).toBe(true);
      await network.open();
      await anna.toast('re-established').waitFor();
      sandbox.messages.length = 0;
      await anna.send.click();
      await anna.toast(`Message to ${caller} queued`).waitFor();
      expect(sent()).toEqual([[caller, body]]);
    });
  });

  test('a visitor who sends crafted messages to Node-RED does not affect another', async () => {
    await openDesk(bob);
    const widgets = desk
      .filter(({ type, wires }) => type.startsWith('ui-') && wires)
      .map(({ id }) => id);
    const messages = [
      'x',
      { stop: true, payload: {} },
      { reset: true, payload: {} },
      { enabled: false, visible: false, payload: {} },
    ];
    const gate = hold(isAboutOther);
    await anna.find(other);
    await gate.holds(1);
    await anna.to.fill(caller);
    for (const message of messages)
      for (const widget of widgets)
        for (const event of ['widget-action', 'widget-send', 'widget-change'])
          await bob.page.evaluate(
            `${socket}.emit(${[event, widget, message].map((one) => JSON.stringify(one))})`,
          );
    // Node-RED has handled all of that when it responds to a later message.
    await bob.find(caller);
    await bob.page.getByText(/1-10 of \d\d$/).waitFor();
    await gate.open();
    await anna.rows.first().locator('td:first-child', { hasText: other }).waitFor();
    await anna.message.fill('Hello');
    await anna.send.click();
    await anna.toast(`Message to ${caller} queued`).waitFor();
    expect(await anna.page.locator('.v-snackbar__content').count()).toBe(1);
  });

  test('a double click starts one recording, another one stops it once, and the call can be recorded again', async () => {
    const before = sandbox.recordings.length;
    await anna.find(caller);
    await anna.page.getByText(/1-10 of \d\d$/).waitFor();
    await anna.rows.filter({ hasText: 'in-progress' }).click();
    await anna.page.getByRole('button', { name: 'Record this call' }).dblclick();
    await anna.toast('Recording status: in-progress').waitFor();
    const row = anna.page.locator('table.recordings tr', { hasText: 'in-progress' });
    await row.waitFor();
    expect(sandbox.recordings).toHaveLength(before + 1);
    const [recording] = sandbox.recordings;
    await browser.screenshot('recording');
    sandbox.requests.length = 0;
    await row.getByRole('button', { name: 'Stop' }).dblclick();
    await anna.toast('Recording status: stopped').waitFor();
    await row.waitFor({ state: 'detached' });
    const posted = sandbox.requests.filter(({ method }) => method === 'POST');
    expect(posted.map(({ path, body }) => [path.split('/').at(-1), body])).toEqual([
      [`${recording?.sid}.json`, 'Status=stopped'],
    ]);
    expect(await anna.page.getByRole('button', { name: 'Record this call' }).isEnabled()).toBe(
      true,
    );
  });

  test('the visitor sees why a recording cannot be stopped, and can try again', async () => {
    await anna.find(caller);
    await anna.page.getByText(/1-10 of \d\d$/).waitFor();
    await anna.rows.filter({ hasText: 'in-progress' }).click();
    await anna.page.getByRole('button', { name: 'Record this call' }).click();
    const stop = anna.page.getByRole('button', { name: 'Stop' });
    await stop.waitFor();
    Object.assign(sandbox.recordings[0] ?? {}, { status: 'completed' });
    await stop.click();
    await anna.toast('(21220)').waitFor();
    await anna.page.waitForFunction('button => !button.disabled', await stop.elementHandle());
  });

  describe('on a phone', () => {
    beforeAll(() => anna.page.setViewportSize({ width: 375, height: 740 }));
    afterAll(() => anna.page.setViewportSize({ width: 1280, height: 900 }));

    test('no column is cut off, and a tap opens the call', async () => {
      const cut = await anna.page.evaluate(`
        [...document.querySelectorAll('.v-table__wrapper')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length
      `);
      expect(cut).toBe(0);
      await browser.screenshot('phone');
      const [call] = sandbox.calls;
      sandbox.receiveMessage({ from: call?.to ?? '', to: own, body: 'long'.repeat(100) });
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
      await anna.conversation.locator('li').first().scrollIntoViewIfNeeded();
      await browser.screenshot('phone-conversation');
      const width = await anna.page.evaluate(`{
        const { scrollWidth, clientWidth } = document.querySelector('[role=dialog] .v-card-text');
        scrollWidth - clientWidth;
      }`);
      expect(width).toBe(0);
    });
  });

  test('no page threw an error during these tests', () => {
    expect(faults).toEqual([]);
  });
});
