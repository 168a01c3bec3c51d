import {
  button,
  createButtons,
  createList,
  createNative,
  createPage,
  createTable,
  createView,
  embedded,
  forEveryone,
} from '../app.ts';
import { artefact, type Host, installPlugin, type Loose, model, startSaltcorn } from '../host.ts';
import { startWebsite, type Visitor, type Website } from '../website.ts';
import { press, viewsIn } from './press.ts';

let host: Host;
let website: Website;
let boss: Visitor;
let people: Loose;

const configuration = {
  rows_table: 'People',
  from: '+14155550100',
  to: '{{ phone }}',
  body: 'Dear {{ name }}',
};
const rowsButton = (rndid: string, overrides: object = {}) =>
  button(rndid, 'Send SMS for each row', { ...configuration, ...overrides });

const columns = { name: 'String', phone: 'String', wants: 'Bool', age: 'Integer', born: 'Date' };
const born = (year: number) => new Date(year, 0, 1);
const rows = [
  { name: 'Ada', phone: '+12025550101', wants: true, age: 36, born: born(1815) },
  { name: 'Grace', phone: '+12025550102', wants: true, age: 85, born: born(1906) },
  { name: 'Edsger', phone: '+12025550103', wants: false, age: 72, born: born(1930) },
  { name: 'Barbara', phone: '+12025550104', wants: true, age: null, born: null },
];
const everyone = rows.map(({ name }) => name).sort();

beforeAll(async () => {
  host = await startSaltcorn();
  await installPlugin(artefact, { ...host.settings, minimumRole: '80' });
  website = await startWebsite();
  people = await createNative('People', columns, rows, forEveryone);
  await createNative('Others', { name: 'String' }, [{ name: 'Nobody' }], forEveryone);
  boss = await website.user();
});
beforeEach(() => {
  host.sandbox.messages.length = 0;
});

