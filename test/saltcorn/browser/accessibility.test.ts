import { barriers } from '../../support/accessibility.ts';
import { caller } from '../../support/of-caller.ts';
import { type Desk, openDesk } from './desk.ts';

const windows: [where: string, width: number][] = [
  ['in a window with a scroll bar', 1264],
  ['on a phone', 375],
];

describe('with a keyboard or a screen reader, a user', () => {
  let desk: Desk;

  beforeAll(async () => {
    desk = await openDesk('accessibility');
    await desk.logIn();
  });

  const callWith = (status: string) =>
    desk.sandbox.calls.find((call) => call.status === status)?.sid;
  const recordedCall = () =>
    desk.sandbox.recordings.find(({ status }) => status === 'completed')?.call_sid;

  const places: [name: string, path: () => string][] = [
    ['desk', () => '/'],
    ['customers', () => '/page/customers'],
    ['customer', () => '/view/Customer?id=1'],
    ['recordings', () => '/page/recordings'],
    ['account-calls', () => '/page/account-calls'],
    ['statistics', () => '/page/statistics'],
    ['call-in-progress', () => `/view/Call?sid=${callWith('in-progress')}`],
    ['call-with-recordings', () => `/view/Call?sid=${recordedCall()}`],
  ];
  test.each(places)(
    'finds no barrier and never scrolls sideways, in any window: %s',
    async (name, path) => {
      const { page, screenshot } = desk.browser;
      await desk.go(path());
      for (const [where, width] of windows) {
        await page.setViewportSize({ width, height: 740 });
        await screenshot(`${name} ${where}`.replaceAll(' ', '-'));
        expect([where, await barriers(page)]).toEqual([where, []]);
        const tooWide = await page.evaluate(`
          [document.documentElement, ...document.querySelectorAll('.table-responsive')]
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ className, scrollWidth }) => [className, scrollWidth])
        `);
        expect([where, tooWide]).toEqual([where, []]);
        expect(await page.getByRole('link', { name: 'Desk', exact: true }).isVisible()).toBe(true);
      }
    },
  );

  test('would find a field without a label and text with low contrast', async () => {
    const { page } = desk.browser;
    await desk.go('/');
    await page.evaluate(`
      const field = document.querySelector('input[name=from]');
      field.closest('label').replaceWith(field);
      field.removeAttribute('placeholder');
      document.querySelector('main h1').style.color = '#bbb';
    `);
    const rules = (await barriers(page)).map((line) => line.split(':')[0]);
    expect(rules.sort()).toEqual(['color-contrast', 'label']);
  });

  test('finds no barrier in the settings', async () => {
    const { page } = desk.browser;
    await page.setViewportSize({ width: 1280, height: 900 });
    await desk.go('/plugins/configure/telephony');
    for (const name of ['Advanced', 'Events']) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.locator('.accordion-item', { hasText: name }).locator('.show').waitFor();
      expect(await barriers(page, 'form')).toEqual([]);
    }
  });

  test.each(['Calls', 'Call recordings', 'Recordings', 'Account calls'])(
    'finds no barrier in the provider settings of a table: %s',
    async (table) => {
      const { page } = desk.browser;
      await desk.go('/table');
      await page.getByRole('link', { name: table, exact: true }).last().click();
      await page.locator('a[href*="provider-cfg"]').first().click();
      await page.waitForURL('**/table/provider-cfg/*');
      for (const folded of await page.locator('.accordion-button.collapsed').all())
        await folded.click();
      await desk.browser.screenshot(`provider-of-${table.toLowerCase().replaceAll(' ', '-')}`);
      expect(await barriers(page, 'form')).toEqual([]);
    },
  );

  const focused = () => desk.browser.page.locator(':focus');

  /** Presses Tab until a field has the focus. */
  async function tabTo(selector: string) {
    for (let presses = 0; presses < 100; presses += 1) {
      if (await focused().and(desk.browser.page.locator(selector)).count()) return;
      await desk.browser.page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${selector}.`);
  }

  test('opens a call and texts its caller without a mouse', async () => {
    const { page } = desk.browser;
    const { keyboard } = page;
    await desk.go(`/?from=${encodeURIComponent(caller)}`);
    await tabTo('tbody a');
    await keyboard.press('Enter');
    await page.waitForURL('**/view/Call?sid=*');

    const before = desk.sandbox.messages.length;
    await tabTo('textarea[name=body]');
    await keyboard.type('We call back today.');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.locator('#toasts-area .toast:has(.bg-success)').waitFor();
    await desk.browser.screenshot('answered-by-keyboard');
    expect(desk.sandbox.messages).toHaveLength(before + 1);
    expect(desk.sandbox.messages[0]).toMatchObject({ body: 'We call back today.' });
    expect([desk.sandbox.messages[0]?.to, desk.sandbox.messages[0]?.from]).toContain(caller);
  });

  test('sends an SMS without a mouse', async () => {
    const { page } = desk.browser;
    const { keyboard } = page;
    await desk.go('/');
    await tabTo('textarea[name=body]');
    await keyboard.press('Shift+Tab');
    await keyboard.type(caller);
    await keyboard.press('Tab');
    await keyboard.type('Your table is ready.');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.locator('#toasts-area .toast:has(.bg-success)').waitFor();
    expect(desk.sandbox.messages[0]).toMatchObject({ to: caller, body: 'Your table is ready.' });
  });

  test('finds no barrier on a page that says that the service is down', async () => {
    desk.sandbox.faults.add({ name: 'server-error', status: 503, times: 20 });
    await desk.go('/');
    await desk.browser.screenshot('service-down');
    expect(await barriers(desk.browser.page)).toEqual([]);
    desk.sandbox.faults.clear();
  });
});
