import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { type Gate, gateTo } from '../gate.ts';
import { openSandbox, type Sandbox } from '../open-sandbox.ts';
import { type Browser, openBrowser } from './browser.ts';
import { type NodeRedServer, startNodeRedServer } from './node-red-server.ts';

const root = resolve(__dirname, '../..');
const pictures = resolve(root, 'test/artefacts/node-red-desk');
const caller = '+12025550143';
const other = '+13125550188';

// Two people at the desk of Node-RED's demo, each in a window of their own.
describe("at Node-RED's desk", () => {
  let sandbox: Sandbox;
  let gate: Gate;
  let nodeRed: NodeRedServer;
  let browser: Browser;
  let anna: Page;
  let bob: Page;
  const faults: string[] = [];

  beforeAll(async () => {
    sandbox = await openSandbox({ now: new Date('2026-11-20T15:42:00Z') });
    gate = await gateTo(sandbox.url, (path) => path.includes(`From=${encodeURIComponent(other)}`));
    const { username, password } = sandbox;
    const account = JSON.stringify({ username, password, baseUrl: gate.url });
    const options = [
      ...['--module', resolve(root, 'dist/node-red')],
      ...['--flow', resolve(root, 'demo/node-red/desk.json')],
    ];
    [nodeRed, browser] = await Promise.all([
      startNodeRedServer(options, { PLUGIN_CONFIGURATION: account }),
      openBrowser('node-red-desk'),
    ]);
    anna = browser.page;
    bob = await anna.context().newPage();
    for (const page of [anna, bob]) {
      page.on('pageerror', (error) => faults.push(error.message));
    }
  });
  async function openDesk(page: Page) {
    await page.goto(`${nodeRed.url}/dashboard/desk`);
    await rows(page).nth(9).waitFor();
  }
  const group = (page: Page, title: string) =>
    page.locator('.nrdb-ui-group', { hasText: title }).first();
  const rows = (page: Page) => group(page, 'Calls').locator('tbody tr');
  const to = (page: Page) => group(page, 'Send an SMS').locator('input').first();
  const message = (page: Page) => group(page, 'Send an SMS').locator('textarea').first();
  const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
  const toast = (page: Page, text: string) =>
    page.locator('.v-snackbar__content', { hasText: text });

  async function find(page: Page, number: string) {
    await page.getByLabel('From').first().fill(number);
    await page.getByLabel('From').first().press('Enter');
  }

  beforeEach(() => Promise.all([openDesk(anna), openDesk(bob)]));

  test('all calls are counted, and none is hidden', async () => {
    await anna.getByText(`1-10 of ${sandbox.calls.length}`).waitFor();
  });

  test('what one does changes nothing for the other', async () => {
    await to(anna).fill(caller);
    const shown = await rows(anna).allTextContents();
    await find(bob, caller);
    await bob.getByText(/1-10 of \d\d$/).waitFor();
    await rows(bob).first().click();
    await bob.getByRole('dialog').getByText('SID').waitFor();
    await bob.screenshot({ path: resolve(pictures, 'call.png'), animations: 'disabled' });
    await bob.getByRole('button', { name: 'Write to' }).click();
    await bob.waitForFunction(`document.activeElement.matches('textarea')`);
    await bob.screenshot({ path: resolve(pictures, 'write.png'), animations: 'disabled' });
    // What reached Bob's window first has reached Anna's when something of hers comes back.
    await message(anna).fill('Hello');
    await send(anna).click();
    await toast(anna, `Message queued to ${caller}`).waitFor();
    expect(sandbox.messages[0]).toMatchObject({ to: caller, body: 'Hello' });
    expect(await rows(anna).allTextContents()).toEqual(shown);
    expect(await anna.getByRole('dialog').count()).toBe(0);
    expect(await toast(bob, 'Message queued').count()).toBe(0);
  });

  test('a slow answer does not replace a later one', async () => {
    await find(anna, other);
    await gate.holds(1);
    await find(anna, caller);
    await anna.getByText(/1-10 of \d\d$/).waitFor();
    await gate.open();
    await to(anna).fill(caller);
    await message(anna).fill('Hello');
    await send(anna).click();
    await toast(anna, 'Message queued').waitFor();
    const numbers = await rows(anna).locator('td:first-child').allTextContents();
    expect(new Set(numbers)).toEqual(new Set([caller]));
  });

  test('a message that failed is not lost, and one that was sent is gone', async () => {
    expect(await group(anna, 'Send an SMS').locator('label').allTextContents()).toEqual(
      expect.arrayContaining(['* To', '* Message']),
    );
    await to(anna).fill('+15005550001');
    expect(await send(anna).isDisabled()).toBe(true);
    await message(anna).fill('Typed with care');
    await send(anna).click();
    await toast(anna, '(21211)').waitFor();
    expect([await to(anna).inputValue(), await message(anna).inputValue()]).toEqual([
      '+15005550001',
      'Typed with care',
    ]);
    await browser.screenshot('failed');
    await to(anna).fill(caller);
    await send(anna).click();
    await toast(anna, `Message queued to ${caller}`).waitFor();
    expect(sandbox.messages[0]).toMatchObject({ to: caller, body: 'Typed with care' });
    expect([await to(anna).inputValue(), await message(anna).inputValue()]).toEqual(['', '']);
  });

  test('two clicks send once', async () => {
    const before = sandbox.messages.length;
    await to(anna).fill(caller);
    await message(anna).fill('Only once');
    await send(anna).dblclick();
    await toast(anna, `Message queued to ${caller}`).waitFor();
    await message(anna).fill('Another');
    await to(anna).fill(other);
    await send(anna).click();
    await toast(anna, `Message queued to ${other}`).waitFor();
    expect(sandbox.messages.slice(0, -before).map(({ body }) => body)).toEqual([
      'Another',
      'Only once',
    ]);
  });

  test('two clicks record once', async () => {
    const before = sandbox.recordings.length;
    await find(anna, caller);
    await anna.getByText(/1-10 of \d\d$/).waitFor();
    await rows(anna).filter({ hasText: 'in-progress' }).click();
    await anna.getByRole('button', { name: 'Record this call' }).dblclick();
    await toast(anna, 'The recording is in-progress').waitFor();
    await anna.locator('table.recordings', { hasText: 'in-progress' }).waitFor();
    expect(sandbox.recordings).toHaveLength(before + 1);
  });

  describe('on a phone', () => {
    beforeAll(() => anna.setViewportSize({ width: 375, height: 740 }));
    afterAll(() => anna.setViewportSize({ width: 1280, height: 900 }));

    test('no column is cut, and a tap shows the call', async () => {
      const cut = await anna.evaluate(`
        [...document.querySelectorAll('.v-table__wrapper')]
          .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length
      `);
      expect(cut).toBe(0);
      await browser.screenshot('phone');
      const [call] = sandbox.calls;
      await rows(anna).first().click();
      const sid = anna.getByText(call?.sid ?? '');
      await sid.waitFor();
      const box = await sid.boundingBox();
      await anna.screenshot({ path: resolve(pictures, 'phone-call.png'), animations: 'disabled' });
      expect(box?.y).toBeGreaterThan(0);
      expect(box?.y).toBeLessThan(740);
    });
  });

  test('never met an error on the way', () => {
    expect(faults).toEqual([]);
  });
});
