import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { SaltcornRequest } from '../../../plugin/saltcorn/action/visitor.ts';
import type { Chooser } from '../../../plugin/saltcorn/bulk/chosen-rows.ts';
import type { Shown } from '../../../plugin/saltcorn/bulk/shown-rows.ts';
import { createButtons, createList, createNative, forEveryone } from '../app.ts';
import { type Loose, model, saltcorn, startTables, state } from '../host.ts';

// Which rows are selected, with Saltcorn's own tables and lists. `bulk-rows.test.ts` tests what its pages report.

let chosenRows: typeof import('../../../plugin/saltcorn/bulk/chosen-rows.ts').chosenRows;
let readShown: typeof import('../../../plugin/saltcorn/bulk/shown-rows.ts').readShown;
let app: SaltcornRequest['app'];

const columns = { name: 'String', wants: 'Bool', age: 'Integer', born: 'Date', nurse: 'Integer' };
const born = new Date(Date.UTC(1986, 1, 1, 12));
const people = [
  { id: 1, name: 'Ada', wants: true, age: 36, born, nurse: 80 },
  { id: 2, name: 'Grace', wants: true, age: 85, born, nurse: 70 },
  { id: 3, name: 'Edsger', wants: false, age: 72, born, nurse: 80 },
  { id: 4, name: 'Barbara', wants: true, age: null, born: null, nurse: null },
];
const everyone = people.map(({ name }) => name);

/** The queries of a provider's table. */
const asked: unknown[][] = [];
const provider = {
  fields: () => [
    { name: 'code', label: 'Code', type: 'String', primary_key: true },
    { name: 'name', label: 'Name', type: 'String' },
  ],
  get_table: () => ({
    disableFiltering: true,
    getRows: async (...all: unknown[]) => {
      asked.push(all);
      return [{ code: 'x', name: 'Ada' }];
    },
  }),
};

beforeAll(async () => {
  await startTables();
  ({ chosenRows } = await import('../../../plugin/saltcorn/bulk/chosen-rows.ts'));
  ({ readShown } = await import('../../../plugin/saltcorn/bulk/shown-rows.ts'));
  // Like Saltcorn's server.
  app = require('express')().set('query parser', 'extended');
  state().registerPlugin('elsewhere', { table_providers: { Elsewhere: provider } });
  const elsewhere = { provider_name: 'Elsewhere', provider_cfg: {} };
  await model('table').create('Strangers', { ...elsewhere, ...forEveryone });
  const table = await createNative('People', columns, people, forEveryone);
  await createNative('Staff', columns, people, { min_role_read: 40 });
  const owned = { min_role_read: 1, ownership_formula: 'nurse === user.id' };
  await createNative('Patients', columns, people, owned);
  const others = await createNative('Others', { name: 'String' }, [{ name: 'Ada' }], forEveryone);
  await createList('list', table, ['name']);
  await createList('wanted', table, ['name'], { include_fml: 'wants' });
  await createList('oldest first', table, ['name'], {
    ...{ _rows_per_page: 1, _order_field: 'age', _descending: true, age: '', name: '' },
  });
  await createList('others', others, ['name']);
  await createList('strangers', model('table').findOne({ name: 'Strangers' }), ['name']);
  for (const kind of ['Edit', 'Filter', 'Show']) await createButtons(kind, kind, table, []);
  await createButtons('feed', 'Feed', table, []);
  const { configuration } = model('view').findOne({ name: 'list' });
  const list = { viewtemplate: 'List', configuration };
  await model('view').create({ ...list, name: 'staff', table_id: table.id, min_role: 40 });
  await model('view').create({ ...list, name: 'by name', exttable_name: 'People', min_role: 100 });
  await model('view').create({
    ...list,
    name: 'others by name',
    exttable_name: 'Others',
    min_role: 100,
  });
  await state().refresh_views();
});
afterEach(() => jest.restoreAllMocks());

/** A request of a user whose role and id are the same number, or of a visitor who is not logged in. */
const request = (role?: number): SaltcornRequest =>
  Object.assign(new IncomingMessage(new Socket()), {
    ...{ app, originalUrl: '/' },
    ...(role && { user: { id: role, role_id: role } }),
  });

