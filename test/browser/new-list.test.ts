import { type OpenSaltcorn, openSaltcorn } from './open-saltcorn.ts';
import { builderIn, type SaltcornBuilder } from './saltcorn-builder.ts';

// One story: each test goes on where the one before ended, as its user would.
describe('with a new table, someone', () => {
  let saltcorn: OpenSaltcorn;
  let builder: SaltcornBuilder;

  beforeAll(async () => {
    saltcorn = await openSaltcorn('new-list', {}, { now: new Date('2026-11-20T15:42:00Z') });
    builder = builderIn(saltcorn);
    await saltcorn.logIn();
  });

  const setting = () => saltcorn.browser.page.getByLabel('Columns', { exact: true });
  const heads = async () =>
    (await saltcorn.browser.page.locator('thead th').allInnerTexts()).map((one) => one.trim());

  async function makeList(name: string) {
    await builder.createView(name, 'List', name);
    await builder.columns().first().waitFor();
    await saltcorn.browser.page.waitForLoadState('networkidle');
    await saltcorn.browser.screenshot(`builder-${name}`);
    return builder.columns().count();
  }

  test('is offered the usual columns', async () => {
    const { screenshot } = saltcorn.browser;
    await saltcorn.go('/table/new');
    await builder.fillTable('calls', 'Telephony: Calls by caller id');
    await saltcorn.press(/^Create/, /^Finish/);
    expect(await setting().inputValue()).toBe('usual');
    await screenshot('settings');
    await saltcorn.press(/^Finish/, 'Table calls saved');
    await screenshot('table');
  });

  test('makes a list of seven columns, in which prices have a currency', async () => {
    const { screenshot } = saltcorn.browser;
    expect(await makeList('calls')).toBe(7);
    await saltcorn.go('/view/calls');
    await screenshot('calls');
    expect(await heads()).toEqual([
      'Status',
      'From',
      'To',
      'Direction',
      'Started',
      'Duration',
      'Price',
    ]);
    const shown = await saltcorn.rows().locator('td:nth-child(7)').allTextContents();
    expect(shown).toEqual(
      saltcorn.sandbox.calls
        .slice(0, 20)
        .map(({ price, price_unit }) => (price ? `${Number(price)} ${price_unit}` : '')),
    );
  });

  test('makes a list of recordings, which play', async () => {
    await builder.createTable('recordings', 'Telephony: Recordings by caller id');
    expect(await makeList('recordings')).toBe(7);
    await saltcorn.go('/view/recordings');
    await saltcorn.browser.screenshot('recordings');
    expect(await saltcorn.rows().locator('td:nth-child(7) audio').count()).toBe(20);
  });

  test('chooses all columns, and later finds them chosen', async () => {
    const { page, screenshot } = saltcorn.browser;
    await saltcorn.go('/table');
    await page.getByRole('link', { name: 'recordings', exact: true }).first().click();
    await page.locator('a[href^="/table/provider-cfg/"]').click();
    expect(await setting().inputValue()).toBe('usual');
    await setting().selectOption('all');
    await saltcorn.press(/^Finish/, 'Table recordings saved');
    await screenshot('all');
    await page.locator('a[href^="/table/provider-cfg/"]').click();
    expect(await setting().inputValue()).toBe('all');
  });

  /** Puts a figure into what is built. */
  async function figure(stat: string, field: string, fieldview?: string) {
    await builder.drag('Aggregation');
    await builder.sidebar.locator('select.agg_field').selectOption(field);
    await builder.sidebar.locator('select.stat').selectOption(stat);
    if (fieldview) await builder.sidebar.locator('select.agg_fieldview').selectOption(fieldview);
  }

  test('makes figures of the calls', async () => {
    await builder.createView('figures', 'Filter', 'calls');
    const saved = builder.saved('CountUnique');
    await figure('Sum', 'price', 'show');
    await figure('Max', 'duration', 'clock_duration');
    await figure('CountUnique', 'from');
    await saltcorn.browser.screenshot('figures-builder');
    await saved;
    await saltcorn.press(/^Next/, 'Your views');
  });

  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
  const clock = (seconds: number) =>
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

  test.each(['completed', 'busy'])('sees those of the %s calls', async (status) => {
    await saltcorn.go(`/view/figures?status=${status}`);
    await saltcorn.browser.screenshot(`figures-${status}`);
    const calls = saltcorn.sandbox.calls.filter((call) => call.status === status);
    const prices = calls.flatMap(({ price }) => (price ? [Number(price)] : []));
    const shown = await saltcorn.browser.page.locator('[data-sc-embed-viewname]').innerText();
    expect(shown.trim()).toBe(
      [
        prices.length > 0 ? sum(prices) : '',
        new Set(calls.map(({ from }) => from)).size,
        clock(Math.max(...calls.map(({ duration }) => Number(duration)))),
      ].join(''),
    );
  });
});
