import { openSandbox } from '../../support/open-sandbox.ts';
import { documentedRequests } from '../documented-requests.ts';
import { fillWithLongLists } from '../long-lists.ts';
import { type OpenSaltcorn, openSaltcorn } from '../open-saltcorn.ts';
import { builderIn, type SaltcornBuilder } from './saltcorn-builder.ts';

const amount = new Intl.NumberFormat('en-US', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 9,
});

// One story: each test continues where the previous one ended.
describe('with a new table, a user', () => {
  let saltcorn: OpenSaltcorn;
  let builder: SaltcornBuilder;

  beforeAll(async () => {
    const sandbox = await openSandbox({ now: new Date('2026-11-20T15:42:00Z') });
    const { username, password, url: baseUrl } = sandbox;
    // Five seconds can be too short on a busy machine.
    const configuration = { username, password, baseUrl, freshSeconds: 300 };
    saltcorn = await openSaltcorn('new-list', { configuration }, { sandbox });
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

  test('gets the usual columns by default', async () => {
    const { screenshot } = saltcorn.browser;
    await saltcorn.go('/table/new');
    await builder.fillTable('calls', 'Telephony: Calls by caller id');
    await saltcorn.press(/^Create/, /^Finish/);
    expect(await setting().inputValue()).toBe('usual');
    await screenshot('settings');
    await saltcorn.press(/^Finish/, 'Table calls saved');
    await screenshot('table');
  });

  test('creates a list with seven columns, and prices with a currency', async () => {
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
        .map(({ price, price_unit }) =>
          price ? `${amount.format(Number(price))} ${price_unit}` : '',
        ),
    );
  });

  test('creates a list of recordings with players', async () => {
    await builder.createTable('recordings', 'Telephony: Recordings by caller id');
    expect(await makeList('recordings')).toBe(7);
    await saltcorn.go('/view/recordings');
    await saltcorn.browser.screenshot('recordings');
    expect(await saltcorn.rows().locator('td:nth-child(7) audio').count()).toBe(20);
  });

  test('chooses all columns and finds the choice saved', async () => {
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

  /** Adds an aggregation to the view. */
  async function figure(stat: string, field: string, fieldview?: string) {
    await builder.drag('Aggregation');
    await builder.sidebar.locator('select.agg_field').selectOption(field);
    await builder.sidebar.locator('select.stat').selectOption(stat);
    if (fieldview) await builder.sidebar.locator('select.agg_fieldview').selectOption(fieldview);
  }

  test('creates aggregations of the calls', async () => {
    await builder.createView('figures', 'Filter', 'calls');
    const saved = builder.saved('CountUnique');
    await figure('Sum', 'price', 'amount');
    await figure('Max', 'duration', 'clock_duration');
    await figure('CountUnique', 'from');
    await saltcorn.browser.screenshot('figures-builder');
    await saved;
    await saltcorn.press(/^Next/, 'Your views');
  });

  const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
  const clock = (seconds: number) =>
    `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

  test.each(['completed', 'busy'])('sees the aggregations of the %s calls', async (status) => {
    await saltcorn.go(`/view/figures?status=${status}`);
    await saltcorn.browser.screenshot(`figures-${status}`);
    const calls = saltcorn.sandbox.calls.filter((call) => call.status === status);
    const prices = calls.flatMap(({ price }) => (price ? [Number(price)] : []));
    const shown = await saltcorn.browser.page.locator('[data-sc-embed-viewname]').innerText();
    expect(shown.trim()).toBe(
      [
        prices.length > 0 ? amount.format(sum(prices)) : '',
        new Set(calls.map(({ from }) => from)).size,
        clock(Math.max(...calls.map(({ duration }) => Number(duration)))),
      ].join(''),
    );
  });

  /** How many requests it takes to open a page for the first time, and again. */
  async function requestsFor(open: () => Promise<unknown>) {
    const { requests } = saltcorn.sandbox;
    // Saving the settings clears the cache.
    await saltcorn.go('/plugins/configure/telephony');
    await saltcorn.submit();
    await saltcorn.browser.page.waitForURL('**/plugins');
    requests.length = 0;
    await open();
    const first = requests.length;
    await open();
    return [first, requests.length - first];
  }

  // Only in the builder, the browser loads more than the page itself: a preview of each column.
  // All other pages: process/request-counts.test.ts.
  async function openBuilder() {
    const filled = saltcorn.browser.page.waitForResponse(/\/field\/preview\//);
    await builder.open('/viewedit/config/calls');
    await filled;
  }

  test('opens a list and its builder with as many requests as documented', async () => {
    const openList = () => saltcorn.go('/view/calls', 'networkidle');
    const [list = [], building = []] = ['a list of calls', 'the builder of a new list'].map(
      (what) => documentedRequests().get(what),
    );
    expect(await requestsFor(openList)).toEqual(list.slice(0, 2));
    expect(await requestsFor(openBuilder)).toEqual(building.slice(0, 2));
    fillWithLongLists(saltcorn.sandbox);
    expect(await requestsFor(openList)).toEqual([list[2], 0]);
    expect(await requestsFor(openBuilder)).toEqual([building[2], 0]);
  });
});
