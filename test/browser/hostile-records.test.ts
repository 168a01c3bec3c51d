import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../temporary-folder.ts';
import { builders, type Desk, openDesk, places } from './desk.ts';
import { type HostilityWatch, makeHostile, payloads, watchForHostility } from './hostile.ts';
import { demoDesk } from './open-saltcorn.ts';
import { builderIn } from './saltcorn-builder.ts';

const encoded = encodeURIComponent;
const customers = payloads.map((name, index) => ({
  name,
  phone: payloads[(index + 1) % payloads.length] ?? '',
}));

const pages = [...places, ...customers.map((_, index) => `/view/Customer?id=${index + 1}`)];

// A caller writes some of what an account's records hold, and whoever answers for the service all of it.
describe('at a desk whose records hold code, an administrator', () => {
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

  test.each(pages)('opens %s, where nothing of it runs', async (place) => {
    await desk.go(place);
    await isSafe(place);
  });

  test.each(payloads)('filters by %s, which does not run', async (text) => {
    for (const place of ['/', '/page/recordings']) {
      await desk.go(`${place}?from=${encoded(text)}&status=${encoded(text)}`);
      await isSafe(place);
    }
  });

  test('reads it as text in the list of calls', async () => {
    await desk.go('/');
    await desk.browser.screenshot('calls');
    const cells = await desk.rows('Calls').locator('td:first-child').allTextContents();
    expect(cells).toEqual(desk.sandbox.calls.slice(0, 20).map(({ from }) => from));
  });

  test('reads it as text on the page of a call', async () => {
    const { page, screenshot } = desk.browser;
    for (const call of desk.sandbox.calls.slice(0, payloads.length)) {
      await desk.go(`/view/Call?sid=${call.sid}`);
      expect(await page.locator('h1').textContent()).toBe(`Call from ${call.from}`);
      const details = (await desk.card('Call').first().textContent()) ?? '';
      const { status, direction, from, to, caller_name, forwarded_from, answered_by } = call;
      for (const text of [status, direction, from, to, caller_name, forwarded_from, answered_by])
        expect(details).toContain(text);
      await isSafe(`call ${call.from}`);
    }
    await screenshot('call');
  });

  test('reads it as text on the page of a customer', async () => {
    const { page } = desk.browser;
    await desk.go('/view/Customer?id=2');
    expect(await page.locator('h1').textContent()).toBe(customers[1]?.name);
  });

  test('chooses a status among those that there are', async () => {
    await desk.go('/');
    const [statuses] = await desk.card('Calls').locator('select').all();
    expect(await statuses?.locator('option').allTextContents()).toEqual(
      ['Any status', 'busy', 'canceled', 'completed', 'failed', 'in-progress'].concat([
        'no-answer',
        'queued',
        'ringing',
      ]),
    );
  });

  test('types it into a form, and reads in a message what is wrong', async () => {
    const { page, screenshot } = desk.browser;
    for (const text of payloads) {
      await desk.go('/');
      await desk.sendSms({ to: text, body: text });
      await page.locator('#toasts-area .toast-body').last().waitFor();
      await isSafe(`toast for ${text}`);
    }
    await screenshot('form');
  });

  test.each(builders)('opens the builder at %s, where nothing of it runs', async (place) => {
    await builderIn(desk).open(place);
    await isSafe(place);
  });
});
