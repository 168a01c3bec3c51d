import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Visitor } from '../../../demo/nocobase/visitor.ts';
import { fillWithLongLists } from '../../saltcorn/long-lists.ts';
import { readDocument } from '../../support/document.ts';
import { expectPicture } from '../../support/expect-picture.ts';
import { failureOf } from '../../support/failure-of.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { proxyTo, type ReverseProxy } from '../../support/reverse-proxy.ts';
import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { type NocobaseServer, startTimeoutMs } from '../nocobase-server.ts';
import {
  type AccountSettings,
  furtherAccounts,
  listRows,
  openNocobase,
  password,
} from '../open-nocobase.ts';
import { addWorkflowOnTable, newestJob } from '../workflow-on-table.ts';

let sandbox: Sandbox;
let server: NocobaseServer;
let member: Visitor;
let settings: AccountSettings;

beforeAll(async () => {
  ({ sandbox, server, member, settings } = await openNocobase());
}, startTimeoutMs);
beforeEach(() => {
  sandbox.reset();
  takeRequests(sandbox);
});

const list = (collection: string, query: object = {}, who = server.admin) =>
  listRows(who, collection, query);

describe('settings', () => {
  test('an empty password keeps the stored one, which no response contains', async () => {
    const saved = await server.admin.request('telephonyAccounts:save', {
      ...settings,
      key: 'telephony',
      password: '',
      label: 'Desk',
    });
    const shown = JSON.stringify([saved, await server.admin.request('telephonyAccounts:list')]);
    expect(shown).toContain('Desk');
    expect(shown).not.toContain(password);
    expect((await list('account_calls')).data).not.toHaveLength(0);
  });

  test('a stored password is never sent to another host', async () => {
    const elsewhere = {
      ...settings,
      key: 'telephony',
      password: '',
      baseUrl: 'http://127.0.0.1:9',
    };
    expect(await server.admin.request('telephonyAccounts:test', elsewhere)).toEqual({
      outcome: 'wrong-settings',
      message: expect.stringMatching(/sent nowhere else/),
    });
    expect(await failureOf(server.admin.request('telephonyAccounts:save', elsewhere))).toMatch(
      /sent nowhere else/,
    );
  });

  test.each([
    ['the right password', {}, 'works'],
    ['a wrong password', { password: 'wrong' }, 'wrong-credentials'],
    ["a sender that isn't the account's", { defaultSender: '+14155550199' }, 'other-sender'],
  ])('the connection test reports %s', async (_, typed, outcome) => {
    const values = { ...settings, password, ...typed };
    expect(await server.admin.request('telephonyAccounts:test', values)).toMatchObject({ outcome });
  });

  test('does not send a stored password to a host that a workflow entered', async () => {
    const table = { name: 'hosts', columns: ['url'], isAwaited: true, nodes: [] };
    const id = await addWorkflowOnTable(server.admin, table);
    const filter = { $and: [{ key: { $eq: 'telephony' } }] };
    const params = { filter, values: { baseUrl: '{{$context.data.url}}' } };
    await server.admin.request(`workflows/${id}/nodes:create`, {
      ...{ type: 'update', title: 'Update record', upstreamId: null, branchIndex: null },
      config: { collection: 'telephonyAccounts', usingAssignFormSchema: false, params },
    });
    const changeHost = (url: string) => server.admin.request('hosts:create', { url });
    const elsewhere = await openSandbox({ username: sandbox.username, password });
    await changeHost(elsewhere.url);
    const [account] = (await server.admin.request('telephonyAccounts:list')) as {
      baseUrl: string;
    }[];
    expect(account?.baseUrl).toBe(elsewhere.url);
    expect(await failureOf(list('account_calls'))).toMatch(/sent nowhere else/);
    expect(takeRequests(elsewhere)).toEqual([]);
    await changeHost(sandbox.url);
    expect((await list('account_calls')).data).not.toHaveLength(0);
  });

  test('the password is in no log and in no file of NocoBase', () => {
    expect(server.written()).toContain('telephonyAccounts:save');
    expect(server.written()).not.toContain(password);
  });
});

