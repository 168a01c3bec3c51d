import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Sandbox, startSandbox } from '../../demo/sandbox/index.ts';
import { type Browser, describeInBrowser, openBrowser } from './browser.ts';
import { admin, type SaltcornServer, startSaltcornServer } from './saltcorn-server.ts';

jest.setTimeout(60_000);

const folder = (path: string) => resolve(__dirname, '../..', path);
const now = new Date('2026-11-20T15:42:00Z');

/** The rows of the table in the docs, by what is opened. */
function documented(): Map<string, number[]> {
  const text = readFileSync(folder('docs/saltcorn.md'), 'utf8');
  const rows = text.matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm);
  return new Map([...rows].map(([, name = '', ...counts]) => [name, counts.map(Number)]));
}

describeInBrowser('the docs say how many requests it takes to open', () => {
  let sandbox: Sandbox;
  let saltcorn: SaltcornServer;
  let browser: Browser;

  beforeAll(async () => {
    sandbox = await startSandbox({ now, ignoreRecordingsFrom: false });
    const { username, password, url: baseUrl } = sandbox;
    [saltcorn, browser] = await Promise.all([
      startSaltcornServer({
        plugin: folder('dist/saltcorn'),
        pack: folder('demo/saltcorn/desk.json'),
        customers: folder('demo/saltcorn/customers.json'),
        configuration: { username, password, baseUrl },
      }),
      openBrowser('request-counts'),
    ]);
    const { page } = browser;
    await go('/auth/login');
    await page.fill('input[name=email]', admin.email);
    await page.fill('input[name=password]', admin.password);
    await page.locator('form button[type=submit]').last().click();
    await page.waitForURL(`${saltcorn.url}/`);
  });
  afterAll(async () => {
    await browser?.close();
    await saltcorn?.close();
    await sandbox?.close();
  });

  const go = (path: string) =>
    browser.page.goto(saltcorn.url + path, {
      // The builder fills its columns one by one.
      waitUntil: path.startsWith('/viewedit') ? 'networkidle' : 'load',
    });

  // What was read is forgotten with the settings that it was read with.
  async function forget() {
    await go('/plugins/configure/telephony');
    await browser.page.locator('form button[type=submit]').last().click();
    await browser.page.waitForURL('**/plugins');
    sandbox.requests.length = 0;
  }

  /** The name by which the address of a page speaks of a list on it. */
  async function nameInAddress(): Promise<string> {
    await go(list);
    const shown = browser.page.locator('[data-sc-state-hash]').first();
    return (await shown.getAttribute('data-sc-state-hash')) ?? '';
  }

  const list = '/view/List%20of%20calls';
  const recorded = () => sandbox.recordings.at(-1)?.call_sid;
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
    const { page } = browser;
    await go('/viewedit/new');
    await page.fill('input[name=name]', 'all');
    await page.selectOption('select[name=viewtemplate]', 'List');
    await page.selectOption('select[name=table_name]', 'Calls');
    await page.locator('form button[type=submit]').last().click();
    await page.waitForSelector('.wrap-builder-elem');
    expect(await page.locator('.list-col-canvas').count()).toBe(25);
  });

  // As the docs say, it takes more where the service ignores the caller of recordings.
  test.each(openings)('%s', async (what, place) => {
    const address = place(await nameInAddress());
    await forget();
    await go(address);
    const first = sandbox.requests.length;
    await go(address);
    const counts = [first, sandbox.requests.length - first];
    expect({ what, counts }).toEqual({ what, counts: documented().get(what) });
  });

  test('nothing else', () => {
    expect([...documented().keys()]).toEqual(openings.map(([what]) => what));
  });
});