const choice = { table: 'People', isOfPage: true, formula: '', limit: 10 };
const choose = async (overrides: object = {}, chooser: Chooser = {}): Promise<Loose[]> =>
  (await chosenRows({ ...choice, ...overrides }, chooser)).rows;
const namesOf = (rows: Loose[]) => rows.map(({ name }) => name);

/** A view in a page, with its URL. */
const viewIn = (view: string, query = '', rest: object = {}) => ({
  ...{ view, url: `/view/${encodeURIComponent(view)}${query}`, isVisible: true },
  ...rest,
});
const pageWith = (views: Shown['views'], url = '/page/x'): Shown => ({ url, views });
const at = (url: string) => pageWith([], url);
const showing = (shown: Shown, role = 80): Chooser => {
  const asked = request(role);
  return { request: asked, page: { shown, request: asked, response: {} } };
};

test.each<[string, () => Chooser]>([
  ['a trigger', () => ({})],
  ['a URL', () => showing(at('/?_gte_id=1'))],
  ['a list', () => showing(pageWith([viewIn('list')]))],
])('rows that %s selects have all their values', async (_, chooser) => {
  const { table, rows } = await chosenRows(choice, chooser());
  expect(table.name).toBe('People');
  expect(rows).toStrictEqual(people);
});

test.each<[who: string, table: string, reader: Chooser | number, names: string[]]>([
  ['a trigger', 'Staff', {}, everyone],
  ['a trigger', 'Patients', {}, everyone],
  ['a user who may read the table', 'Staff', 40, everyone],
  ['a user who may not', 'Staff', 80, []],
  ['a user who owns rows', 'Patients', 80, ['Ada', 'Edsger']],
  ['a user who owns none', 'Patients', 60, []],
  ['a guest', 'People', 0, everyone],
  ['a guest', 'Staff', 0, []],
])('%s selects no row of %s that they may not read', async (_, table, reader, names) => {
  const chooser = typeof reader === 'number' ? { request: request(reader) } : reader;
  for (const formula of ['', '1 === 1']) {
    expect(namesOf(await choose({ table, formula }, chooser))).toStrictEqual(names);
    if (typeof reader === 'number')
      expect(namesOf(await choose({ table, formula }, showing(at('/?_gte_id=1'), reader)))).toEqual(
        names,
      );
  }
});

test.each<[who: string, chooser: () => Chooser, first: number]>([
  ['a trigger', () => ({}), 1],
  ['a user who owns the last rows', () => ({ request: request(80) }), 2_990],
])('%s selects rows that are read in several pages', async (_, chooser, first) => {
  const name = `Crowd${first}`;
  const owned = { min_role_read: 1, ownership_formula: 'nurse === user.id' };
  await createNative(name, { name: 'String', nurse: 'Integer' }, [], owned);
  const count = 3_010;
  await saltcorn('data/db').query(
    `insert into "${name}" (name, nurse) with recursive counting(n) as
      (select 1 union all select n + 1 from counting where n < ${count}) select 'P' || n, case when n >= 2990 then 80 end from counting`,
  );
  const names = Array.from({ length: count - first + 1 }, (_, index) => `P${first + index}`);
  for (const formula of ['', 'id > 0'])
    expect(namesOf(await choose({ table: name, formula, limit: count }, chooser()))).toEqual(names);
});