describe('lists', () => {
  test('each page makes one request and continues where the previous one ended', async () => {
    const shown: string[] = [];
    for (const page of [1, 2, 3]) {
      const { data, meta } = await list('calls_by_caller_id', { page, pageSize: 20 });
      shown.push(...sidsOf(data));
      expect(meta.hasNext).toBe(true);
      expect(takeRequests(sandbox)).toHaveLength(1);
    }
    expect(shown).toEqual(sidsOf(sandbox.calls).slice(0, 60));
  });

  test('the first page is always read again', async () => {
    await list('calls_by_caller_id', { pageSize: 20 });
    takeRequests(sandbox);
    await list('calls_by_caller_id', { pageSize: 20 });
    expect(takeRequests(sandbox)).toHaveLength(1);
  });

  test('a filter is applied by the service', async () => {
    const filter = { $and: [{ status: { $eq: 'busy' } }] };
    const { data } = await list('calls_by_caller_id', { pageSize: 200, filter });
    const busy = sandbox.calls.filter(({ status }) => status === 'busy');
    expect(sidsOf(data)).toEqual(sidsOf(busy).slice(0, 200));
  });

  const inCalendar = { $gte: 'T00:00:00.000+00:00', $lte: 'T23:59:59.999+00:00' };
  test.each<[times: object, isWanted: (time: number, start: number, end: number) => boolean]>([
    [{ $dateOn: '' }, (time, start, end) => time >= start && time < end],
    [{ $dateBefore: '' }, (time, start) => time < start],
    [{ $dateNotBefore: '' }, (time, start) => time >= start],
    [{ $dateAfter: '' }, (time, _, end) => time >= end],
    [{ $dateNotAfter: '' }, (time, _, end) => time < end],
    [inCalendar, (time, start, end) => time >= start && time < end],
  ])('the service filters by a day, with the times %j', async (parts, isWanted) => {
    const timeOf = ({ start_time }: { start_time: string | null }) => Date.parse(start_time ?? '');
    const times = sandbox.calls.map(timeOf).filter((time) => !Number.isNaN(time));
    const start = new Date(times[Math.floor(times.length / 2)] ?? 0).setUTCHours(0, 0, 0, 0);
    const day = new Date(start).toISOString().slice(0, 10);
    const conditions = Object.entries(parts).map(([operator, time]) => [operator, day + time]);
    const filter = { startTime: Object.fromEntries(conditions) };
    const { data } = await list('calls_by_number_and_date', { pageSize: 200, filter });
    const wanted = sandbox.calls.filter((call) =>
      isWanted(timeOf(call), start, start + 86_400_000),
    );
    expect(wanted).not.toEqual([]);
    expect(sidsOf(data)).toEqual(sidsOf(wanted));
  });

  test.each([
    ['is missing', {}],
    ['is null', { $eq: null }],
    ['is empty', { $eq: '' }],
    ['is false', { $eq: false }],
  ])('a filter whose value %s shows no rows and makes no request', async (_, from) => {
    for (const collection of ['calls_by_caller_id', 'recordings_by_caller_id'])
      expect((await list(collection, { filter: { from } })).data).toEqual([]);
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test.each([
    ['an operator', { from: { $ne: '+14155550100' } }],
    ['a column', { to: { $eq: '+14155550100' } }],
    ['alternatives', { $or: [{ from: { $eq: '+14155550100' } }, { status: { $eq: 'busy' } }] }],
    ['false', false],
    ['null', null],
    ['a number', 0],
    ['__proto__', JSON.parse('{"__proto__":{"$eq":"x"}}')],
    ['constructor', { constructor: { $eq: 'x' } }],
    ['prototype', { prototype: { $eq: 'x' } }],
    ['prototype in brackets', { '[prototype]': 'x' }],
    ['toString', { $and: [{ status: 'busy' }, { toString: { $eq: 'x' } }] }],
  ])(
    'a filter with %s that the service lacks is refused, instead of showing all rows',
    async (_, filter) => {
      expect(await failureOf(list('calls_by_caller_id', { filter }))).toMatch(/cannot be filtered/);
      expect(takeRequests(sandbox)).toEqual([]);
    },
  );

  test.each(['[]', '', ' '])(
    'a record with the key “%s” is not found, instead of being the first',
    async (key) => {
      for (const collection of ['calls_by_caller_id', 'recordings_by_caller_id'])
        expect(
          await server.admin.read('telephony', `${collection}:get`, { filterByTk: key }),
        ).toEqual({ data: null });
      expect(takeRequests(sandbox)).toEqual([]);
    },
  );

  test('a list opened in the middle is read in large pages', async () => {
    const filter = { status: { $eq: 'completed' } };
    const { data } = await list('calls_by_caller_id', { page: 3, pageSize: 20, filter });
    const completed = sandbox.calls.filter(({ status }) => status === 'completed');
    expect(sidsOf(data)).toEqual(sidsOf(completed).slice(40, 60));
    expect(data).toHaveLength(20);
    expect(takeRequests(sandbox)).toHaveLength(1);
  });

  test('pages requested at the same time are correct', async () => {
    const query = { pageSize: 25, filter: { status: { $eq: 'completed' } } };
    const pageOf = async (page: number) =>
      (await list('calls_by_caller_id', { ...query, page })).data;
    const completed = sidsOf(sandbox.calls.filter(({ status }) => status === 'completed'));
    await Promise.all([pageOf(1), pageOf(2), pageOf(1), pageOf(3)]);
    expect(sidsOf(await pageOf(3))).toEqual(completed.slice(50, 75));
  });

  test('a sorted list is refused, because the service cannot sort', async () => {
    const sorted = list('calls_by_caller_id', { sort: 'startTime' });
    expect(await failureOf(sorted)).toMatch(/cannot be sorted/);
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test.each([0, -1, 'x'])('the page %s is refused, instead of being the first', async (page) => {
    const shown = list('calls_by_caller_id', { page, pageSize: 20 });
    expect(await failureOf(shown)).toMatch(/Pages start at 1/);
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('a list of ten thousand calls makes one request per page, and is refused without pages', async () => {
    fillWithLongLists(sandbox);
    const all = sidsOf(sandbox.calls);
    for (const page of [1, 2, 48]) {
      const { data } = await list('calls_by_caller_id', { page, pageSize: 200 });
      expect(sidsOf(data)).toEqual(all.slice((page - 1) * 200, page * 200));
    }
    expect(takeRequests(sandbox).length).toBeLessThan(60);
    await list('calls_by_caller_id', { page: 49, pageSize: 200 });
    expect(takeRequests(sandbox)).toHaveLength(1);
    const whole = list('calls_by_caller_id', { paginate: false });
    expect(await failureOf(whole)).toMatch(/more than 1,000 rows/);
    expect(takeRequests(sandbox)).toHaveLength(1);
  });

  test('a list without pages has all rows', async () => {
    const filter = { status: { $eq: 'busy' } };
    const { data } = await list('calls_by_caller_id', { paginate: false, filter });
    const busy = sandbox.calls.filter(({ status }) => status === 'busy');
    expect(sidsOf(data)).toEqual(sidsOf(busy));
  });

  test("a chart shows the same as NocoBase's chart of a table with the same rows", async () => {
    const columns = [
      { name: 'status', type: 'string', interface: 'input' },
      { name: 'startTime', type: 'date', interface: 'datetime' },
      { name: 'duration', type: 'integer', interface: 'integer' },
      { name: 'price', type: 'double', interface: 'number' },
    ];
    const table = { name: 'chartedCalls', title: 'Calls', template: 'general', fields: columns };
    await server.admin.request('collections:create', table);
    const { data } = await list('calls_by_number_and_date', { pageSize: 1000 });
    await server.admin.request('chartedCalls:create', data);
    const chart = (dataSource: string, collection: string, query: object) =>
      server.admin.request('charts:queryData', {
        ...{ dataSource, collection, mode: 'builder', variableResolution: 'legacy-schema' },
        ...query,
      });
    const day = { field: ['startTime'], format: 'YYYY-MM-DD', alias: 'day' };
    const status = { field: ['status'] };
    const measure = (aggregation: string, field = 'duration', distinct = false) => ({
      ...{ field: [field], aggregation, distinct, alias: `${aggregation} ${field}` },
    });
    const figures = ['count', 'sum', 'min', 'max'].map((name) => measure(name));
    const orders = (...fields: string[]) => fields.map((field) => ({ field, alias: field }));
    const since = '2026-11-19T00:00:00.000Z';
    for (const query of [
      { measures: figures },
      { measures: [measure('count', 'status', true), measure('max', 'startTime')] },
      { measures: figures, dimensions: [day, status], orders: orders('day', 'status') },
      { measures: figures, dimensions: [status], orders: [{ field: 'status', order: 'desc' }] },
      {
        measures: [measure('count')],
        dimensions: [day],
        orders: orders('day'),
        limit: 2,
        offset: 1,
      },
      { measures: figures, filter: { $and: [{ status: { $eq: 'busy' } }] } },
      { measures: figures, filter: { $and: [{ startTime: { $dateNotBefore: since } }] } },
    ])
      expect({ query, rows: await chart('telephony', 'calls_by_number_and_date', query) }).toEqual({
        ...{ query, rows: await chart('main', 'chartedCalls', query) },
      });
  });

  test('lists are read-only', async () => {
    expect(await failureOf(server.admin.request('account_calls:create', {}))).toMatch(/404/);
  });
});

describe('the request counts in the guide', () => {
  const documented = new Map(
    [
      ...readDocument('docs/builders/nocobase.md').matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm),
    ].flatMap(([, names = '', ...counts]) =>
      names.split('; ').map((name): [string, number[]] => [name, counts.map(Number)]),
    ),
  );
  const page = (number: number, filter = {}) =>
    list('calls_by_caller_id', { page: number, pageSize: 20, filter });
  const first = () => page(1);
  const second = () => page(2);
  const last = () => page(Math.ceil(sandbox.calls.length / 20));
  const rows = () => sidsOf(sandbox.calls).slice(0, 2);
  const one = () =>
    server.admin.read('telephony', 'calls_by_caller_id:get', { filterByTk: rows()[0] });
  const asked = () =>
    server.admin.request('telephonyRuns:preview', {
      ...{ action: 'send-sms', dataSource: 'telephony', collection: 'calls_by_caller_id' },
      ...{ rows: rows(), input: { to: [{ column: 'from' }], body: ['Hello.'] } },
    });
  /** Each opens the last page, after the ones before it. */
  const openings: [what: string, opened: (() => Promise<unknown>)[]][] = [
    ['a list of calls', [first]],
    ['its second page', [first, second]],
    ['its second page again', [first, second, second]],
    ['its first page again', [first, second, first]],
    ['its tenth page, without those before it', [() => page(10)]],
    ['its last page, without those before it', [last]],
    ['the list by status', [() => page(1, { status: { $eq: 'busy' } })]],
    ['a call by itself', [first, one]],
    ['the preview of a button for two selected calls', [first, asked]],
  ];

  // Saving the settings clears the cache.
  async function counted(opened: (() => Promise<unknown>)[], label: string) {
    await server.admin.request('telephonyAccounts:save', { ...settings, key: 'telephony', label });
    for (const open of opened) {
      takeRequests(sandbox);
      await open();
    }
    return takeRequests(sandbox).length;
  }

  test('cover every kind of opening', () => {
    expect(openings.map(([what]) => what).sort()).toEqual([...documented.keys()].sort());
  });

  test.each(openings)('are right for %s', async (what, opened) => {
    const few = await counted(opened, `few, ${what}`);
    fillWithLongLists(sandbox);
    expect([few, await counted(opened, `many, ${what}`)]).toEqual(documented.get(what));
  });
});

describe('actions', () => {
  const sms = { from: '+15005550006', to: '+12025550100', body: 'Your table is ready.' };
  const send = (input: object, who = server.admin) =>
    who.request('telephonyActions:send-sms', { input });

  test('a double click sends one message', async () => {
    const [one, other] = await Promise.all([send(sms), send(sms)]);
    expect(one).toEqual(other);
    expect(sandbox.messages.filter(({ to }) => to === sms.to)).toHaveLength(1);
  });

  test('an error about a missing or refused value names its field', async () => {
    const { to: _, ...missing } = sms;
    expect(await failureOf(send(missing))).toMatch(/"field":"to"/);
    expect(await failureOf(send({ ...sms, to: '+15005550001' }))).toMatch(/21211.*"field":"to"/);
  });
});

describe('choices', () => {
  const choices = [
    { value: '+14155550100', label: 'Front desk' },
    { value: '+14155550101', label: 'Support' },
  ];
  const down = 'http://127.0.0.1:9';
  const unreachable = /^The plugin cannot reach the service/;
  const readChoices = (account: string, who: Visitor, about: object = {}) =>
    who.request('telephonyChoices:list', {
      account,
      operation: 'send-sms',
      field: 'from',
      ...about,
    });
  const addAccount = furtherAccounts(() => ({ server, settings }));

  test('an administrator sees the numbers of an account, read once', async () => {
    const key = await addAccount({});
    takeRequests(sandbox);
    for (const _ of 'ab') expect(await readChoices(key, server.admin)).toEqual({ choices });
    expect(takeRequests(sandbox)).toEqual(['GET /IncomingPhoneNumbers.json?PageSize=1000']);
  });

  const rights: [right: string, rights: object, isAllowed: boolean][] = [
    ['no right', {}, false],
    ['the right to its buttons', { buttonRoles: { 'send-sms': ['member'] } }, false],
    ['the right to another action', { roles: { 'make-a-call': ['member'] } }, false],
    ['the right to the action', { roles: { 'send-sms': ['member'] } }, true],
  ];

  test.each(rights)(
    'someone with %s to an account sees its numbers only if they may choose the sender',
    async (_, granted, isAllowed) => {
      const key = await addAccount(granted);
      takeRequests(sandbox);
      const seen = readChoices(key, member);
      if (isAllowed) expect(await seen).toEqual({ choices });
      else expect(await failureOf(seen)).toMatch(/ 403/);
      expect(await failureOf(member.request('telephonyAccounts:senders', { key }))).toMatch(/ 403/);
      expect(takeRequests(sandbox)).toHaveLength(isAllowed ? 1 : 0);
    },
  );

  test('someone without a right does not see whether an account exists', async () => {
    const keys = ['not-an-account', await addAccount({})];
    const [missing, existing] = await Promise.all(
      keys.map((key) => failureOf(readChoices(key, member))),
    );
    expect(missing).toMatch(/ 403/);
    expect(missing).toBe(existing);
  });

  const problems: [what: string, account: object, about: object, problem: unknown][] = [
    ['a service that is down', { baseUrl: down }, {}, expect.stringMatching(unreachable)],
    ['a field without choices', {}, { field: 'to' }, '"Send SMS" has no choices for "to".'],
    ['an account that is gone', {}, { account: 'x' }, expect.stringMatching(/was removed/)],
  ];

  test.each(problems)('says why there are no choices: %s', async (_, account, about, problem) => {
    const key = await addAccount(account);
    expect(await readChoices(key, server.admin, about)).toEqual({ choices: [], problem });
  });

  const drafts: [what: string, typed: object, answer: object][] = [
    ['what was just typed', {}, { choices }],
    [
      'no password',
      { password: {} },
      { choices: [], problem: expect.stringMatching(/"password"/) },
    ],
    [
      'the stored password for another host',
      { key: 'telephony', password: {}, baseUrl: down },
      { choices: [], problem: expect.stringMatching(/sent nowhere else/) },
    ],
  ];

  test.each(drafts)('a default sender is offered with %s', async (_, typed, answer) => {
    const values = { ...settings, ...typed };
    expect(await server.admin.request('telephonyAccounts:senders', values)).toEqual(answer);
  });
});

describe('workflows', () => {
  const run = (name: string) => server.admin.request(`${name}:create`, { to: '+12025550123' });
  const sms = { from: '+15005550006', to: '{{$context.data.to}}', body: 'Your table is ready.' };

  test('a node can use the result of an earlier one', async () => {
    await addWorkflowOnTable(server.admin, {
      ...{ name: 'bookings', columns: ['to'], isAwaited: true },
      nodes: [
        { type: 'telephony-send-sms', input: sms },
        {
          type: 'telephony-view-a-message',
          input: ([key]) => ({ messageSid: `{{$jobsMapByNodeKey.${key}.sid}}` }),
        },
      ],
    });
    await run('bookings');
    const [message] = sandbox.messages;
    expect(await newestJob(server.admin)).toMatchObject({
      status: 1,
      result: { sid: message?.sid, to: '+12025550123', body: sms.body },
    });
  });

  test('a failed action ends the workflow with its error', async () => {
    await addWorkflowOnTable(server.admin, {
      ...{ name: 'refused', columns: ['to'], isAwaited: true },
      nodes: [
        { type: 'telephony-send-sms', input: { ...sms, to: '+15005550001' } },
        { type: 'telephony-send-sms', input: sms },
      ],
    });
    sandbox.messages.length = 0;
    await run('refused');
    expect(await newestJob(server.admin)).toMatchObject({
      status: -1,
      result: { code: 'rejected', field: 'to', message: expect.stringContaining('21211') },
    });
    expect(sandbox.messages).toEqual([]);
  });
});

describe('recorded audio', () => {
  const audioUrlOf = async () => {
    const { data } = await list('recordings_by_caller_id', { pageSize: 20 });
    takeRequests(sandbox);
    return data.find(({ media }) => media)?.media ?? '';
  };

  test('plays in a browser without a session or credentials', async () => {
    const answer = await fetch(server.url + (await audioUrlOf()));
    expect(answer.headers.get('content-type')).toBe('audio/x-wav');
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('RIFF');
  });

  test('has a URL valid for one recording only, not for a session', async () => {
    const address = new URL(await audioUrlOf(), server.url);
    const ticket = address.searchParams.get('ticket') ?? '';
    const [head, claims = '', signature] = ticket.split('.');
    const said = Buffer.from(claims, 'base64url').toString();
    const [, sid = ''] = /"(RE\w+)"/.exec(said) ?? [];
    const other = sandbox.recordings.find((one) => one.sid !== sid);
    const changed = Buffer.from(said.replace(sid, other?.sid ?? '')).toString('base64url');
    for (const forged of ['', [head, changed, signature].join('.')]) {
      address.searchParams.set('ticket', forged);
      expect((await fetch(address)).status).toBe(404);
    }
    const headers = { authorization: `Bearer ${ticket}` };
    const users = new URL('/api/users:list', server.url);
    expect((await fetch(users, { headers })).status).toBe(401);
    expect(takeRequests(sandbox)).toEqual([]);
  });
});

describe('the pictures of a message', () => {
  test('are shown by their URLs without a session, and no other files are', async () => {
    const { sid } = sandbox.receiveMessage({
      ...{ from: '+12025550143', to: '+14155550100', body: 'Look', pictures: 2 },
    });
    const filter = JSON.stringify({ parentSid: { $eq: sid } });
    const { data } = await list('media_of_a_message', { filter });
    expect(data).toHaveLength(2);
    takeRequests(sandbox);
    const address = data[0]?.media ?? '';
    await expectPicture(await fetch(server.url + address));
    expect(takeRequests(sandbox)).toEqual([`GET /Messages/${sid}/Media/${data[0]?.sid}`]);
    expect((await fetch(server.url + address.replace(/.$/, ''))).status).toBe(404);
  });
});

describe('requests to the service end', () => {
  /** The next request to the service, which gets no response. */
  const nextAt = (proxy: ReverseProxy) =>
    new Promise<ServerResponse>((resolve) => {
      proxy.handler = (_, answer) => resolve(answer);
    });

  /** Less than the plugin's own timeout, after which a request would end anyway. */
  const timeoutMs = 15_000;

  let proxy: ReverseProxy;
  const save = (more: object) =>
    server.admin.request('telephonyAccounts:save', { ...settings, key: 'telephony', ...more });
  const sms = { from: '+15005550006', to: '+12025550101', body: 'Too late.' };
  beforeAll(async () => {
    proxy = await proxyTo(sandbox.url);
    await save({ baseUrl: proxy.url });
    const workflow = await addWorkflowOnTable(server.admin, {
      ...{ name: 'limited', columns: ['to'], isAwaited: false },
      nodes: [
        { type: 'telephony-calls-by-caller-id', input: { status: 'busy' } },
        { type: 'telephony-send-sms', input: sms },
      ],
    });
    // Long enough to start: NocoBase counts from before it reads the nodes.
    const options = { timeout: 3_000 };
    await server.admin.request(`workflows:update?filterByTk=${workflow}`, { options });
  });
  afterAll(() => save({}));

  test.each([
    ['a list', 'calls_by_caller_id:list', { pageSize: 20 }],
    ['a record', 'calls_by_caller_id:get', { filterByTk: 'CA0123456789abcdef0123456789abcdef' }],
    ['a list with a single record', 'view_a_call:list', { filter: { sid: 'CA1' } }],
  ])(
    'when a browser that waits for %s disconnects',
    async (_, action, query) => {
      const leaving = new AbortController();
      const request = nextAt(proxy);
      const read = server.admin.read('telephony', action, query, leaving.signal);
      const isEnded = once(await request, 'close');
      leaving.abort();
      await expect(read).rejects.toThrow(/aborted/);
      await isEnded;
    },
    timeoutMs,
  );

  test(
    'when a workflow times out, whose next node then does not run',
    async () => {
      const request = nextAt(proxy);
      await server.admin.request('limited:create', { to: '+12025550101' });
      await once(await request, 'close');
      proxy.handler = (_, __, forward) => forward();
      const ended = async () => {
        const [last] = (await server.admin.request('executions:list?sort=-id&pageSize=1')) as {
          status: number | null;
        }[];
        return last?.status;
      };
      await until(async () => Boolean(await ended()));
      expect(await ended()).toBeLessThan(0);
      expect(sandbox.messages.filter(({ body }) => body === sms.body)).toEqual([]);
    },
    timeoutMs,
  );
});

test('the package has no dependencies', () => {
  const manifest = JSON.parse(readFileSync('dist/nocobase/package.json', 'utf8'));
  expect(manifest).not.toHaveProperty('dependencies');
});

describe('the plugin', () => {
  const name = '@telephony-plugin/nocobase';
  const query = new URLSearchParams({ filterByTk: name, awaitResponse: 'true' });
  const sources = async () => {
    const all = (await server.admin.request('dataSources:list?paginate=false')) as {
      key: string;
      enabled: boolean;
    }[];
    return all.map(({ key, enabled }) => ({ key, enabled }));
  };
  const main = { key: 'main', enabled: true };

  test('when disabled disables its data source, and when enabled again restores everything', async () => {
    await server.admin.request('roles/member/dataSourceResources:create', {
      ...{ dataSourceKey: 'telephony', usingActionsConfig: true, name: 'calls_by_caller_id' },
      actions: [{ name: 'view', fields: ['sid'] }],
    });
    await server.admin.request(`pm:disable?${query}`, {});
    expect(await sources()).toEqual([main, { key: 'telephony', enabled: false }]);
    const address = `${server.url}/api/telephony/events/telephony`;
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
    await server.admin.request(`pm:enable?${query}`, {});
    await server.admin.untilLoaded('telephony');
    expect((await list('account_calls')).data).not.toHaveLength(0);
    expect((await list('calls_by_caller_id', {}, member)).data).not.toHaveLength(0);
  });

  test('removes the data source and the rights of a removed account', async () => {
    const { key } = (await server.admin.request('telephonyAccounts:save', settings)) as {
      key: string;
    };
    await server.admin.request('telephonyAccounts:remove', { key: 'telephony' });
    expect(await sources()).toEqual([main, { key, enabled: true }]);
    expect(await failureOf(list('account_calls', {}, member))).not.toBe('It did not fail.');
  });

  test('when removed leaves only a disabled data source that can be deleted', async () => {
    await server.admin.request(`pm:disable?${query}`, {});
    await server.admin.request(`pm:remove?${query}`, {});
    await server.admin.untilRemoved(name);
    const [, left] = await sources();
    expect(left).toMatchObject({ enabled: false });
    await server.admin.request(`dataSources:destroy?filterByTk=${left?.key}`, {});
    expect(await sources()).toEqual([main]);
  });
});
