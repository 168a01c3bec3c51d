import { readDocument } from '../document.ts';
import { openSandbox } from '../open-sandbox.ts';
import { fillWithLongLists } from '../saltcorn/long-lists.ts';
import { type Desk, openDesk } from './desk.ts';
import { demoDesk } from './open-saltcorn.ts';
import { builderIn } from './saltcorn-builder.ts';

const now = new Date('2026-11-20T15:42:00Z');

/** The rows of the table in the docs, by what is opened. */
function documented(): Map<string, number[]> {
  const text = readDocument('docs/saltcorn.md');
  const rows = text.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \| (\d+) \|$/gm);
  return new Map([...rows].map(([, name = '', ...counts]) => [name, counts.map(Number)]));
}

describe('the docs say how many requests it takes to open', () => {
  let desk: Desk;

  beforeAll(async () => {
    const sandbox = await openSandbox({ now, ignoreRecordingsFrom: false });
    const { username, password, url: baseUrl } = sandbox;
    // Five seconds are soon over on a machine that does much else.
    const configuration = { username, password, baseUrl, freshSeconds: 300 };
    desk = await openDesk('request-counts', { sandbox }, { ...demoDesk, configuration });
    await desk.logIn();
  });

  // The builder asks for its columns one by one, when it has drawn them.
  async function go(path: string) {
    if (!path.startsWith('/viewedit')) return desk.go(path);
    const filled = desk.browser.page.waitForResponse(/\/field\/preview\//);
    await desk.go(path, 'networkidle');
    return filled;
  }

  // What was read is forgotten with the settings that it was read with.
  async function forget() {
    await go('/plugins/configure/telephony');
    await desk.submit();
    await desk.browser.page.waitForURL('**/plugins');
    desk.sandbox.requests.length = 0;
  }

  /** The name by which the address of a page speaks of a list on it. */
  async function nameInAddress(): Promise<string> {
    await go(list);
    const shown = desk.browser.page.locator('[data-sc-state-hash]').first();
    return (await shown.getAttribute('data-sc-state-hash')) ?? '';
  }

  const list = '/view/List%20of%20calls';
  const recorded = () => desk.sandbox.recordings.at(-1)?.call_sid;
  const lastPage = () => Math.ceil(desk.sandbox.calls.length / 20);
  const openings: [what: string, place: (name: string) => string][] = [
    ['a list of calls', () => list],
    ['its second page', (name) => `${list}?_${name}_page=2&_${name}_pagesize=20`],
    ['its last page', (name) => `${list}?_${name}_page=${lastPage()}&_${name}_pagesize=20`],
    ['the list by status', () => `${list}?status=busy`],
    ['the list by whom the calls went to', () => `${list}?to=%2B14155550100`],
    ['the list of calls before a day', () => `${list}?_todate_startTime=2026-11-12`],
    ['the list in another order', (name) => `${list}?_${name}_sortby=duration`],
    [
      'the list filtered by the name of a customer',
      () => `${list}?fromRow.Customers-%3Ename=Ada%20Lovelace`,
    ],
    ['the builder of a new list', () => '/viewedit/config/new'],
    ['a call with its recordings', () => `/view/Call?sid=${recorded()}`],
    ['a customer with their messages, calls and recordings', () => '/view/Customer?id=1'],
  ];

  test('a new list is made', async () => {
    const builder = builderIn(desk);
    await builder.createView('new', 'List', 'Calls');
    await builder.columns().first().waitFor();
    expect(await builder.columns().count()).toBe(8);
  });

  /** How many requests it takes to open something for the first time, and then again. */
  async function requestsFor(place: (name: string) => string) {
    const address = place(await nameInAddress());
    await forget();
    await go(address);
    const first = desk.sandbox.requests.length;
    await go(address);
    return [first, desk.sandbox.requests.length - first];
  }

  // As the docs say, it takes more where the service ignores the caller of recordings.
  test.each(openings)('%s', async (what, place) => {
    const counts = await requestsFor(place);
    expect({ what, counts }).toEqual({ what, counts: documented().get(what)?.slice(0, 2) });
  });

  describe('with 10,000 calls and 3,000 recordings', () => {
    beforeAll(() => fillWithLongLists(desk.sandbox));

    test.each(openings)('%s', async (what, place) => {
      const counts = await requestsFor(place);
      expect({ what, counts }).toEqual({ what, counts: [documented().get(what)?.[2], 0] });
    });
  });

  test('nothing else', () => {
    expect([...documented().keys()]).toEqual(openings.map(([what]) => what));
  });
});