const places: [where: string, chooser: () => Chooser][] = [
  ['of a table', () => ({})],
  ['of the URL of a page', () => showing(at('/page/x?_gte_id=1'))],
  ['of a list', () => showing(pageWith([viewIn('list')]))],
];
const formulas: [formula: string, names: string[]][] = [
  ['wants', ['Ada', 'Grace', 'Barbara']],
  ['!wants', ['Edsger']],
  ['wants === false', ['Edsger']],
  ['wants !== true', ['Edsger']],
  ['{ wants: true }', ['Ada', 'Grace', 'Barbara']],
  ['age !== 36', ['Grace', 'Edsger']],
  ['born < today()', ['Ada', 'Grace', 'Edsger']],
  ['{ born: null }', ['Barbara']],
  ['{ name: { inSelect: { table: "Others", field: "name", where: {} } } }', ['Ada']],
  ['nurse === user.id', ['Ada', 'Edsger']],
  ['age < $age', ['Ada', 'Edsger']],
];
const filters: [formula: string, names: string[]][] = [
  ['{ name: "Ada" }', ['Ada']],
  ['{ wants: true, age: { gt: 40 } }', ['Grace']],
  ['{ or: [{ name: "Ada" }, { name: "Edsger" }] }', ['Ada', 'Edsger']],
  ['{ not: { wants: true } }', ['Edsger']],
  ['{ name: { in: ["Ada", "Grace"] } }', ['Ada', 'Grace']],
  ['{ age: null }', ['Barbara']],
  ['{ name: row.name }', ['Ada']],
  ['{ name }', ['Ada']],
  ['{ name: name } // this one', ['Ada']],
  ['{ age: { gt: user.id } }', ['Grace']],
  ['{ name: { in: [] } }', []],
  ['{ name: { ilike: "a" }, wants: true }', ['Ada', 'Grace', 'Barbara']],
  ['{ or: [] }', []],
  ['name === "Ada" // this one', ['Ada']],
  ['name === $name', ['Ada']],
  ['nurse === user_id', ['Ada', 'Edsger']],
  ['born < new Date()', ['Ada', 'Grace', 'Edsger']],
  ['born > new Date', []],
  ["name === 'a new Date(1)'", []],
  ['name === "\\"new Date(1)"', []],
  ['1 === 1', everyone],
  ['1 === 2', []],
  ['user.id === 99', []],
  ['name === "Ada" && user.id === 99', []],
];
test.each(filters)('the formula %s selects its rows', async (formula, names) => {
  const scope = { user: { id: 80 }, row: { name: 'Ada' } };
  expect(namesOf(await choose({ formula }, scope))).toStrictEqual(names);
});
test.each(places)('formulas select among the rows %s', async (_, chooser) => {
  const scope = { ...chooser(), user: { id: 80 }, row: { age: 80 } };
  for (const [formula, names] of formulas)
    expect([formula, namesOf(await choose({ formula }, scope))]).toEqual([formula, names]);
});

const nothing = 'It does not use a column.';
const isNow = '“new Date()” is the current time. Write a day as "2026-12-31".';
const tooComplicated = (formula: string) =>
  `Expression "${formula}" is too complicated, I do not understand.`;