/** Presses a button, and returns the names in the preview, or the reason why there is none. */
async function previewFor(path: string, shown: object, body: object = {}): Promise<unknown> {
  const { popup, notify } = await press(boss, path, shown, body);
  if (!popup) return notify;
  const question = await boss.get(popup);
  expect(host.sandbox.messages).toEqual([]);
  const names = [...question.matchAll(/<li>(\w+) \(/g)].map(([, name]) => name);
  // The preview names rows of the same number in a list of their own, too.
  return [...new Set(names)].sort();
}

/** The same on the page of a URL. */
async function previewAt(url: string, rndid = 'rows') {
  const [page] = url.split('?');
  return previewFor(`${page}/action/${rndid}`, { url, views: viewsIn(await boss.get(url)) });
}

let made = 0;
/** A page with a button and other things. */
async function pageWith(...above: object[]) {
  made += 1;
  const name = `page${made}`;
  await createPage(name, rowsButton('rows'), ...above);
  return `/page/${name}`;
}

describe('without a list, the batch', () => {
  const addresses: [query: string, names: string[]][] = [
    ['?wants=false', ['Edsger']],
    ['?name=Gra&age=', ['Grace']],
    ['?age=72&age=36', ['Ada', 'Edsger']],
    ['?_gte_age=72', ['Edsger', 'Grace']],
    ['?age=null', ['Barbara']],
    ['?name=Nobody', []],
  ];
  test.each(addresses)('has the rows that the URL query “%s” selects', async (query, names) => {
    const asked = await previewAt((await pageWith(embedded('others'))) + query);
    expect(asked).toEqual(
      names.length > 0 ? names : 'No row of “People” matches, so nothing was sent.',
    );
  });
  test('refuses a page without a filter, or with a misspelt one, instead of taking all rows', async () => {
    const page = await pageWith(embedded('others'));
    expect(await previewAt(page)).toContain(
      'The page shows no list of “People”, and its URL has no filter.',
    );
    expect(await previewAt(`${page}?wnats=false`)).toContain(
      "“wnats” in the page's URL is not a filter of “People”.",
    );
  });

  beforeAll(async () => {
    const others = await createNative('Elsewhere', { name: 'String' }, [], forEveryone);
    await createList('others', others, ['name']);
  });

  test('refuses a URL query that it cannot parse', async () => {
    const page = await pageWith();
    for (const query of ['age=old', 'born=soon', '_lte_age=x', '_fromdate_born=x'])
      expect(await previewAt(`${page}?${query}`)).toMatch(/Nothing was done|not possible here/);
  });
});

describe('with a list, the batch', () => {
  beforeAll(async () => {
    await createList('list', people, ['name', 'phone']);
    await createList('short', people, ['name'], { _rows_per_page: 2 });
    await createList('grown', people, ['name'], { include_fml: 'age > 40' });
    await createButtons('person', 'Show', people, [rowsButton('rows')]);
    await createView('feed', 'Feed', people, { show_view: 'person' });
  });

  test('refuses a URL that it cannot parse', async () => {
    const page = await pageWith(embedded('list'));
    for (const query of ['age=old', 'born=soon', 'age=72&age=old'])
      expect(await previewAt(`${page}?${query}`)).toMatch(
        /The plugin can't read the page's .*\. Nothing was done/,
      );
    const url = '/view/%E0%A4%A';
    const said = { url, views: viewsIn(await boss.get(page)).map((view) => ({ ...view, url })) };
    expect(await previewFor(`${page}/action/rows`, said)).toMatch(
      /The plugin can't read the page's URL\. Open the page again\. Nothing was done/,
    );
  });

  const lists: [what: string, views: object[], query: string, names: string[]][] = [
    ['filtered by the URL of the page', [embedded('list')], '?wants=false', ['Edsger']],
    [
      'with a fixed filter',
      [embedded('list', 'fixed', { wants: true })],
      '',
      ['Ada', 'Barbara', 'Grace'],
    ],
    [
      'with a fixed filter, even if the URL has another one',
      [embedded('list', 'fixed', { name: 'Ada' })],
      '?name=Grace',
      ['Ada'],
    ],
    ['with a formula', [embedded('grown')], '', ['Edsger', 'Grace']],
    ['with a formula and filtered by the URL', [embedded('grown')], '?name=Grace', ['Grace']],
    ['with more rows than fit on one of its pages', [embedded('short')], '', everyone],
    ['with a search', [embedded('list')], '?_fts_People=Edsger', ['Edsger']],
    ['that is on the page twice', [embedded('list'), embedded('list')], '?wants=false', ['Edsger']],
  ];
  test.each(lists)('has the rows of a list %s', async (_, views, query, names) => {
    expect(await previewAt((await pageWith(...views)) + query)).toEqual(names);
  });

  const boundTo = (view: string, extra_state_fml: string) => ({
    ...embedded(view, 'local'),
    extra_state_fml,
  });

  test('is empty if the list is empty', async () => {
    const callers = await createTable('Callers', 'Telephony: Calls by caller id');
    await createList('callers', callers, ['sid']);
    await createPage(
      'callers',
      boundTo('callers', '{ from: [] }'),
      rowsButton('rows', {
        rows_table: 'Callers',
        to: '{{ from }}',
        body: 'Hello',
        rows_limit: 1000,
      }),
    );
    const shown = { url: '/page/callers', views: viewsIn(await boss.get('/page/callers')) };
    const noMatch = /^No row of “\w+” matches, so nothing was sent\.$/;
    expect(await previewFor('/page/callers/action/rows', shown)).toMatch(noMatch);
    expect(await previewAt(`${await pageWith(embedded('list'))}?phone[]=`)).toMatch(noMatch);
  });

  test('follows a filter that the visitor changed on the page', async () => {
    const page = await pageWith(embedded('list', 'local'));
    const [view, ...others] = viewsIn(await boss.get(page));
    const shown = { url: '/view/list', isVisible: true, isEmpty: false };
    expect([view, others]).toEqual([{ view: 'list', ...shown }, []]);
    const changed = { ...view, url: '/view/list?wants=true&_1a2b3_page=2&_1a2b3_sortby=name' };
    const said = { url: page, views: [changed] };
    expect(await previewFor(`${page}/action/rows`, said)).toEqual(['Ada', 'Barbara', 'Grace']);
  });

  test('has the rows of a list in a popup', async () => {
    const page = await pageWith(embedded('list'));
    const url = '/view/list?wants=false';
    const shown = { url, views: viewsIn(await boss.get(url)) };
    expect(await previewFor(`${page}/action/rows`, shown)).toEqual(['Edsger']);
  });

  test('has the rows of the visible list', async () => {
    const page = await pageWith(embedded('list', 'fixed', { wants: true }), embedded('grown'));
    const views = viewsIn(await boss.get(page)).map((view) => ({
      ...view,
      isVisible: view.view === 'grown',
    }));
    expect(await previewFor(`${page}/action/rows`, { url: page, views })).toEqual([
      'Edsger',
      'Grace',
    ]);
  });

  test('has the related rows that a view of one row shows', async () => {
    const key = { type: 'Key to People', attributes: { summary_field: 'name' } };
    const friends = await createNative(
      'Friends',
      { name: 'String', phone: 'String', of: key },
      [],
      forEveryone,
    );
    for (const [of, name] of [
      [1, 'Charles'],
      [2, 'John'],
      [1, 'Mary'],
    ])
      await friends.insertRow({ of, name, phone: `+1202555020${of}` });
    await createList('friends', friends, ['name']);
    const list = {
      type: 'view',
      view: 'friends',
      name: 'friends',
      state: 'shared',
      relation: '.People.Friends$of',
    };
    const toFriends = rowsButton('rows', { rows_table: 'Friends', body: '{{ name }}' });
    await createView('with friends', 'Show', people, {
      columns: [{ ...toFriends, type: 'Action' }],
      layout: { above: [toFriends, list] },
    });
    const url = '/view/with friends?id=1';
    const shown = { url, views: viewsIn(await boss.get(url)) };
    const body = { rndid: 'rows', id: 1 };
    expect(await previewFor('/view/with friends/run_action', shown, body)).toEqual([
      'Charles',
      'Mary',
    ]);
  });

  const refusals: [what: string, views: object[], query: string, sentence: string][] = [
    [
      'several lists that show different rows',
      [embedded('list'), embedded('grown')],
      '',
      'The page has several lists of “People”',
    ],
    ['a view that is not a list', [embedded('feed')], '', '“feed” is not a list'],
    [
      'a list next to a view that is not a list',
      [embedded('list'), embedded('feed')],
      '',
      '“feed” is not a list',
    ],
    [
      'a list with more conditions than its URL shows',
      [boundTo('list', '{ and: [{ name: "Ada" }] }')],
      '',
      "The plugin can't tell which rows of “People” the list “list” shows.",
    ],
    [
      'a list with alternative conditions',
      [embedded('list')],
      '?or[0][name]=Ada',
      "The plugin can't tell which rows of “People” the list “list” shows.",
    ],
  ];
  test.each(refusals)('refuses %s', async (_, views, query, sentence) => {
    const asked = await previewAt((await pageWith(...views)) + query);
    expect(asked).toContain(sentence);
    expect(asked).toMatch(/Nothing was done|say which ones/);
  });

  test.each<[how: string, minRole: number, list: object, sentence: string]>([
    ['by its own minimum role', 40, {}, 'You may not see “staff”, which shows rows of “People”'],
    ['by the page', 100, { minRole: 40 }, 'The page shows no list of “People”'],
  ])(
    'selects nothing for a user from whom a list is hidden %s',
    async (_, minRole, list, sentence) => {
      made += 1;
      const name = minRole === 40 ? 'staff' : `list${made}`;
      await createView(
        name,
        'List',
        people,
        model('view').findOne({ name: 'grown' }).configuration,
        minRole,
      );
      const page = await pageWith({ ...embedded(name), ...list });
      const receptionist = await website.user(80);
      const shown = { url: page, views: viewsIn(await receptionist.get(page)) };
      const { popup, notify } = await press(receptionist, `${page}/action/rows`, shown);
      expect([popup, notify]).toEqual([undefined, expect.stringContaining(sentence)]);
    },
  );

  const incompleteReports: [what: string, shown: object][] = [
    ['nothing', {}],
    ['no views', { url: '/page/page1' }],
    ['no URL', { views: [] }],
    ['a list without a URL', { url: '/', views: [{ view: 'list', url: '', isVisible: true }] }],
    [
      'a list at the URL of another list',
      { url: '/', views: [{ view: 'list', url: '/view/grown', isVisible: true }] },
    ],
  ];
  test.each(incompleteReports)('refuses a page that reports %s', async (_, shown) => {
    const page = await pageWith(embedded('list'));
    expect(await previewFor(`${page}/action/rows`, shown)).toContain('Nothing was done');
  });
});

describe('a formula', () => {
  const asked = async (rows_where: string, rest: object = {}, body?: object) => {
    made += 1;
    const choosing = rowsButton('rows', { rows_where, rows_of_page: false, ...rest });
    await createButtons(`view${made}`, 'Show', people, [choosing]);
    return previewFor(`/view/view${made}/run_action`, {}, { rndid: 'rows', id: 1, ...body });
  };

  /** The names in a Saltcorn list with the same formula. */
  async function listed(include_fml: string) {
    made += 1;
    await createList(`oracle${made}`, people, ['name'], { include_fml });
    const html = await boss.get(`/view/oracle${made}`);
    return everyone.filter((name) => html.includes(`>${name}<`));
  }

  const asInLists: [formula: string, names: string[]][] = [
    ['name === "Ada"', ['Ada']],
    ['name !== "Ada"', ['Barbara', 'Edsger', 'Grace']],
    ['wants', ['Ada', 'Barbara', 'Grace']],
    ['!wants', ['Edsger']],
    ['wants === true && age > 40', ['Grace']],
    ['name === "Ada" || age >= 85', ['Ada', 'Grace']],
    ['age === null', ['Barbara']],
    ['!(name === "Ada" || name === "Grace")', ['Barbara', 'Edsger']],
    ['age > 40 && age < 80', ['Edsger']],
    ['1 === 1', everyone],
    ['user.role_id === 1', everyone],
  ];
  test.each(asInLists)('%s selects the same rows as in a list', async (formula, names) => {
    expect(await asked(formula)).toEqual(names);
    expect(await listed(formula)).toEqual(names);
  });

  test('with an unknown column sends nothing and says why', async () => {
    expect(await asked('nmae === "Ada"')).toBe(
      '“Only where” is invalid, so nothing was done: “People” has no column “nmae”. Write it as in a list, such as status === "busy", or as { status: "busy" }.',
    );
  });

  test('can use values of the row that the button is in', async () => {
    expect(await asked('name === $name')).toEqual(['Ada']);
    expect(await asked('{ name }', {}, { id: 2 })).toEqual(['Grace']);
  });

  test('that uses an empty value of that row is refused', async () => {
    // Barbara has no age.
    expect(await asked('age === $age', {}, { id: 4 })).toContain('“$age” has no value.');
    expect(await asked('{ age: row.age }', {}, { id: 4 })).toContain('“age” has no value.');
  });

  test('narrows down the rows that the page shows', async () => {
    made += 1;
    await createPage(
      `both${made}`,
      rowsButton('rows', { rows_where: 'age > 40' }),
      embedded('list'),
    );
    expect(await previewAt(`/page/both${made}?wants=true`)).toEqual(['Grace']);
  });

  const settings: [settings: object, sentence: string][] = [
    [
      { rows_limit: 3 },
      "More than 3 rows of “People” match, but “Maximum rows” is 3, so nothing was sent. Filter them, or raise it in the action's settings, up to 100,000.",
    ],
    [{ rows_limit: 0 }, '“Maximum rows” must be a whole number from 1 to 100,000.'],
    [{ rows_limit: 'many' }, '“Maximum rows” must be a whole number from 1 to 100,000.'],
    [{ rows_where: false }, '“Only where” is not a formula.'],
    [{ rows_where: {} }, '“Only where” is not a formula.'],
    [{ rows_table: 'Clients' }, 'There is no table “Clients”.'],
    [{ rows_table: undefined }, '“Rows of” is empty. Choose a table.'],
  ];
  test.each(settings)('is refused with the settings %j', async (overrides, sentence) => {
    expect(await asked('', overrides)).toBe(sentence);
  });
});

describe('rows of the service', () => {
  const record = (overrides: object) =>
    button('rows', 'Create a Call Recording for each row', {
      ...{ rows_table: 'Calls', callSid: '{{ sid }}', ...overrides },
    });
  const asked = async (overrides: object, query = '', ...views: object[]) => {
    made += 1;
    await createPage(`calls${made}`, record(overrides), ...views);
    const url = `/page/calls${made}${query}`;
    const shown = { url, views: viewsIn(await boss.get(url)) };
    const { popup, notify } = await press(boss, `/page/calls${made}/action/rows`, shown);
    if (!popup) return notify;
    const [, count] = /for (\d+) rows? of/.exec(await boss.get(popup)) ?? [];
    return Number(count);
  };
  const count = (status: string) =>
    host.sandbox.calls.filter((call) => call.status === status).length;

  beforeAll(async () => {
    const calls = await createTable('Calls', 'Telephony: Calls by caller id');
    await createList('calls', calls, ['from', 'status'], { include_fml: 'status === "busy"' });
  });

  test('can be selected by a formula of either kind', async () => {
    for (const rows_where of ['status === "in-progress"', '{ status: "in-progress" }'])
      expect(await asked({ rows_where, rows_of_page: false })).toBe(count('in-progress'));
  });

  test('can be selected by the page and by its list', async () => {
    expect(await asked({}, '?status=failed')).toBe(count('failed'));
    expect(await asked({}, '', embedded('calls'))).toBe(count('busy'));
    expect(await asked({ rows_where: 'status === "failed"' }, '', embedded('calls'))).toBe(
      'No row of “Calls” matches, so nothing was sent.',
    );
  });

  test('are refused if the formula misspells a column', async () => {
    expect(await asked({ rows_where: 'satus === "busy"' })).toContain(
      '“Calls” has no column “satus”.',
    );
    expect(await asked({ rows_where: '{ satus: "busy" }' })).toContain(
      '“satus”, which is not a column',
    );
  });
});
