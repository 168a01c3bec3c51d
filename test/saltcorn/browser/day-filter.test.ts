import { watchForFaults } from '../../support/browser.ts';
import { type Desk, openDesk } from './desk.ts';

// 42 minutes after midnight in Tokyo, where the previous day is still the day in UTC.
const now = new Date('2026-11-20T15:42:00Z');
const midnight = Date.parse('2026-11-20T15:00:00Z');
const day = 86_400_000;

const missed = ['busy', 'no-answer'];

describe('at a desk in Tokyo, a user', () => {
  let desk: Desk;
  let faults: string[];

  beforeAll(async () => {
    desk = await openDesk('day-filter', { now, timezoneId: 'Asia/Tokyo' });
    const { page } = desk.browser;
    faults = watchForFaults(page, (response) => response.url().endsWith('/favicon.ico'));
    await page.clock.setFixedTime(now);
    await desk.logIn();
  });

  const started = ({ start_time }: { start_time?: string | null }) => Date.parse(start_time ?? '');
  const between = (from: number, to: number) =>
    desk.sandbox.calls.filter((call) => started(call) >= from && started(call) < to);
  const parameters = () => Object.fromEntries(new URL(desk.browser.page.url()).searchParams);
  const button = (name: string) => desk.card('Calls').getByRole('button', { name, exact: true });
  const pressed = () =>
    desk.card('Calls').getByRole('group').locator('[aria-pressed=true]').allTextContents();
  const days = async () => [
    await desk.card('Calls').getByLabel('First day').inputValue(),
    await desk.card('Calls').getByLabel('Last day').inputValue(),
  ];

  test('sees all calls at first', async () => {
    expect(await pressed()).toEqual(['All']);
    expect(await days()).toEqual(['', '']);
  });

  test('sees the calls since midnight there, and only requests the day', async () => {
    desk.sandbox.requests.length = 0;
    await desk.reloading(() => button('Today').click());
    await desk.browser.screenshot('today');
    const expected = between(midnight, Number.POSITIVE_INFINITY);
    expect(expected.length).toBeGreaterThan(0);
    expect(await desk.rows('Calls').count()).toBe(Math.min(expected.length, 20));
    expect(parameters()).toEqual({ _fromdate_startTime: new Date(midnight).toISOString() });
    expect(await pressed()).toEqual(['Today']);
    expect(await days()).toEqual(['2026-11-21', '']);
    const lists = desk.sandbox.requests.filter(({ path }) => path.endsWith('/Calls.json'));
    const firstDays = lists.map(({ query }) => new URLSearchParams(query).get('StartTime>'));
    expect([...new Set(firstDays)]).toEqual(['2026-11-20']);
  });

  test('combines days with statuses', async () => {
    await desk.reloading(() => button('Last 7 days').click());
    for (const status of missed) await desk.filterByStatus(status);
    await desk.browser.screenshot('missed');
    const expected = between(midnight - 6 * day, Number.POSITIVE_INFINITY).filter(({ status }) =>
      missed.includes(status),
    );
    expect(expected.length).toBeGreaterThan(0);
    expect(await desk.rows('Calls').count()).toBe(Math.min(expected.length, 20));
    expect(await pressed()).toEqual(['Last 7 days']);
    for (const status of missed) await desk.filterByStatus(status);
  });

  test('chooses the first and the last day, as days there', async () => {
    const choose = (label: string, value: string) =>
      desk.reloading(() => desk.card('Calls').getByLabel(label).fill(value));
    await choose('First day', '2026-11-20');
    await choose('Last day', '2026-11-20');
    const expected = between(midnight - day, midnight);
    expect(expected.length).toBeGreaterThan(0);
    expect(await desk.rows('Calls').count()).toBe(Math.min(expected.length, 20));
    expect(await pressed()).toEqual([]);
    expect(await days()).toEqual(['2026-11-20', '2026-11-20']);
  });

  test('sees the next day which day an old address is about', async () => {
    await desk.reloading(() => button('Today').click());
    await desk.browser.page.clock.setFixedTime(new Date(midnight + day + 1));
    await desk.browser.page.reload();
    expect(await pressed()).toEqual([]);
    expect(await days()).toEqual(['2026-11-21', '']);
    await desk.reloading(() => button('Today').click());
    expect(await desk.rows('Calls').count()).toBe(0);
    expect(await days()).toEqual(['2026-11-22', '']);
    await desk.reloading(() => button('All').click());
    expect(parameters()).toEqual({});
  });

  test('finds the filter on a phone', async () => {
    const { page, screenshot } = desk.browser;
    await page.setViewportSize({ width: 320, height: 740 });
    await button('Last 7 days').scrollIntoViewIfNeeded();
    await screenshot('phone');
    const right = async (label: string) => {
      const box = await desk.card('Calls').getByLabel(label).boundingBox();
      return box && box.x + box.width;
    };
    expect(await right('Last day')).toBeLessThanOrEqual(Number(await right('Caller')));
  });

  test('sees no fault', () => {
    expect(faults).toEqual([]);
  });
});