const notPlain = (name: string) => `“${name}” is not a text, a number, a date or a list of these.`;
const unexpected = expect.stringMatching(/^Unexpected .*\.$/);
test.each<[formula: string, reason: unknown]>([
  ['false', nothing],
  ['true', nothing],
  ['null', nothing],
  ['{}', nothing],
  ['"name"', nothing],
  ['[]', tooComplicated('[]')],
  ['name = "Ada"', tooComplicated('name = "Ada"')],
  ['name.includes("a")', tooComplicated('name.includes("a")')],
  [
    'user.id === 1 ? { name: "Ada" } : { name: "Grace" }',
    tooComplicated('user.id === 1 ? { name: "Ada" } : { name: "Grace" }'),
  ],
  ['undefined', '“People” has no column “undefined”.'],
  ['nmae === "Ada"', '“People” has no column “nmae”.'],
  ['name === nmae', '“People” has no column “nmae”.'],
  ['nobody()', '“People” has no column “nobody”.'],
  ['name === row.name', '“People” has no column “row”.'],
  [
    '{ nmae: "Ada" }',
    'A filter by “nmae”, which is not a column of this table, is not possible here.',
  ],
  ['{ name: { like: "A%" } }', 'A filter by “like” is not possible here.'],
  ['{ name: {} }', 'The filter “{}” of “name” is not possible here.'],
  ['age > "old"', 'Comparing “age” with “old” is not possible here.'],
  ['{ age: { lt: "old" } }', 'Comparing “age” with “old” is not possible here.'],
  ['{ name: user.nickname }', '“name” has no value.'],
  ['name === user.nickname', '“user.nickname” has no value.'],
  ['name === empty', '“empty” has no value.'],
  ['name === empty.first', '“empty.first” has no value.'],
  ['{ name: row.nickname }', '“name” has no value.'],
  ['{ name: [].pop() }', '“name” has no value.'],
  ['{ age: 0 / 0 }', '“age” has no value.'],
  ['{ name: () => "Ada" }', '“name” has no value.'],
  ['{ name: Symbol() }', '“name” has no value.'],
  ['{ name: row.empty }', '“name” has no value.'],
  ['{ name: name && undefined }', '“name” has no value.'],
  ['{ or: [{ name: "Ada" }, { name: user.nickname }] }', '“name” has no value.'],
  ['{ name: { ilike: "" } }', '“ilike” has no value.'],
  ['{ name: { ilike: [""] } }', '“ilike” has no value.'],
  ['{ name: { ilike: row.blank } }', '“ilike” has no value.'],
  ['{ and: [{ name: { ilike: row.blank } }, { wants: true }] }', '“ilike” has no value.'],
  ['{ _fts: { searchTerm: " ", fields: [] } }', '“searchTerm” has no value.'],
  ['{ and: [] }', '“and” has no value.'],
  ['name === $nickname', '“$nickname” has no value.'],
  ['name === $empty', '“$empty” has no value.'],
  ['{ name: any }', notPlain('name')],
  ['{ not: { name: row.any } }', notPlain('name')],
  ['{ name: { not: any } }', notPlain('not')],
  ['{ name: row }', notPlain('name')],
  ['{ name: user }', notPlain('name')],
  ['{ name: user.any }', notPlain('name')],
  ['{ name: list }', notPlain('0')],
  ['{ or: list }', notPlain('0')],
  ['{ ...any }', 'A filter by “ilike”, which is not a column of this table, is not possible here.'],
  ['name === $any', notPlain('$any')],
  ['name === any', notPlain('any')],
  ['name === $list', notPlain('$list')],
  ['name === user.any', notPlain('user.any')],
  ['age < new Date("2020-01-01")', isNow],
  ['age < new Date(2020, 1)', isNow],
  ['age < new Date().getDay()', isNow],
  ['age < new Date[0]', isNow],
  ['name === "new" && age < new /* */ Date(0)', isNow],
  ['{ name: "Ada"', unexpected],
  ['name === "Ada" and wants', unexpected],
  ['name === "Ada") || (wants', unexpected],
  ['name === "Ada"], [wants', unexpected],
])('refuses the formula %s', async (formula, reason) => {
  // A request's body or a JSON column can hold an object, which Saltcorn would take for an operator.
  const objects = { any: { ilike: '%' }, list: [{ ilike: '%' }] };
  const row = { name: 'Ada', empty: null, blank: '', ...objects };
  const scope = { row, user: { id: 80, any: objects.any } };
  const { code, message } = await choose({ formula }, scope).catch((error) => error);
  const [, said] =
    /^“Only where” is invalid, so nothing was done: (.*) Write it as in a list, such as status === "busy", or as { status: "busy" }\.$/.exec(
      message,
    ) ?? [];
  expect([code, said]).toEqual(['input', reason]);
});

test.each(['nurse === user.id', 'nurse === user_id', '{ nurse: user.id }', '{ name: row.name }'])(
  'refuses the formula %s without a user and a row',
  async (formula) => {
    await expect(choose({ formula })).rejects.toMatchObject({ code: 'input' });
  },
);

test('a formula narrows down the rows that are shown', async () => {
  const formula = 'age > 40';
  const shown = [at('/page/x?wants=true'), pageWith([viewIn('list', '?wants=true')])];
  for (const one of shown)
    expect(namesOf(await choose({ formula }, showing(one)))).toEqual(['Grace']);
});

