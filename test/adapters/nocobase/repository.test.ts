import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Accounts } from '../../../plugin/nocobase/server/account/account.ts';
import { TelephonyRepository } from '../../../plugin/nocobase/server/data-source/repository.ts';
import type { Tickets } from '../../../plugin/nocobase/server/media/tickets.ts';
import type { Context } from '../../../plugin/nocobase/server/nocobase.ts';
import { readTranslations } from '../../../schema/read-translations.ts';
import { connect, definitions, isPage } from '../../../src/builder.ts';
import { gateTo } from '../../support/gate.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { root } from '../../support/root.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';

jest.mock('@nocobase/utils', () => ({ parseDate: (value: unknown) => value }), { virtual: true });

// In NocoBase, it ignores its arguments.
jest.spyOn(Number.prototype, 'toLocaleString').mockImplementation(function (this: number) {
  return String(this);
});

// How NocoBase's queries of a collection become requests and rows. Tests in its server cover the queries of its lists and rights.

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await openSandbox();
});

beforeEach(() => void takeRequests(sandbox));

/** Opens a collection of a data source and an account. */
function open(id: string, baseUrl = sandbox.url) {
  const source = definitions.dataSources.find((one) => one.id === id);
  if (!source) throw new Error(`There is no ${id}.`);
  const { username, password } = sandbox;
  const telephony = connect({ username, password, baseUrl });
  const account = { telephony: () => telephony, settings: {} };
  const accounts = {
    get: async (key: string) => {
      expect(key).toBe('main account');
      return account;
    },
  } as unknown as Accounts;
  const issued: string[] = [];
  const tickets = {
    issue: ({ key }: { key: string }) => {
      issued.push(key);
      return `for ${key}`;
    },
  } as unknown as Tickets;
  const collection = {};
  const repository = new TelephonyRepository(collection, source, {
    ...{ accounts, tickets, key: 'main account' },
  });
  expect(repository.collection).toBe(collection);
  const all = async (input = {}) => {
    const page = await telephony.run(source.id, { pageSize: 1000, ...input });
    takeRequests(sandbox);
    return isPage(page) ? page.records : [];
  };
  return { repository, all, issued };
}

/** A visitor's request, which NocoBase passes on. */
const visit = (id: number, query: object = {}) =>
  ({
    ...{ res: new EventEmitter(), auth: { user: { id } }, state: {}, query },
    t: (text: string) => text,
  }) as unknown as Context;

const [first, second] = [visit(1), visit(2)];
const refused = (message: unknown) => expect.objectContaining({ code: 'input', message });
const calls = 'calls-by-caller-id';

