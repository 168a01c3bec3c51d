import { createNative } from '../app.ts';
import {
  artefact,
  type Host,
  installPlugin,
  type Loose,
  model,
  saltcorn,
  startSaltcorn,
  state,
} from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { openCrashLog } from './crash-log.ts';

// One story: each test continues where the previous one ended.

let host: Host;
let website: Website;
let boss: Visitor;

beforeAll(async () => {
  host = await startSaltcorn();
  website = await startWebsite();
  boss = await website.user();
});

// Each test clicks long after the previous one.
let passed = 0;
beforeAll(() => {
  const [now, today] = [performance.now.bind(performance), Date.now.bind(Date)];
  jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
  jest.spyOn(Date, 'now').mockImplementation(() => today() + passed);
});
beforeEach(() => {
  passed += 60_000;
});
afterAll(() => jest.restoreAllMocks());

const pack = () => require(`${artefact}/desk.json`);
const url = '/telephony/install-desk';
const install = (visitor = boss, headers = {}) => visitor.post(url, {}, headers);
const settingsPage = () => boss.get('/plugins/configure/telephony');

const stores = ['_sc_tables', '_sc_fields', '_sc_views', '_sc_pages', '_sc_triggers'];
const rowsOf = async (names: string[]) =>
  Promise.all(names.map((name) => saltcorn('data/db').select(name, {}, { orderBy: 'rowid' })));
/** The tables, views, pages and triggers. */
const parts = () => rowsOf(stores);
/** Everything that a pack can change. */
const contents = () => rowsOf([...stores, '_sc_config']);

/** Changes nothing, and returns what the browser gets. */
async function changesNothing(act: () => Promise<Loose>): Promise<Loose> {
  const before = await contents();
  const answer = await act();
  expect(await contents()).toEqual(before);
  return answer;
}

test('only administrators can add the pages, with a CSRF token', async () => {
  expect(await settingsPage()).toContain('>Add telephony pages</button>');
  for (const other of [await website.user(40), await website.guest()])
    expect(await changesNothing(() => install(other))).toEqual({
      error: 'Only administrators can add pages.',
    });
  await changesNothing(() => install(boss, { 'csrf-token': '' }));
});

test('adds nothing if a name is taken, and names what exists', async () => {
  const mine = await createNative('Telephony customers', { name: 'Integer' }, [{ name: 7 }]);
  expect(await changesNothing(() => install())).toEqual({
    error:
      'Nothing was added, because these exist already: table “Telephony customers”. Rename or delete them first.',
  });
  expect(await mine.getRows({})).toEqual([{ id: 1, name: 7 }]);
  await mine.delete();
  await state().refresh_tables();
});

test('adds nothing if the database has a table of that name, which Saltcorn may know by another', async () => {
  const mine = await createNative('telephonyCustomers', { name: 'Integer' }, [{ name: 7 }]);
  const db = saltcorn('data/db');
  await db.query('create table "TelephonyInbox" (id int)');
  expect(await changesNothing(() => install())).toEqual({
    error:
      'Nothing was added, because these exist already: table “telephonyCustomers”, table “TelephonyInbox”. Rename or delete them first.',
  });
  expect(await mine.getRows({})).toEqual([{ id: 1, name: 7 }]);
  await db.query('drop table "TelephonyInbox"');
  await mine.delete();
  await state().refresh_tables();
});

const menu = () => state().getConfig('menu_items');

test.each(['table', 'field', 'view', 'trigger', 'page'])(
  'leaves nothing behind if Saltcorn fails while it creates a %s',
  async (kind) => {
    const log = openCrashLog();
    await log.clear();
    const before = [await parts(), menu()];
    const create = jest.spyOn(model(kind), 'create').mockRejectedValue(new Error('Disk full'));
    expect(await install()).toEqual({
      error: 'Saltcorn could not add the pages, so nothing was added. The crash log says why.',
    });
    create.mockRestore();
    expect(await log.messages()).toEqual(['Disk full']);
    expect([await parts(), menu()]).toEqual(before);
    const tables = await saltcorn('data/db').listTables();
    expect(tables.filter(({ name }: Loose) => name.startsWith('Telephony'))).toEqual([]);
    expect(await settingsPage()).toContain('>Add telephony pages</button>');
  },
);