const tooMany = (limit: number, count = `More than ${limit}`) => ({
  code: 'input',
  message: `${count} rows of “People” match, but “Maximum rows” is ${limit}, so nothing was sent. Filter them, or raise it in the action's settings, up to 100,000.`,
});
test.each(places)('selects up to the limit of the rows %s, or none', async (_, chooser) => {
  expect(namesOf(await choose({ limit: 4 }, chooser()))).toEqual(everyone);
  await expect(choose({ limit: 3 }, chooser())).rejects.toMatchObject(tooMany(3));
  // The limit counts matching rows, not those on the page.
  const last = { formula: 'name === "Barbara"', limit: 1 };
  expect(namesOf(await choose(last, chooser()))).toEqual(['Barbara']);
  const first = { formula: 'wants', limit: 2 };
  await expect(choose(first, chooser())).rejects.toMatchObject(tooMany(2));
  // A formula is evaluated for every row, so the number of matching rows is known.
  const known = { formula: 'wants', limit: 1 };
  await expect(choose(known, chooser())).rejects.toMatchObject(tooMany(1, '3'));
});

test.each<[what: string, shown: Shown, names: string[]]>([
  ['a URL', at('/page/x?wants=false'), ['Edsger']],
  ['a URL with an empty value', at('/page/x?name=&age=85'), ['Grace']],
  ['a URL with pages of another list', at('/page/x?_1a2b3_page=2&age=85'), ['Grace']],
  ['a URL with a search', at('/page/x?_fts_People=edsg'), ['Edsger']],
  ['a URL with the value null', at('/page/x?age=null'), ['Barbara']],
  ['a URL with several values', at('/page/x?age=36&age=85'), ['Ada', 'Grace']],
  ['a list', pageWith([viewIn('list', '?wants=false')], '/page/x?wants=true'), ['Edsger']],
  ['a list whose URL ends with a slash', pageWith([viewIn('list', '/?age=85')]), ['Grace']],
  ['a list with an empty value', pageWith([viewIn('list', '?name=&age=85')]), ['Grace']],
  ['a list with a filter of its own', pageWith([viewIn('wanted', '?_gte_age=80')]), ['Grace']],
  [
    'a list on a later page',
    pageWith([viewIn('list', '?_1a2b3_page=2&_1a2b3_pagesize=1&_1a2b3_sortby=name')]),
    everyone,
  ],
  [
    'a list with an order and pages of its own',
    pageWith([viewIn('oldest first')]),
    ['Grace', 'Edsger', 'Ada', 'Barbara'],
  ],
  ['a list that names its table', pageWith([viewIn('by name', '?age=85')]), ['Grace']],
  [
    'a list with alternative conditions',
    pageWith([viewIn('list', '?or[0][age]=36&or[1][age]=85')]),
    ['Ada', 'Grace'],
  ],
  ['an empty list', pageWith([viewIn('list', '', { isEmpty: true })]), []],
  [
    'the same list twice',
    pageWith([viewIn('list', '?age=85'), viewIn('list', '?age=85&_1a2b3_page=2')]),
    ['Grace'],
  ],
  [
    'the only visible list',
    pageWith([viewIn('wanted', '', { isVisible: false }), viewIn('list')]),
    everyone,
  ],
  [
    'a list that is not visible yet',
    pageWith([viewIn('wanted', '', { isVisible: false })]),
    ['Ada', 'Grace', 'Barbara'],
  ],
  [
    'a list next to an empty view',
    pageWith([viewIn('wanted'), ...['', 'null'].map((view) => ({ ...viewIn(view), url: '' }))]),
    ['Ada', 'Grace', 'Barbara'],
  ],
  [
    'a list next to other views',
    pageWith(['Edit', 'Filter', 'Show', 'others', 'list'].map((view) => viewIn(view))),
    everyone,
  ],
  [
    'the URL, next to lists of other tables',
    pageWith(
      ['Edit', 'Filter', 'Show', 'others', 'others by name'].map((view) => viewIn(view)),
      '/page/x?age=85',
    ),
    ['Grace'],
  ],
])('selects rows by %s', async (_, shown, names) => {
  expect(namesOf(await choose({}, showing(shown)))).toStrictEqual(names);
});

