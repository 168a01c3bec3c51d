import { get, NOW, pathOf, sandboxFor } from './client.ts';

const today = NOW.toISOString().slice(0, 10);
const sumOf = (prices: (string | null | undefined)[]) =>
  -prices.reduce((sum, price) => sum + Number(price ?? 0), 0);

test('the balance is the credit without what was spent', async () => {
  const sandbox = await sandboxFor();
  const { calls, recordings, messages } = sandbox;
  const spent = sumOf([...calls, ...recordings, ...messages].map(({ price }) => price));
  expect(await get(sandbox, '/Balance.json')).toEqual({
    status: 200,
    body: {
      account_sid: sandbox.username,
      balance: String(Number((100 - spent).toFixed(5))),
      currency: 'USD',
    },
  });
});

test('the usage of a period is the sum of its days', async () => {
  const sandbox = await sandboxFor();
  const period = 'StartDate=2026-03-02&EndDate=2026-03-06';
  const { body: whole } = await get(sandbox, `/Usage/Records.json?${period}&Category=sms`);
  const { body: daily } = await get(sandbox, `/Usage/Records/Daily.json?${period}&Category=sms`);
  const [sum] = whole.usage_records;
  const days = daily.usage_records as { start_date: string; end_date: string; count: string }[];
  expect(days.map((one) => [one.start_date, one.end_date])).toEqual(
    [6, 5, 4, 3, 2].map((day) => [`2026-03-0${day}`, `2026-03-0${day}`]),
  );
  expect(sum).toMatchObject({ start_date: '2026-03-02', end_date: '2026-03-06', category: 'sms' });
  expect(Number(sum.count)).toBe(days.reduce((total, { count }) => total + Number(count), 0));
  expect(Number(sum.count)).toBeGreaterThan(0);
});

test('totalprice is the sum of the other categories', async () => {
  const sandbox = await sandboxFor();
  const { body } = await get(sandbox, '/Usage/Records.json');
  const prices = new Map<string, number>(
    body.usage_records.map((one: Record<string, string>) => [one.category, Number(one.price)]),
  );
  expect([...prices.keys()]).toEqual(['calls', 'recordings', 'sms', 'totalprice']);
  const { totalprice = 0, ...others } = Object.fromEntries(prices);
  expect(totalprice).toBeCloseTo(Object.values(others).reduce((sum, one) => sum + one, 0));
});

test('the days are pages, newest first', async () => {
  const sandbox = await sandboxFor();
  const path = '/Usage/Records/Daily.json?Category=calls&StartDate=2026-03-09&PageSize=2';
  const { body } = await get(sandbox, path);
  const daysIn = (page: { usage_records: { start_date: string }[] }) =>
    page.usage_records.map((one) => one.start_date);
  expect(daysIn(body)).toEqual([today, '2026-03-10']);
  const next = body.next_page_uri.slice(pathOf(sandbox, '').length);
  const { body: last } = await get(sandbox, next);
  expect([daysIn(last), last.next_page_uri]).toEqual([['2026-03-09'], null]);
});

test('records with unreadable dates and numbers cost nothing', async () => {
  const sandbox = await sandboxFor();
  for (const call of sandbox.calls)
    Object.assign(call, { date_created: '<b>', duration: '<b>', price: '<b>' });
  const { body } = await get(sandbox, '/Usage/Records.json?Category=calls');
  expect(body.usage_records).toMatchObject([{ count: '0', price: '0', usage: '0' }]);
});
