import { readDocument } from '../document.ts';
import { type Desk, openDesk } from './desk.ts';
import { builderIn } from './saltcorn-builder.ts';

const now = new Date('2026-11-20T15:42:00Z');

/** The rows of the table in the docs, by what is opened. */
function documented(): Map<string, number[]> {
  const text = readDocument('docs/saltcorn.md');
  const rows = text.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm);
  return new Map([...rows].map(([, name = '', ...counts]) => [name, counts.map(Number)]));
}

describe('the docs say how many requests it takes to open', () => {
  let desk: Desk;

  beforeAll(async () => {
    desk = await openDesk('request-counts', { now, ignoreRecordingsFrom: false });
    await desk.logIn();
  });

  const go = (path: string) =>
    // The builder fills its columns one by one.
    desk.go(path, path.startsWith('/viewedit') ? 'networkidle' : 'load');

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
  const openings: [what: string, place: (name: string) => string][] = [
    ['a list of calls', () => list],
    ['its second page', (name) => `${list}?_${name}_page=2&_${name}_pagesize=20`],
    ['the list by status', () => `${list}?status=busy`],
    ['the list in another order', (name) => `${list}?_${name}_sortby=duration`],
    [
      'the list filtered by the name of a customer',
      () => `${list}?fromRow.Customers-%3Ename=Ada%20Lovelace`,
    ],
    ['the builder of a list with all 25 columns', () => '/viewedit/config/all'],
    ['a call with its recordings', () => `/view/Call?sid=${recorded()}`],
    ['a customer with calls and recordings', () => '/view/Customer?id=1'],
  ];

  test('a list with every column is made', async () => {
    const builder = builderIn(desk);
    await builder.createView('all', 'List', 'Calls');
    await builder.columns().first().waitFor();
    expect(await builder.columns().count()).toBe(25);
  });

  // As the docs say, it takes more where the service ignores the caller of recordings.
  test.each(openings)('%s', async (what, place) => {
    const address = place(await nameInAddress());
    await forget();
    await go(address);
    const first = desk.sandbox.requests.length;
    await go(address);
    const counts = [first, desk.sandbox.requests.length - first];
    expect({ what, counts }).toEqual({ what, counts: documented().get(what) });
  });

  test('nothing else', () => {
    expect([...documented().keys()]).toEqual(openings.map(([what]) => what));
  });
});
