import { takeRequests } from '../../support/take-requests.ts';
import { createNative, createTable, createView } from '../app.ts';
import { type Host, type Loose, startSaltcorn, state } from '../host.ts';
import { fillWithLongLists } from '../long-lists.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';

let host: Host;
let website: Website;
let boss: Visitor;

beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  boss = await website.user();
  await state().setConfig('timezone', 'America/New_York');
  const at = (time: string, status: string | null, price: number) => ({
    ...{ at: new Date(time), status, price },
  });
  const visits = await createNative(
    'Visits',
    {
      at: 'Date',
      status: { type: 'String', attributes: { options: 'open,no-answer' } },
      price: 'Float',
    },
    [
      at('2026-11-02T03:00:00Z', 'open', -0.1),
      at('2026-11-02T12:00:00Z', 'open', -0.2),
      at('2026-11-04T08:00:00Z', 'no-answer', 5),
      at('2026-11-04T09:00:00Z', null, 0),
    ],
  );
  const calls = await createTable('Calls', 'Telephony: Account Calls');
  const spending = await createTable('Spending', 'Telephony: Usage by day', {
    category: 'totalprice',
  });
  for (const [name, table, settings] of [
    ['Visits per day', visits, { date: 'at', period: 'day', series: 'status' }],
    ['Visits per week', visits, { date: 'at', period: 'week' }],
    ['Prices per month', visits, { date: 'at', period: 'month', value: 'price' }],
    ['Calls per day', calls, { date: 'startTime', period: 'day', series: 'status' }],
    ['Spending per week', spending, { date: 'startDate', period: 'week', value: 'price' }],
  ] as const)
    await createView(name, 'Telephony chart', table, settings);
});

async function chart(name: string, query: string, visitor = boss, language = 'en'): Promise<Loose> {
  const html = await visitor.get(`/view/${encodeURIComponent(name)}?${query}`, {
    'accept-language': language,
    accept: 'text/html',
  });
  return new (require('jsdom').JSDOM)(html).window.document;
}

/** The table of a chart's numbers, line by line. */
const numbersOf = (page: Loose): string[][] =>
  [...page.querySelectorAll('figure tr')].map((row) =>
    [...row.children].map(({ textContent }: Loose) => textContent),
  );
const textsOf = (page: Loose, selector: string): string[] =>
  [...page.querySelectorAll(selector)].map(({ textContent }: Loose) => textContent);

const november = '_fromdate_at=2026-11-01&_todate_at=2026-11-30';

const drawn: [name: string, language: string, numbers: string[][]][] = [
  [
    'Visits per day',
    'en',
    [
      ['Date', 'Numbers'],
      ['Nov 1, 2026', 'Open: 1'],
      ['Nov 2, 2026', 'Open: 1'],
      ['Nov 4, 2026', '–: 1, No answer: 1'],
    ],
  ],
  [
    'Visits per week',
    'de',
    [
      ['Datum', 'Summe'],
      ['26. Okt. 2026', '1'],
      ['2. Nov. 2026', '3'],
    ],
  ],
  [
    'Prices per month',
    'en',
    [
      ['Date', 'Total'],
      ['Nov 2026', '4.7'],
    ],
  ],
];

test.each(drawn)(
  '%s, in the language %s, by the home timezone',
  async (name, language, numbers) => {
    expect(numbersOf(await chart(name, november, boss, language))).toEqual(numbers);
  },
);

test('draws a bar for each period, says what it is on pointing at it, and adds up the legend', async () => {
  const page = await chart('Visits per day', november);
  expect(page.querySelector('figure svg').getAttribute('viewBox')).toBe('0 0 4 100');
  expect(page.querySelector('figure svg').getAttribute('aria-label')).toBe('Visits per day');
  const bars = [...page.querySelectorAll('figure rect')].map((bar) =>
    ['x', 'y', 'height'].map((name) => bar.getAttribute(name)).concat(bar.textContent),
  );
  expect(bars).toEqual([
    ['0.1', '50.00', '50.00', 'Nov 1, 2026: Open 1'],
    ['1.1', '50.00', '50.00', 'Nov 2, 2026: Open 1'],
    ['3.1', '50.00', '50.00', 'Nov 4, 2026: – 1'],
    ['3.1', '0.00', '50.00', 'Nov 4, 2026: No answer 1'],
  ]);
  expect(textsOf(page, 'figcaption > span')).toEqual(['■ –: 1', '■ No answer: 1', '■ Open: 2']);
});

test('shows only rows that the user may read', async () => {
  const guest = await website.guest();
  const page = await chart('Visits per day', november, guest);
  expect([numbersOf(page), textsOf(page, 'p.mb-0')]).toEqual([[], ['No rows in this time.']]);
});

test('counts the calls of each day by status, and says if it has not read all', async () => {
  fillWithLongLists(host.sandbox);
  const page = await chart('Calls per day', '_fromdate_startTime=2026-11-01');
  const totals = textsOf(page, 'figcaption > span').map((text) => Number(text.split(': ')[1]));
  expect(totals.reduce((sum, one) => sum + one, 0)).toBeGreaterThan(500);
  expect(page.documentElement.textContent).toContain(
    '“Calls” searched only the newest 1,000 records. Filter the list to find older ones.',
  );
});

test('asks the service for the spending of the last weeks only, and shows it as positive', async () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-20T12:00:00Z'));
  takeRequests(host.sandbox);
  const numbers = numbersOf(await chart('Spending per week', ''));
  now.mockRestore();
  expect(takeRequests(host.sandbox)).toEqual([
    'GET /Usage/Records/Daily.json?Category=totalprice&StartDate=2026-10-19&PageSize=1000',
  ]);
  expect(numbers[0]).toEqual(['Date', 'USD']);
  expect(numbers.map(([week]) => week)).toContain('Nov 16, 2026');
  expect(numbers.slice(1).every(([, spent]) => Number(spent) >= 0)).toBe(true);
});

test('its settings offer dates, numbers and choices', async () => {
  const html = await boss.get(`/viewedit/config/${encodeURIComponent('Spending per week')}`);
  const page = new (require('jsdom').JSDOM)(html).window.document;
  const offered = (name: string) =>
    [...page.querySelectorAll(`select[name=${name}] option`)].map(({ value }: Loose) => value);
  expect(offered('date')).toEqual(['startDate', 'endDate', 'asOf']);
  expect(offered('value')).toEqual(['', 'count', 'usage', 'price']);
  expect(offered('period')).toEqual(['day', 'week', 'month']);
});