test('adds the pages once, however often the button is clicked', async () => {
  await createNative('Calls', { name: 'String' });
  await state().setConfig('site_name', 'My shop');
  const answers = await Promise.all([1, 2, 3, 4, 5].map(() => install()));
  expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
    new Set(['{"goto":"/page/telephony-desk"}']),
  );
  for (const [key, kind] of [
    ['tables', 'table'],
    ['views', 'view'],
    ['pages', 'page'],
  ] as const) {
    const names = (await model(kind).find({})).map(({ name }: Loose) => name);
    for (const { name } of pack()[key])
      expect(names.filter((one: string) => one === name)).toEqual([name]);
  }
  expect(state().getConfig('site_name')).toBe('My shop');
  expect(state().getConfig('admin_home')).toBeFalsy();
  expect(state().getConfig('page_custom_css')).toBeFalsy();
});

test('says what it added, and no longer shows the button', async () => {
  const page = await boss.get('/page/telephony-desk');
  expect(page).toContain(
    'Added to the menu, for administrators only: Telephony desk, Telephony customers, Telephony recordings, Telephony account calls, Telephony statistics, Telephony inbox.',
  );
  expect(await settingsPage()).not.toContain('Add telephony pages');
});

test('the added pages show the records of the account', async () => {
  await installPlugin(artefact, host.settings);
  const customers = model('table').findOne({ name: 'Telephony customers' });
  await customers.insertRow({ name: 'Ada', phone: '+1 202 555 0143' });
  const [{ sid }] = host.sandbox.calls as [Loose];
  const paths = [
    ...pack().pages.map(({ name }: Loose) => `/page/${name}`),
    `/view/Telephony%20customer?id=1`,
    `/view/Telephony%20call?sid=${sid}`,
  ];
  for (const path of paths) {
    const html = await boss.get(path);
    expect([
      path,
      /unavailable|not found|error occurred|crash/i.exec(html.replace(/<style>.*?<\/style>/gs, '')),
    ]).toEqual([path, null]);
    expect(html).toContain('<style>[data-sc-state-hash]');
  }
  expect(await boss.get('/page/telephony-desk')).toContain('/view/Telephony%20call?sid=');
  expect(await boss.get('/view/Telephony%20customer?id=1')).toContain('Ada');
  expect(await boss.get('/page/telephony-inbox')).toContain('New SMS appear here once');
});

test('the added inbox shows the customer who sent an SMS', async () => {
  const sms = { from: '+12025550143', to: '+14155550100', body: 'Are you open?' };
  const keep = model('trigger').findOne({ name: 'Telephony keep incoming SMS' });
  await keep.runWithoutRow({ row: sms });
  const inbox = model('table').findOne({ name: 'Telephony inbox' });
  expect(await inbox.getRows({})).toMatchObject([{ ...sms, customer: 'Ada' }]);
});

test.each([
  ['de', /Nichts wurde hinzugefügt, .*: Tabelle „Telephony .* und \d+ weitere\. /],
  ['zh', /未添加任何内容，.*：表“Telephony .*以及另外 \d+ 项。/],
])('speaks the language of the browser: %s', async (language, text) => {
  expect((await install(boss, { 'accept-language': language })).error).toMatch(text);
  const clerk = await website.user(40);
  const [refused, english] = [
    await install(clerk, { 'accept-language': language }),
    await install(clerk),
  ];
  expect(refused.error).not.toBe(english.error);
});

test('the pack contains no part of the demo, and nothing that answers by itself', () => {
  const text = JSON.stringify(pack());
  expect(text).not.toMatch(/\+1415|[Ss]imulate|Reply:/);
  expect(pack()).not.toHaveProperty('config');
  expect(
    pack().pages.every(({ root_page_for_roles }: Loose) => root_page_for_roles.length === 0),
  ).toBe(true);
  expect(
    pack()
      .pages.concat(pack().views)
      .every(({ min_role }: Loose) => min_role === 1),
  ).toBe(true);
  for (const kind of ['tables', 'views', 'pages', 'triggers'])
    for (const { name } of pack()[kind]) expect(name).toMatch(/^[Tt]elephony[ -]/);
});
