import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type HostilityWatch,
  makeHostile,
  payloads,
  watchForHostility,
} from '../../support/hostile.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { deskPaths } from '../installed-desk.ts';
import { demoDesk } from '../open-saltcorn.ts';
import { type Desk, openDesk } from './desk.ts';
import { builderIn } from './saltcorn-builder.ts';

const encoded = encodeURIComponent;
const customers = payloads.map((name, index) => ({
  name,
  phone: payloads[(index + 1) % payloads.length] ?? '',
}));

const all = payloads.join(' ');

// A caller controls some values of an account's records, and a hostile service all of them.
// Each payload on each page of a record, in each filter, toast and preview: process/hostile-records.test.ts.
describe('at a desk whose records contain code, an administrator', () => {
  let desk: Desk;
  let watch: HostilityWatch;

  beforeAll(async () => {
    const file = join(temporaryFolder('hostile'), 'customers.json');
    writeFileSync(file, JSON.stringify(customers));
    desk = await openDesk('hostile-records', {}, { ...demoDesk, customers: file });
    const { calls, recordings, messages } = desk.sandbox;
    makeHostile(calls.slice(0, payloads.length), ['sid']);
    makeHostile(calls.slice(payloads.length), []);
    makeHostile(recordings.slice(0, payloads.length), ['sid', 'status', 'call_sid']);
    for (const recording of recordings.slice(0, payloads.length))
      recording.call_sid = calls[0]?.sid ?? '';
    makeHostile(recordings.slice(payloads.length), []);
    makeHostile(messages);
    watch = await watchForHostility(desk.browser.page);
    await desk.logIn();
  });

  async function isSafe(place: string) {
    const [found, ran] = [await watch.found(), watch.ran.splice(0)];
    expect({ place, found, ran }).toEqual({ place, found: [], ran: [] });
  }

  test('opens every page, and no code runs', async () => {
    for (const path of [...deskPaths, '/view/Customer?id=1']) {
      await desk.go(path);
      await isSafe(path);
    }
  });

  test('filters by code, which does not run', async () => {
    for (const path of ['/', '/page/recordings']) {
      await desk.go(`${path}?from=${encoded(all)}&status=${encoded(all)}`);
      await isSafe(path);
    }
  });

  test('sees the code as text in the list of calls', async () => {
    await desk.go('/');
    await desk.browser.screenshot('calls');
    const cells = await desk.rows('Calls').locator('td:first-child').allTextContents();
    expect(cells).toEqual(desk.sandbox.calls.slice(0, 20).map(({ from }) => from));
  });

  test('sees the code as text on the page of a call', async () => {
    const { page, screenshot } = desk.browser;
    const [call] = desk.sandbox.calls;
    await desk.go(`/view/Call?sid=${call?.sid}`);
    await screenshot('call');
    expect(await page.locator('h1').textContent()).toBe(`Call from ${call?.from}`);
    await isSafe('the page of a call');
  });

  test('types the code into a form, and none of it runs in the error message', async () => {
    const { page, screenshot } = desk.browser;
    await desk.go('/');
    await desk.sendSms({ to: all, body: all });
    await page.locator('#toasts-area .toast-body').last().waitFor();
    await isSafe('toast');
    await screenshot('form');
  });

  test('opens a builder, and no code runs', async () => {
    const path = '/viewedit/config/List%20of%20calls';
    await builderIn(desk).open(path);
    await isSafe(path);
  });
});