describe('a page', () => {
  test('has the rows that NocoBase shows, plus an empty one if more follow', async () => {
    const { repository, all } = open(calls);
    const rows = await repository.find({ limit: 21, context: first });
    expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?PageSize=20']);
    expect(rows).toEqual([...(await all()).slice(0, 20), {}]);
  });

  test('without further rows has no extra row', async () => {
    const { repository } = open(calls);
    const busy = sandbox.calls.filter(({ status }) => status === 'busy');
    const filter = { status: { $eq: 'busy' } };
    const rows = await repository.find({ filter, limit: busy.length + 1, context: first });
    expect(rows.map(({ sid }) => sid)).toEqual(sidsOf(busy));
    expect(takeRequests(sandbox)).toEqual([`GET /Calls.json?Status=busy&PageSize=${busy.length}`]);
  });

  test('of one row has that row alone', async () => {
    const { repository, all } = open(calls);
    const rows = await repository.find({ limit: 1 });
    expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?PageSize=1']);
    expect(rows).toEqual((await all()).slice(0, 1));
  });

  test('continues where the previous one ended, separately for each visitor and filter', async () => {
    const { repository, all } = open(calls);
    const page = async (context: Context, offset: number, filter?: object) => {
      const rows = await repository.find({ offset, limit: 11, filter, context });
      return { rows: rows.slice(0, 10), requests: takeRequests(sandbox) };
    };
    const whole = await all();
    const next = [expect.stringMatching(/^GET \/Calls\.json\?PageSize=10&Page=1&PageToken=/)];
    const firstRequest = ['GET /Calls.json?PageSize=10'];
    expect(await page(first, 0)).toEqual({ rows: whole.slice(0, 10), requests: firstRequest });
    expect(await page(first, 10)).toEqual({ rows: whole.slice(10, 20), requests: next });
    expect(await page(first, 10)).toEqual({ rows: whole.slice(10, 20), requests: [] });
    expect(await page(second, 10)).toEqual({
      ...{ rows: whole.slice(10, 20), requests: ['GET /Calls.json?PageSize=20'] },
    });
    expect(await page(first, 0)).toEqual({ rows: whole.slice(0, 10), requests: firstRequest });
    const completed = await all({ status: 'completed' });
    expect(await page(first, 10, { status: 'completed' })).toEqual({
      rows: completed.slice(10, 20),
      requests: ['GET /Calls.json?Status=completed&PageSize=20'],
    });
  });

  test('in the middle of a fully read list still has the extra row', async () => {
    const { repository, all } = open(calls);
    const busy = await all({ status: 'busy' });
    const page = (offset: number) =>
      repository.find({ filter: { status: 'busy' }, offset, limit: 3, context: first });
    for (let offset = 0; offset < busy.length; offset += 2) await page(offset);
    takeRequests(sandbox);
    expect(await page(2)).toEqual([...busy.slice(2, 4), {}]);
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('that failed can be read again', async () => {
    const { repository, all } = open(calls);
    const whole = await all();
    await repository.find({ limit: 11, context: first });
    sandbox.faults.add({ name: 'missing' });
    const next = () => repository.find({ offset: 10, limit: 11, context: first });
    await expect(next()).rejects.toMatchObject({ code: 'not-found' });
    expect((await next()).slice(0, 10)).toEqual(whole.slice(10, 20));
  });

  test.each([-1, Number.NaN])('with the offset %d is refused', async (offset) => {
    const { repository } = open(calls);
    await expect(repository.find({ offset, limit: 11 })).rejects.toEqual(
      refused('“Calls by caller id” has no such page. Pages start at 1.'),
    );
    expect(takeRequests(sandbox)).toEqual([]);
  });
});

describe('a list', () => {
  test('without a limit has all rows, with the URLs of their audio', async () => {
    const { repository, all } = open('recordings-by-caller-id');
    const [{ from } = { from: '' }] = sandbox.calls.filter(({ sid }) =>
      sandbox.recordings.some((one) => one.call_sid === sid),
    );
    const found = await repository.find({ filter: { from: { $eq: from } } });
    const silent = sandbox.recordings.filter(({ status }) => status !== 'completed');
    const withAudio = (await all({ from })).map((row) => ({
      ...{ ...row, from },
      ...(!sidsOf(silent).includes(String(row.sid)) && { media: expect.stringContaining('play?') }),
    }));
    expect(found).toEqual(withAudio);
    expect(found.length).toBeGreaterThan(0);
  });

  test('with more rows than can be read at once is refused, not truncated', async () => {
    const { repository } = open(calls);
    const own = [...sandbox.calls];
    while (sandbox.calls.length < 1001) sandbox.calls.push(...own);
    await expect(repository.find()).rejects.toEqual(
      refused(
        '“Calls by caller id” has more than 1,000 rows, which are too many to be read at once. Filter it, or show it in pages.',
      ),
    );
    sandbox.calls.splice(1000);
    expect(await repository.find()).toHaveLength(1000);
    sandbox.calls.splice(own.length);
    expect(takeRequests(sandbox)).toHaveLength(2);
  });

  test.each<[string, object, string[]]>([
    ['some columns', { fields: ['from', 'status'] }, ['sid', 'from', 'status']],
    ['columns as a text', { fields: 'from,status' }, ['sid', 'from', 'status']],
    ['all columns but some', { fields: 'from,status', except: ['from', 'sid'] }, ['sid', 'status']],
  ])('returns %s, and always the key', async (_, columns, shown) => {
    const { repository } = open(calls);
    const [row = {}] = await repository.find({ limit: 1, ...columns });
    expect(Object.keys(row).sort()).toEqual(shown.sort());
  });

  test('signs URLs of audio only if they are shown', async () => {
    const { repository, issued } = open('recordings-by-date');
    await repository.find({ limit: 11, fields: ['sid', 'status'] });
    await repository.find({ limit: 11, except: ['media'] });
    expect(issued).toEqual([]);
    const [row] = await repository.find({ limit: 2, fields: ['media'] });
    expect(row).toEqual({
      ...{ sid: issued[0], media: `/api/telephonyMedia:play?ticket=for+${issued[0]}` },
    });
  });

  test.each(['-startTime', ['startTime']])('that is sorted by %j is refused', async (sort) => {
    const { repository } = open(calls);
    await expect(repository.find({ sort, limit: 11 })).rejects.toEqual(
      refused(
        '“Calls by caller id” cannot be sorted: the service determines the order. Remove the sorting.',
      ),
    );
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test.each(['', []])('with the empty sorting %j keeps its order', async (sort) => {
    const { repository } = open(calls);
    expect(await repository.find({ sort, limit: 3 })).toHaveLength(3);
  });

  test.each(['false', ' null', '[]'])('with the filter %s is refused', async (filter) => {
    const { repository } = open(calls);
    const context = visit(1, { filter });
    await expect(repository.find({ limit: 11, context })).rejects.toThrow(/cannot be filtered/);
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('uses the filter as parsed by NocoBase', async () => {
    const { repository } = open(calls);
    const context = visit(1, { filter: ' {"status":"busy"}' });
    await repository.find({ filter: { status: 'failed' }, limit: 11, context });
    expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?Status=failed&PageSize=10']);
  });

  test.each<[what: string, query: object]>([
    ['__proto__', { filter: '{"__proto__":{"$eq":"x"}}' }],
    ['constructor', { filter: '{"constructor":{"$eq":"x"}}' }],
    ['prototype', { filter: '{"prototype":{"$eq":"x"}}' }],
    ['prototype', { filter: '{"[prototype]":"x"}' }],
    ['prototype', { filter: '{"[\\"prototype\\"].$eq":"x"}' }],
    ['toString', { filter: '{"$and":[{"status":{"$eq":"busy"}},{"toString":"x"}]}' }],
    ['__proto__', { filter: '{"from.__proto__":"x"}' }],
    ['constructor', { 'filter[constructor][$eq]': 'x' }],
    ['__proto__', { 'filter[$and][0][__proto__]': 'x' }],
  ])('is refused for a filter by %s, which NocoBase drops: %j', async (name, query) => {
    const { repository } = open(calls);
    // NocoBase passes on nothing, or a part, of the filter.
    const find = repository.find({ filter: {}, limit: 11, context: visit(1, query) });
    await expect(find).rejects.toEqual(
      refused(expect.stringContaining(`cannot be filtered by “${name}” in this way`)),
    );
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('that is empty because a number has no country code hints at that', async () => {
    const { repository } = open(calls);
    const context = visit(1);
    const filter = { from: { $eq: '12025550143' } };
    expect(await repository.find({ filter, limit: 11, context })).toEqual([]);
    expect(context.state.messages).toEqual([
      { message: expect.stringContaining('"From" is 12025550143, which has no country code.') },
    ]);
  });

  test('that is empty hints in the language of the user', async () => {
    const { repository } = open(calls);
    const texts = (await readTranslations(root, 'nocobase'))['de-DE'] ?? {};
    const context = Object.assign(visit(1), { t: (text: string) => texts[text] ?? text });
    const filter = { from: { $eq: '12025550143' } };
    await repository.find({ filter, limit: 11, context });
    expect(context.state.messages).toEqual([
      { message: expect.stringMatching(/^Es wurde nichts gefunden. „Von“ ist 12025550143, /) },
    ]);
    takeRequests(sandbox);
  });

  test("that is empty because a role's scope has no country code hints at that", async () => {
    const { repository } = open(calls);
    const context = visit(1);
    const filter = { $and: [{ from: { $eq: '(202) 555-0143' } }, { from: '+12025550143' }] };
    expect(await repository.find({ filter, limit: 11, context })).toEqual([]);
    expect(context.state.messages).toEqual([
      { message: expect.stringContaining('"From" is (202) 555-0143, which has no country code.') },
    ]);
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('without a record that has no SID says so, on each of its pages', async () => {
    const sids = [...Array.from({ length: 30 }, (_, index) => `CA${index}`)];
    const body = {
      calls: [{ sid: null }, ...sids.map((sid) => ({ sid }))],
      next_page_uri: '?Page=1',
    };
    let read = 0;
    const { url } = await serveHttp((_, response) => {
      read += 1;
      response.end(JSON.stringify(read === 1 ? body : { calls: [{ sid: 'CA30' }] }));
    });
    const { repository } = open(calls, url);
    for (const offset of [0, 30]) {
      const context = visit(1);
      const rows = await repository.find({ offset, limit: 31, context });
      expect(rows[0]?.sid).toBe(`CA${offset}`);
      expect(context.state.messages).toEqual([
        { message: expect.stringMatching(/^1 record is missing here: /) },
      ]);
    }
  });

  test('filtered by a missing value is empty', async () => {
    const { repository } = open(calls);
    expect(await repository.find({ filter: { from: {} } })).toEqual([]);
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('counts only the rows it read', async () => {
    const { repository } = open(calls);
    const [rows, count] = await repository.findAndCount({ limit: 11 });
    expect([rows.length, count]).toEqual([11, 11]);
    await expect(repository.count()).rejects.toEqual(
      refused('“Calls by caller id” cannot be counted: the service does not report a total.'),
    );
  });

  test('is read-only', async () => {
    const { repository } = open(calls);
    const readOnly = refused(
      '“Calls by caller id” is read-only: its rows come from the telephony account.',
    );
    await expect(repository.create()).rejects.toEqual(readOnly);
    await expect(repository.update()).rejects.toEqual(readOnly);
    await expect(repository.destroy()).rejects.toEqual(readOnly);
  });
});

describe('one row', () => {
  test('is read by its key if the service supports it', async () => {
    const { repository, all } = open(calls);
    const [, row] = await all();
    const filterByTk = String(row?.sid);
    for (const key of [filterByTk, [filterByTk]])
      expect(await repository.findOne({ filterByTk: key, context: first })).toEqual(row);
    expect(takeRequests(sandbox)).toEqual(Array(2).fill(`GET /Calls/${filterByTk}.json`));
    expect(await repository.findOne({ filterByTk, fields: ['to'] })).toEqual({
      ...{ sid: filterByTk, to: row?.to },
    });
  });

  test('is null if the filter excludes it', async () => {
    const { repository } = open(calls);
    const [{ sid, status } = { sid: '', status: '' }] = sandbox.calls;
    const other = status === 'busy' ? 'failed' : 'busy';
    const found = (filter: object) => repository.findOne({ filterByTk: sid, filter });
    expect(await found({ status: other })).toBeNull();
    expect(await found({ status })).toMatchObject({ sid });
  });

  test('comes from the rows already shown if the service has no such read', async () => {
    const { repository } = open('recordings-by-date');
    const [{ sid } = { sid: '' }] = sandbox.recordings;
    expect(await repository.findOne({ filterByTk: sid })).toBeNull();
    expect(takeRequests(sandbox)).toEqual([]);
    const [row] = await repository.find({ limit: 2 });
    takeRequests(sandbox);
    expect(await repository.findOne({ filterByTk: sid })).toEqual(row);
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('without a key is the first that the filter matches', async () => {
    const { repository, all } = open(calls);
    const [busy] = await all({ status: 'busy' });
    expect(await repository.findOne({ filter: { status: 'busy' }, offset: 5, limit: 20 })).toEqual(
      busy,
    );
    expect(await repository.findOne({ filter: { from: '+15005550000' } })).toBeNull();
  });

  test('of a data source with a single record is that record or nothing', async () => {
    const { repository } = open('view-a-call');
    const [{ sid } = { sid: '' }] = sandbox.calls;
    const find = (key: string, rest = {}) => repository.find({ filter: { sid: key }, ...rest });
    expect(await find(sid, { limit: 11 })).toEqual([expect.objectContaining({ sid })]);
    expect(await find(sid, { limit: 11, offset: 10 })).toEqual([]);
    expect(await find(`CA${'0'.repeat(32)}`)).toEqual([]);
    takeRequests(sandbox);
    expect(await repository.find()).toEqual([]);
    expect(takeRequests(sandbox)).toEqual([]);
    sandbox.faults.add({ name: 'empty' });
    await expect(find(sid)).rejects.toMatchObject({ code: 'bad-answer' });
  });
});

describe('the rows of many keys', () => {
  const keysOf = (rows: object[]) => rows.map((row) => String(Reflect.get(row, 'sid')));

  test('are read by one request for each page of the list', async () => {
    const { repository, all } = open(calls);
    const rows = (await all()).slice(0, 30);
    const found = await repository.findByKeys(keysOf(rows), { context: first });
    expect([...found.values()]).toEqual(rows);
    expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?PageSize=1000']);
  });

  test('are read from another list where their own has small pages', async () => {
    const { repository, all } = open('account-calls');
    const sids = keysOf(sandbox.calls.slice(0, 30));
    expect(all).toBeDefined();
    expect([...(await repository.findByKeys(sids, { context: first })).keys()]).toEqual(sids);
    expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?PageSize=1000']);
  });

  test('are read one by one if they are few', async () => {
    const { repository } = open(calls);
    const sids = keysOf(sandbox.calls.slice(0, 2));
    expect([...(await repository.findByKeys(sids, { context: first })).keys()]).toEqual(sids);
    expect(takeRequests(sandbox)).toEqual(sids.map((sid) => `GET /Calls/${sid}.json`));
  });

  test('end with the first that the filter excludes', async () => {
    const { repository } = open(calls);
    const busy = sandbox.calls.filter(({ status }) => status === 'busy').slice(0, 12);
    const failed = sandbox.calls.find(({ status }) => status === 'failed');
    const keys = keysOf([...busy, { sid: failed?.sid }]);
    const found = await repository.findByKeys(keys, { filter: { status: 'busy' }, context: first });
    expect([...found.keys()]).toEqual(keysOf(busy));
  });
});

test('a filter by a column that the records lack finds a row by its key only in the filtered list', async () => {
  const { repository, all } = open('recordings-by-caller-id');
  const from = '+12025550143';
  const [own] = await all({ from });
  const rows = await all();
  const sids = new Set((await all({ from })).map(({ sid }) => sid));
  const other = rows.find(({ sid }) => !sids.has(sid));
  const keys = [own, other].map((row) => String(row?.sid));
  const selection = { filter: { $and: [{ from: { $eq: from } }] }, context: first };
  const found = (filterByTk = '') => repository.findOne({ ...selection, filterByTk });
  expect(await found(keys[0])).toMatchObject({ sid: own?.sid });
  expect(await found(keys[1])).toBeNull();
  expect([...(await repository.findByKeys(keys, selection)).keys()]).toEqual([own?.sid]);
});

describe('a visitor who leaves', () => {
  const leaving = async (id: string, selection: object) => {
    const gate = await gateTo(sandbox.url);
    const { repository } = open(id, gate.url);
    const context = visit(1);
    const shown = repository.find({ ...selection, context });
    await gate.holds(1);
    return { gate, context, repository, shown, leave: () => context.res.emit('close') };
  };

  test.each<[string, string, object]>([
    ['a list', calls, { limit: 11 }],
    ['a record', 'view-a-call', { filter: { sid: `CA${'0'.repeat(32)}` } }],
  ])('stops the read of %s', async (_, id, selection) => {
    const { context, shown, leave } = await leaving(id, selection);
    leave();
    await expect(shown).rejects.toMatchObject({ code: 'aborted' });
    expect(context.res.listenerCount('close')).toBe(0);
  });

  test('stops the read of a later page', async () => {
    let held = 0;
    const gate = await gateTo(sandbox.url, (path) => path.includes('Page=') && ++held > 1);
    const { repository } = open(calls, gate.url);
    const page = (offset: number, context: Context) =>
      repository.find({ offset, limit: 11, context });
    await page(0, first);
    await page(10, first);
    const context = visit(1);
    const shown = page(20, context);
    await gate.holds(1);
    context.res.emit('close');
    await expect(shown).rejects.toMatchObject({ code: 'aborted' });
  });

  test('does not stop a read that others wait for', async () => {
    const { gate, repository, shown, leave } = await leaving(calls, { limit: 11 });
    const other = visit(1);
    const next = repository.find({ offset: 10, limit: 11, context: other });
    await until(() => other.res.listenerCount('close') > 0);
    leave();
    await gate.open();
    expect(await shown).toHaveLength(11);
    expect(await next).toHaveLength(11);
    expect(other.res.listenerCount('close')).toBe(0);
  });

  test('stops a read that someone else has left before', async () => {
    const { repository, shown, leave } = await leaving(calls, { limit: 11 });
    const other = visit(1);
    const next = repository.find({ offset: 10, limit: 11, context: other });
    await until(() => other.res.listenerCount('close') > 0);
    leave();
    other.res.emit('close');
    await expect(shown).rejects.toMatchObject({ code: 'aborted' });
    await expect(next).rejects.toMatchObject({ code: 'aborted' });
  });

  test('starts a new read on return', async () => {
    const { gate, repository, shown, leave } = await leaving(calls, { limit: 11 });
    leave();
    await expect(shown).rejects.toMatchObject({ code: 'aborted' });
    await gate.open();
    expect(await repository.find({ offset: 10, limit: 11, context: first })).toHaveLength(11);
  });
});

describe('a service with endless pages', () => {
  /** Each page is full and links to another one. */
  async function openEndless() {
    const requestedUrls: (string | undefined)[] = [];
    const { url } = await serveHttp((request, response) => {
      requestedUrls.push(request.url);
      const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
      const page = Array.from({ length: 1000 }, (_, index) => ({
        sid: `CA${requestedUrls.length}x${index}`,
      }));
      const next_page_uri = `${pathname}?PageSize=1000&Page=${requestedUrls.length}`;
      response.end(JSON.stringify({ calls: page, next_page_uri }));
    });
    return { requestedUrls, ...open(calls, url) };
  }

  test.each([1_002, 1_000_001])('is not read for a page of %d rows', async (limit) => {
    const { repository, requestedUrls } = await openEndless();
    await expect(repository.find({ limit, context: first })).rejects.toEqual(
      refused(expect.stringContaining('has more than 1,000 rows')),
    );
    expect(requestedUrls.length).toBeLessThan(3);
  });

  test('is not read up to a page that is far behind', async () => {
    const { repository, requestedUrls } = await openEndless();
    await expect(repository.find({ offset: 1e6, limit: 21, context: first })).rejects.toEqual(
      refused('“Calls by caller id” shows its first 20,000 rows. Filter it to see others.'),
    );
    expect(requestedUrls).toEqual([]);
  });
});

describe('a chart', () => {
  const count = { measures: [{ field: ['status'], aggregation: 'count', alias: 'count' }] };

  /** Opens the calls, of which a user may list the busy ones. */
  function openLimited() {
    const opened = open('calls-by-caller-id');
    const middleware = () => async (reading: object) => {
      const filter = { status: { $eq: 'busy' } };
      Object.assign(reading, { permission: { can: {} }, action: { params: { filter } } });
    };
    const dataSource = { acl: { middleware }, collectionManager: {} };
    Object.assign(opened.repository.collection, { collectionManager: { dataSource } });
    return opened;
  }
  const request = (filter?: unknown) =>
    Object.assign(visit(1), {
      req: new IncomingMessage(new Socket()),
      request: { body: { filter } },
    });

  test.each<[what: string, filter: unknown, statuses: string[]]>([
    ['without a filter', undefined, ['busy']],
    ['with an empty filter', { $and: [] }, ['busy']],
    ['with a filter', { status: 'completed' }, []],
  ])('%s has only rows that the user may list', async (_, filter, statuses) => {
    const { repository } = openLimited();
    const expected = sandbox.calls.filter(({ status }) => statuses.includes(status)).length;
    const rows = await repository.query({ ...count, filter, context: request(filter) });
    expect(rows).toEqual([{ count: expected }]);
  });

  test.each<{ sent: unknown }>([
    ...['x', '', 5, true, false, []].map((sent) => ({ sent })),
    { sent: { constructor: { a: 1 } } },
    { sent: { $and: [{ prototype: 'a' }] } },
  ])('is refused for a filter that NocoBase drops: $sent', async ({ sent }) => {
    const { repository } = openLimited();
    const chart = repository.query({ ...count, filter: {}, context: request(sent) });
    await expect(chart).rejects.toMatchObject({
      code: 'input',
      message: expect.stringContaining('cannot be filtered by'),
    });
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test.each([
    ['no', undefined],
    ['its own', { state: { currentRoles: ['root'] }, auth: { user: { id: 1 } } }],
  ])('is refused with %s context', async (_, context) => {
    const { repository } = openLimited();
    const chart = repository.query({ ...count, context: context as unknown as Context });
    await expect(chart).rejects.toMatchObject({ status: 403 });
    expect(takeRequests(sandbox)).toEqual([]);
  });
});

test("workflows can't aggregate a list", async () => {
  const { repository } = open('account-calls');
  await expect(repository.aggregate()).rejects.toMatchObject({
    ...{ code: 'input', message: '“Account Calls” cannot be aggregated. Use a chart.' },
  });
});