test('uses a list only for users who may see it, and nothing instead', async () => {
  const shown = pageWith([viewIn('staff', '?age=36')], '/page/x?age=85');
  expect(namesOf(await choose({}, showing(shown, 40)))).toEqual(['Ada']);
  const message =
    'You may not see “staff”, which shows rows of “People” on this page. Nothing was done.';
  for (const role of [41, 0])
    for (const formula of ['', 'wants'])
      await expect(choose({ formula }, showing(shown, role))).rejects.toMatchObject({
        code: 'input',
        message,
      });
  const both = pageWith([...shown.views, viewIn('list', '?age=85')]);
  expect(namesOf(await choose({}, showing(both, 41)))).toEqual(['Grace']);
});

test.each(['/page/x', '/page/x?', '/page/x?name=', '/page/x?_1a2b3_page=2&age='])(
  'never takes all rows for those of the page %s, which has neither a list nor a filter',
  async (url) => {
    for (const table of ['People', 'Strangers'])
      for (const formula of ['', 'name === "Ada"'])
        await expect(choose({ table, formula }, showing(at(url)))).rejects.toMatchObject({
          code: 'input',
          message: `The page shows no list of “${table}”, and its URL has no filter. In the settings of the button, switch off “Only rows on the page”, and say which ones under “Only where”. Nothing was done.`,
        });
    expect(asked).toEqual([]);
  },
);

const several =
  'The page has several lists of “People”, which show different rows. In the settings of the button, switch off “Only rows on the page”, and say which ones under “Only where”. Nothing was done.';
const unknown =
  "The plugin can't tell which rows of “People” the list “list” shows. Nothing was done.";
const noList =
  "“feed” is not a list, so the plugin can't tell which rows of “People” it shows. Nothing was done.";
const unread = (label: string) =>
  `The plugin can't read the page's filter by “${label}”. Nothing was done.`;
const noFilter = (name: string) =>
  `“${name}” in the page's URL is not a filter of “People”. Nothing was done.`;
const badAddress = "The plugin can't read the page's URL. Open the page again. Nothing was done.";

test.each<[what: string, shown: Shown, message: string]>([
  ['lists with different names', pageWith([viewIn('list'), viewIn('by name')]), several],
  ['lists with different rows', pageWith([viewIn('list'), viewIn('list', '?age=1')]), several],
  [
    'two lists, one of them empty',
    pageWith([viewIn('list'), viewIn('list', '', { isEmpty: true })]),
    several,
  ],
  [
    'three lists, the third different',
    pageWith([viewIn('list'), viewIn('list'), viewIn('wanted')]),
    several,
  ],
  ['a view that is not a list', pageWith([viewIn('feed')]), noList],
  ['a list next to a view that is not a list', pageWith([viewIn('list'), viewIn('feed')]), noList],
  ['a list at a URL that is not a view', pageWith([{ ...viewIn('list'), url: '/' }]), unknown],
  ['a list at the URL of another', pageWith([{ ...viewIn('list'), url: '/view/wanted' }]), unknown],
  [
    'a list with an unreadable filter',
    pageWith([viewIn('list', '?name=Ada&name=[object Object]')]),
    unknown,
  ],
  ['a list with text for a number', pageWith([viewIn('list', '?age=old')]), unread('age')],
  ['a list at a malformed URL', pageWith([{ ...viewIn('list'), url: '/view/%E0' }]), badAddress],
  [
    'a deleted view',
    pageWith([viewIn('list'), viewIn('gone')]),
    'The page shows “gone”, which no longer exists. Reload the page. Nothing was done.',
  ],
  ['a URL with text for a number', at('/page/x?age=old'), unread('age')],
  ['a malformed URL', at('/page/%E0'), badAddress],
  ['a URL with a misspelt filter', at('/page/x?naem=Ada'), noFilter('naem')],
  [
    'a URL with a misspelt and another filter',
    at('/page/x?_gte_aeg=1&age=85'),
    noFilter('_gte_aeg'),
  ],
  ['a URL with a search in another table', at('/page/x?_fts_Others=Ada'), noFilter('_fts_Others')],
  ['a URL with a filter that is only wildcards', at('/page/x?name=%25'), noFilter('name')],
])('refuses %s', async (_, shown, message) => {
  await expect(choose({}, showing(shown))).rejects.toMatchObject({ code: 'input', message });
});

test('refuses a URL that Saltcorn and the plugin read differently', async () => {
  const shown = at('/page/x?_fromdate_born=x');
  await expect(choose({}, showing(shown))).rejects.toMatchObject({
    code: 'input',
    message: expect.stringContaining('is not possible here.'),
  });
});

describe('reads no more rows from a provider than the limit allows', () => {
  const rows = [{ code: 'x', name: 'Ada' }];
  const formula = 'name === "Ada"';
  beforeEach(() => void asked.splice(0));

  test.each<[what: string, overrides: object, chooser: () => Chooser, where: object, rest: object]>(
    [
      ['for a trigger', {}, () => ({}), {}, {}],
      ['for a trigger with a formula', { formula }, () => ({}), { name: 'Ada' }, {}],
      [
        'for a user on a page',
        {},
        () => showing(at('/?name=Ada')),
        { name: { ilike: 'Ada' } },
        { forUser: { id: 80, role_id: 80 } },
      ],
      [
        'for a guest on a page, with a formula',
        { formula },
        () => showing(at('/?name=Ad'), 0),
        { and: [{ name: { ilike: 'Ad' } }, { name: 'Ada' }] },
        { forPublic: true },
      ],
    ],
  )('%s', async (_, overrides, chooser, where, rest) => {
    expect(await choose({ table: 'Strangers', ...overrides }, chooser())).toEqual(rows);
    expect(asked).toEqual([[where, { limit: 11, ...rest }]]);
  });
});

test('refuses a list whose module does not report what it shows', async () => {
  const { viewtemplates } = state();
  jest.replaceProperty(viewtemplates, 'List', { ...viewtemplates.List, queries: undefined });
  const message = '“list” is not a list. Nothing was done.';
  const error = { code: 'input', message };
  await expect(choose({}, showing(pageWith([viewIn('list')])))).rejects.toMatchObject(error);
});

test('a formula filters a list of a provider', async () => {
  const shown = pageWith([viewIn('strangers')]);
  for (const [name, count] of Object.entries({ Ada: 1, Bob: 0 })) {
    const formula = `name === "${name}"`;
    expect(await choose({ table: 'Strangers', formula }, showing(shown))).toHaveLength(count);
  }
});

test.each<[what: string, overrides: object, message: string]>([
  ['a deleted table', { table: 'Clients' }, 'There is no table “Clients”.'],
  [
    'columns that cannot hold the outcome',
    { notes: { outcome: 'age', sid: 'name', time: 'born' } },
    '“Outcome column” needs a column of “People” of the type String that is neither required nor unique. Nothing was done.',
  ],
])('refuses %s', async (_, overrides, message) => {
  await expect(choose(overrides)).rejects.toMatchObject({ code: 'input', message });
});

const view = { view: 'list', url: '/view/list', isVisible: false };
test('reads a browser’s report of the shown views', () => {
  const views = [view, { ...view, isEmpty: true }];
  expect(readShown({ url: '/page/x?y=1', views })).toStrictEqual({ url: '/page/x?y=1', views });
});

test.each<[said: Parameters<typeof readShown>[0]]>([
  [undefined],
  [{}],
  [{ url: '/' }],
  [{ url: '/', views: 'list' }],
  [{ views: [] }],
  [{ url: 1, views: [] }],
  [{ url: 'http://[', views: [] }],
  ...[null, 'list', { ...view, view: 1 }, { ...view, url: 1 }, { ...view, isVisible: 1 }].map(
    (part): [object] => [{ url: '/', views: [view, part] }],
  ),
])('rejects the browser report %j', (said) => {
  const message = 'The page did not report which rows it shows. Reload it. Nothing was done.';
  expect(() => readShown(said)).toThrow(expect.objectContaining({ code: 'input', message }));
});

test('rejects a report of more views than a page has', () => {
  const views = Array.from({ length: 1_000 }, () => view);
  expect(readShown({ url: '/', views })).toStrictEqual({ url: '/', views });
  const more = { url: '/', views: [...views, view] };
  expect(() => readShown(more)).toThrow('The page did not report which rows it shows. Reload it.');
});
