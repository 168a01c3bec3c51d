import { readFileSync } from 'node:fs';
import { addPages } from '../../../demo/nocobase/desk.ts';
import type { Visitor } from '../../../demo/nocobase/visitor.ts';
import type { BatchView } from '../../../src/builder.ts';
import { fillWithLongLists } from '../../saltcorn/long-lists.ts';
import { openBrowser } from '../../support/browser.ts';
import { readDocument } from '../../support/document.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { sidsOf } from '../../support/sids-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { logIn, type NocobaseServer, startNocobase, startTimeoutMs } from '../nocobase-server.ts';
import { addWorkflowOnTable, newestJob } from '../workflow-on-table.ts';
import { offersNumbers } from './choices.ts';
import { keepsDesk } from './desk.ts';
import { eventCases } from './events.ts';
import { stopsRequests } from './leaving.ts';
import { keepsRecipes } from './recipes.ts';

const password = 'Open5aSesame5aOpen';

let sandbox: Sandbox;
let server: NocobaseServer;
let member: Visitor;
let settings: { username: string; password: string; baseUrl: string };

beforeAll(async () => {
  sandbox = await openSandbox({ password, now: new Date('2026-11-20T12:00:00Z') });
  settings = { username: sandbox.username, password, baseUrl: sandbox.url };
  server = await startNocobase(settings);
  member = await server.openMember();
}, startTimeoutMs);

beforeEach(() => {
  sandbox.reset();
  takeRequests(sandbox);
});

interface Rows {
  data: { sid: string; media?: string }[];
  meta: { hasNext: boolean };
}

/** An `audio` element. */
interface Player {
  muted: boolean;
  currentTime: number;
  ontimeupdate(): void;
  play(): void;
}

const list = async (collection: string, query: object = {}, who = server.admin) =>
  (await who.read('telephony', `${collection}:list`, query)) as Rows;

const failureOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'It did not fail.',
    (error) => String(error.message),
  );

describe('settings', () => {
  test('an empty password keeps the stored one, which no response contains', async () => {
    const saved = await server.admin.ask('telephonyAccounts:save', {
      ...settings,
      key: 'telephony',
      password: '',
      label: 'Desk',
    });
    const shown = JSON.stringify([saved, await server.admin.ask('telephonyAccounts:list')]);
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
    expect(await server.admin.ask('telephonyAccounts:test', elsewhere)).toEqual({
      outcome: 'wrong-settings',
      message: expect.stringMatching(/sent nowhere else/),
    });
    expect(await failureOf(server.admin.ask('telephonyAccounts:save', elsewhere))).toMatch(
      /sent nowhere else/,
    );
  });

  test.each([
    ['the right password', password, 'works'],
    ['a wrong password', 'wrong', 'wrong-credentials'],
  ])('the connection test reports %s', async (_, typed, outcome) => {
    const values = { ...settings, password: typed };
    expect(await server.admin.ask('telephonyAccounts:test', values)).toMatchObject({ outcome });
  });

  test('does not send a stored password to a host that a workflow entered', async () => {
    const table = { name: 'hosts', columns: ['url'], isAwaited: true, nodes: [] };
    const id = await addWorkflowOnTable(server.admin, table);
    const filter = { $and: [{ key: { $eq: 'telephony' } }] };
    const params = { filter, values: { baseUrl: '{{$context.data.url}}' } };
    await server.admin.ask(`workflows/${id}/nodes:create`, {
      ...{ type: 'update', title: 'Update record', upstreamId: null, branchIndex: null },
      config: { collection: 'telephonyAccounts', usingAssignFormSchema: false, params },
    });
    const changeHost = (url: string) => server.admin.ask('hosts:create', { url });
    const elsewhere = await openSandbox({ username: sandbox.username, password });
    await changeHost(elsewhere.url);
    const [account] = (await server.admin.ask('telephonyAccounts:list')) as { baseUrl: string }[];
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
    ['an alternative', { $or: [{ from: { $eq: '+14155550100' } }] }],
    ['false', false],
    ['null', null],
    ['a number', 0],
    ['__proto__', JSON.parse('{"__proto__":{"$eq":"x"}}')],
    ['constructor', { constructor: { $eq: 'x' } }],
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
    expect(await failureOf(whole)).toMatch(/more than 1000 rows/);
    expect(takeRequests(sandbox)).toHaveLength(1);
  });

  test('a list without pages has all rows', async () => {
    const filter = { status: { $eq: 'busy' } };
    const { data } = await list('calls_by_caller_id', { paginate: false, filter });
    const busy = sandbox.calls.filter(({ status }) => status === 'busy');
    expect(sidsOf(data)).toEqual(sidsOf(busy));
  });

  test('lists are read-only', async () => {
    expect(await failureOf(server.admin.ask('account_calls:create', {}))).toMatch(/404/);
  });
});

describe('the request counts in the README', () => {
  const documented = new Map(
    [
      ...readDocument('plugin/nocobase/README.md').matchAll(/^\| ([^|]+) \| (\d+) \| (\d+) \|$/gm),
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
    server.admin.ask('telephonyRuns:ask', {
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
    await server.admin.ask('telephonyAccounts:save', { ...settings, key: 'telephony', label });
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
    who.ask('telephonyActions:send-sms', { input });

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

describe('workflows', () => {
  const run = (name: string) => server.admin.ask(`${name}:create`, { to: '+12025550123' });
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

describe('rights', () => {
  test('a role without rights is refused everything', async () => {
    const results = await Promise.all([
      failureOf(list('account_calls', {}, member)),
      failureOf(member.ask('telephonyActions:send-sms', { input: {} })),
      failureOf(member.ask('telephonyRuns:ask', { action: 'send-sms', rows: [1] })),
      failureOf(member.ask('telephonyAccounts:list')),
      failureOf(member.ask('telephonyAccounts:test', settings)),
    ]);
    expect(results).toEqual(results.map(() => expect.stringMatching(/ 403/)));
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('a role sees only the lists, columns and rows granted to it', async () => {
    const resource = { dataSourceKey: 'telephony', usingActionsConfig: true };
    const { id } = (await server.admin.ask('dataSources/telephony/rolesResourcesScopes:create', {
      ...{ name: 'Busy', resourceName: 'calls_by_caller_id', scope: { status: { $eq: 'busy' } } },
    })) as { id: string };
    await server.admin.ask('roles/member/dataSourceResources:create', {
      ...{ ...resource, name: 'calls_by_caller_id' },
      actions: [{ name: 'view', fields: ['sid', 'status'], scope: { id } }],
    });
    await server.admin.ask('roles/member/dataSourceResources:create', {
      ...{ ...resource, name: 'recordings_by_caller_id' },
      actions: [{ name: 'view', fields: ['sid', 'duration'] }],
    });
    const busy = sandbox.calls.filter(({ status }) => status === 'busy');
    const seen = await list('calls_by_caller_id', { pageSize: 200 }, member);
    expect(seen.data).toEqual(busy.map(({ sid }) => ({ sid, status: 'busy' })));
    const columns = (await list('recordings_by_caller_id', {}, member)).data.flatMap(Object.keys);
    expect([...new Set(columns)].sort()).toEqual(['duration', 'sid']);
    const filter = { status: { $eq: 'completed' } };
    expect((await list('calls_by_caller_id', { filter }, member)).data).toEqual([]);
    const [other] = sandbox.calls.filter(({ status }) => status !== 'busy');
    const get = (sid = '') =>
      member.read('telephony', 'calls_by_caller_id:get', { filterByTk: sid });
    expect(await get(busy[0]?.sid)).toMatchObject({ data: { sid: busy[0]?.sid } });
    expect(await get(other?.sid)).toEqual({ data: null });
    expect(await failureOf(list('account_calls', {}, member))).toMatch(/403/);
  });

  test('a role that may see an account cannot chart other tables', async () => {
    const strategy = (actions: string[]) =>
      server.admin.ask('dataSources/telephony/roles:update?filterByTk=member', {
        strategy: { actions },
      });
    await strategy(['view']);
    expect((await list('account_calls', {}, member)).data).not.toHaveLength(0);
    const charted = (collection: string, column: string, dataSource = 'telephony') =>
      member.ask('charts:queryData', {
        ...{ dataSource, collection, mode: 'builder' },
        ...{ variableResolution: 'legacy-schema', measures: [{ field: [column] }] },
      });
    expect(await failureOf(charted('users', 'email'))).toMatch(/ 403/);
    expect(await failureOf(charted('telephonyAccounts', 'username'))).toMatch(/ 403/);
    await strategy([]);
    const ofMain = (actions: string[]) =>
      server.admin.ask('dataSources/main/roles:update?filterByTk=member', {
        strategy: { actions },
      });
    await ofMain(['view', 'export']);
    for (const [table, column] of [
      ['telephonyAccounts', 'username'],
      ['telephonyStore', 'body'],
    ] as const) {
      expect(await failureOf(charted(table, column, 'main'))).toMatch(/ 403/);
      const record = { dataSourceKey: 'main', collection: table, filterByTk: 'telephony' };
      const resolved = { template: '{{ ctx.record }}', contextParams: { record } };
      expect(await member.ask('variables:resolve', resolved)).toBe('{{ ctx.record }}');
    }
    await ofMain(['view:own']);
  });

  test('a role that is granted an action can run it, and sees its buttons', async () => {
    const roles = { 'send-sms': ['member'] };
    const usable = () => member.ask('telephonyActions:listUsable');
    expect(await usable()).toEqual({ telephony: [] });
    await server.admin.ask('telephonyAccounts:save', { ...settings, key: 'telephony', roles });
    const input = { from: '+15005550006', to: '+12025550199', body: 'Hi.' };
    await member.ask('telephonyActions:send-sms', { input });
    expect(sandbox.messages.map(({ to }) => to)).toContain(input.to);
    expect(await usable()).toEqual({ telephony: ['send-sms'] });
  });
});

describe('a role that may only use buttons', () => {
  const to = '+12025550177';
  const row = { dataSource: 'telephony', collection: 'calls_by_caller_id' };
  const visible = () => sandbox.calls.find(({ status }) => status === 'busy');
  const hidden = () => sandbox.calls.find(({ status }) => status !== 'busy');
  const addButton = (uid: string, use: string, setup: object, parentId = 'actions') =>
    server.admin.ask('flowModels:save', {
      ...{ uid, use, parentId, subKey: 'actions', subType: 'array' },
      stepParams: { telephonyClick: { run: setup } },
    });
  /** A table of calls with a column for row buttons. */
  async function addBlock() {
    const init = { dataSourceKey: row.dataSource, collectionName: row.collection };
    await server.admin.ask('flowModels:save', {
      ...{ uid: 'block', use: 'TableBlockModel', stepParams: { resourceSettings: { init } } },
    });
    await server.admin.ask('flowModels:save', {
      ...{ uid: 'actions', use: 'TableActionsColumnModel', parentId: 'block' },
      ...{ subKey: 'columns', subType: 'array' },
    });
  }
  const press = (values: object) => member.ask('telephonyActions:send-sms', values);
  const sent = () => sandbox.messages.map(({ from, to: whom, body }) => ({ from, to: whom, body }));

  beforeAll(async () => {
    await server.admin.ask('telephonyAccounts:save', {
      ...{ ...settings, key: 'telephony', defaultSender: '+15005550006' },
      ...{ roles: {}, buttonRoles: { 'send-sms': ['member'] } },
    });
    await addBlock();
    await addButton('texter', 'TelephonySendSmsActionModel', { to, body: 'We are open.' });
    await addButton('about', 'TelephonySendSmsActionModel', {
      to,
      body: 'Call {{ ctx.record.sid }}',
    });
    await addButton('asker', 'TelephonySendSmsActionModel', { to });
    await addButton('many', 'TelephonySendSmsSelectedRowsActionModel', {
      ...{ to, body: 'Call {{ ctx.record.sid }}' },
    });
  }, startTimeoutMs);
  beforeEach(() => {
    sandbox.messages.length = 0;
  });

  test('sends the values of the button, even if the browser sends others', async () => {
    const input = { from: '+12025550666', to: '+12025550666', body: 'Buy!' };
    await press({ button: 'texter', input });
    expect(sent()).toEqual([{ from: '+15005550006', to, body: 'We are open.' }]);
  });

  test('types only into a field that the button leaves empty', async () => {
    await press({ button: 'asker', input: { from: '+12025550666', to: '+1202', body: 'Typed' } });
    expect(sent()).toEqual([{ from: '+15005550006', to, body: 'Typed' }]);
  });

  test('uses records that it may read, and no others', async () => {
    await press({ button: 'about', row: { ...row, key: visible()?.sid }, input: {} });
    expect(sent()).toEqual([{ from: '+15005550006', to, body: `Call ${visible()?.sid}` }]);
    const results = await Promise.all([
      failureOf(press({ button: 'about', row: { ...row, key: hidden()?.sid }, input: {} })),
      failureOf(
        press({ button: 'about', row: { ...row, collection: 'account_calls' }, input: {} }),
      ),
      failureOf(press({ button: 'about', input: { body: 'Call me' } })),
    ]);
    expect(results).toEqual([
      expect.stringContaining('you may not see it'),
      expect.stringContaining('This button needs a row.'),
      expect.stringContaining('This button needs a row.'),
    ]);
    expect(sent()).toHaveLength(1);
  });

  test('uses rows of its own block only', async () => {
    const column = { name: 'sid', type: 'string', interface: 'input' };
    const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
    await server.admin.ask('collections:create', {
      ...{ name: 'drafts', title: 'Drafts', template: 'general', fields: [id, column] },
    });
    const rights = { dataSourceKey: 'main', usingActionsConfig: true, name: 'drafts' };
    const actions = [{ name: 'create' }, { name: 'view' }];
    await server.admin.ask('roles/member/dataSourceResources:create', { ...rights, actions });
    const own = (await member.ask('drafts:create', { sid: 'any text' })) as { id: number };
    const drafts = { dataSource: 'main', collection: 'drafts' };
    const loose = 'TelephonySendSmsActionModel';
    await addButton('loose', loose, { to, body: 'Call {{ ctx.record.sid }}' }, '');
    const batch = { action: 'send-sms', button: 'many', ...drafts, rows: [own.id], input: {} };
    const results = await Promise.all([
      failureOf(press({ button: 'about', row: { ...drafts, key: own.id }, input: {} })),
      failureOf(press({ button: 'loose', row: { ...drafts, key: own.id }, input: {} })),
      failureOf(press({ button: 'loose', row: { ...row, key: visible()?.sid }, input: {} })),
      failureOf(member.ask('telephonyRuns:ask', batch)),
    ]);
    expect(results).toEqual([
      expect.stringMatching(/ 403.*This button is not for rows of “drafts”/),
      expect.stringMatching(/ 403.*This button is not for rows of “drafts”/),
      expect.stringMatching(/ 403.*This button is not for rows of “calls_by_caller_id”/),
      expect.stringMatching(/ 403.*This button is not for rows of “drafts”/),
    ]);
    expect(sent()).toEqual([]);
  });

  describe('in a block with a data scope', () => {
    const leads = { dataSource: 'main', collection: 'leads' };
    const column = (name: string, type: string) => ({ name, type, interface: 'input' });
    const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
    const [mine, other, open] = ['+12025550171', '+12025550172', '+12025550173'];
    const isMine = { path: 'owner', operator: '$eq', value: '{{ ctx.user.username }}' };
    const hidden = 'A selected row no longer exists, or you may not see it. Reload the page.';

    beforeAll(async () => {
      await server.admin.ask('collections:create', {
        ...{ name: 'leads', title: 'Leads', autoGenId: false, template: 'general' },
        fields: [id, column('phone', 'string'), column('owner', 'string')],
      });
      for (const [phone, owner] of [
        [mine, 'member'],
        [other, 'admin'],
        [open, null],
      ])
        await server.admin.ask('leads:create', { phone, owner });
      await server.admin.ask('roles/member/dataSourceResources:create', {
        ...{ dataSourceKey: 'main', usingActionsConfig: true, name: 'leads' },
        actions: [{ name: 'view', fields: ['phone'] }],
      });
    });

    /** Presses a button for each row, and one for all of them. */
    async function pressAll(uid: string, items: object[]) {
      const init = { dataSourceKey: leads.dataSource, collectionName: leads.collection };
      const tableSettings = { dataScope: { filter: { logic: '$and', items } } };
      await server.admin.ask('flowModels:save', {
        ...{ uid, use: 'TableBlockModel' },
        stepParams: { resourceSettings: { init }, tableSettings },
      });
      const setup = { to: '{{ ctx.record.phone }}', body: uid };
      await addButton(`${uid}-one`, 'TelephonySendSmsActionModel', setup, uid);
      await addButton(`${uid}-all`, 'TelephonySendSmsSelectedRowsActionModel', setup, uid);
      const failures: string[] = [];
      for (const key of [1, 2, 3])
        failures.push(
          await failureOf(press({ button: `${uid}-one`, row: { ...leads, key }, input: {} })),
        );
      const batch = { action: 'send-sms', button: `${uid}-all`, ...leads, input: {} };
      failures.push(await failureOf(member.ask('telephonyRuns:ask', { ...batch, rows: [1, 2] })));
      return { failures, numbers: sent().map(({ to: number }) => number) };
    }

    const isSent = 'It did not fail.';
    const isHidden = expect.stringContaining(hidden);
    const either = { logic: '$or', items: [isMine, { ...isMine, value: 'admin' }] };
    const onlyMine = { failures: [isSent, isHidden, isHidden, isHidden], numbers: [mine] };
    test.each<[string, scope: object, reached: object]>([
      ['that names a user', isMine, onlyMine],
      ['in its older form', { ...isMine, value: '{{$user.username}}' }, onlyMine],
      [
        'with alternatives',
        either,
        { failures: [isSent, isSent, isHidden, isSent], numbers: [other, mine] },
      ],
    ])('reaches only rows of a data scope %s', async (name, scope, reached) => {
      expect(await pressAll(name.replaceAll(' ', '-'), [scope])).toEqual(reached);
    });

    test.each([
      ['ctx.popup.parent.record.owner', 'which only the browser knows'],
      ['ctx.urlSearchParams.owner', 'which only the browser knows'],
      ['ctx.user.phone', 'which has no value for you'],
    ])('reaches no row of a data scope that contains %s', async (variable, reason) => {
      const value = `{{ ${variable} }}`;
      const uid = variable.replaceAll('.', '-');
      const { failures, numbers } = await pressAll(uid, [isMine, { ...isMine, value }]);
      expect({ failures, numbers }).toEqual({
        failures: Array(4).fill(
          expect.stringMatching(RegExp(` 403.*contains {{ ${variable} }}, ${reason}`)),
        ),
        numbers: [],
      });
    });
  });

  describe('in a popup', () => {
    const clients = { dataSource: 'main', collection: 'clients' };
    const [ann, bob, cleo] = ['+12025550181', '+12025550182', '+12025550183'];
    const save = (
      uid: string,
      use: string,
      place: [string, string, string] | [],
      steps: object,
    ) => {
      const [parentId, subKey, subType] = place;
      const parent = place.length > 0 ? { parentId, subKey, subType } : {};
      return server.admin.ask('flowModels:save', { uid, use, ...parent, stepParams: steps });
    };
    const initOf = ({ dataSource, collection }: typeof clients) => ({
      resourceSettings: { init: { dataSourceKey: dataSource, collectionName: collection } },
    });
    const scopeOf = (path: string, value: string) => ({
      tableSettings: {
        dataScope: { filter: { logic: '$and', items: [{ path, operator: '$eq', value }] } },
      },
    });
    const opened = (uid: string, key: unknown, of = clients) => ({ [uid]: { ...of, key } });
    const isHidden = expect.stringContaining('you may not see it');
    const noRow = expect.stringMatching(
      / 403.*The popup of this button does not show rows of “leads”/,
    );

    /** A drawer that a row of the member's clients opens, with a table of calls from the client's number. */
    beforeAll(async () => {
      const column = (name: string) => ({ name, type: 'string', interface: 'input' });
      const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
      await server.admin.ask('collections:create', {
        ...{ name: 'clients', title: 'Clients', autoGenId: false, template: 'general' },
        fields: [id, column('phone'), column('status'), column('owner')],
      });
      for (const [phone, status, owner] of [
        [ann, 'busy', 'member'],
        [bob, 'busy', 'admin'],
        [cleo, 'completed', 'member'],
      ])
        await server.admin.ask('clients:create', { phone, status, owner });
      await server.admin.ask('roles/member/dataSourceResources:create', {
        ...{ dataSourceKey: 'main', usingActionsConfig: true, name: 'clients' },
        actions: [{ name: 'view', fields: ['phone', 'status'] }],
      });
      const isMine = scopeOf('owner', '{{ ctx.user.username }}');
      await save('clients', 'TableBlockModel', [], { ...initOf(clients), ...isMine });
      await save('client', 'ViewActionModel', ['clients', 'actions', 'array'], {
        popupSettings: { openView: { dataSourceKey: 'main', collectionName: 'clients' } },
      });
      await save('drawer', 'ChildPageModel', ['client', 'page', 'object'], {});
      await save('calls', 'TableBlockModel', ['drawer', 'items', 'array'], {
        ...initOf(row),
        ...scopeOf('status', '{{ ctx.popup.record.status }}'),
      });
      const toClient = { to: '{{ ctx.popup.record.phone }}' };
      await addButton(
        'of-client',
        'TelephonySendSmsActionModel',
        { ...toClient, body: 'Hi.' },
        'drawer',
      );
      await addButton(
        'of-call',
        'TelephonySendSmsActionModel',
        {
          ...{ to, body: 'Call {{ ctx.record.sid }}' },
        },
        'calls',
      );
      await addButton(
        'of-calls',
        'TelephonySendSmsSelectedRowsActionModel',
        {
          ...{ ...toClient, body: 'Call {{ ctx.record.sid }}' },
        },
        'calls',
      );
      // A popup template is stored on its own.
      await save('template', 'PopupActionModel', [], {
        popupSettings: { openView: { dataSourceKey: 'main', collectionName: 'clients' } },
      });
      await addButton(
        'of-template',
        'TelephonySendSmsActionModel',
        { ...toClient, body: 'Hi.' },
        'template',
      );
    }, startTimeoutMs);

    test("sends to the popup's record if the role may see it and the data scope of the block that opens the popup shows it", async () => {
      const texted = async (popups: object | undefined) =>
        failureOf(press({ button: 'of-client', popups, input: { to: '+12025550666' } }));
      expect([
        await texted(opened('client', 1)),
        await texted(opened('client', 2)),
        await texted(opened('client', 9)),
        await texted(opened('client', 'x')),
        await texted(opened('client', 1, { dataSource: 'main', collection: 'leads' })),
        await texted(undefined),
      ]).toEqual([
        'It did not fail.',
        ...[isHidden, isHidden],
        expect.stringMatching(/ 400.*“x” is not the key of a row/),
        noRow,
        expect.stringMatching(/ 403.*a popup that shows none/),
      ]);
      expect(sent()).toEqual([{ from: '+15005550006', to: ann, body: 'Hi.' }]);
    });

    test("uses rows of a data scope bound to the popup's record", async () => {
      const calls = [visible(), hidden()].map((call) => ({ ...row, key: call?.sid }));
      const results = [];
      for (const client of [1, 2, 3])
        for (const call of calls)
          results.push(
            await failureOf(
              press({ button: 'of-call', row: call, popups: opened('client', client), input: {} }),
            ),
          );
      // The role may see busy calls only.
      expect(results).toEqual([
        ...['It did not fail.', isHidden],
        ...[isHidden, isHidden],
        ...[isHidden, isHidden],
      ]);
      expect(sent()).toEqual([{ from: '+15005550006', to, body: `Call ${visible()?.sid}` }]);
    });

    test("sends a batch with values of the popup's record", async () => {
      const batch = { action: 'send-sms', ...row, button: 'of-calls', input: {} };
      const preview = (client: number) =>
        member.ask('telephonyRuns:ask', {
          ...{ ...batch, rows: [visible()?.sid], popups: opened('client', client) },
        }) as Promise<BatchView>;
      expect((await preview(1)).example).toMatchObject({
        ...{ to: ann, body: `Call ${visible()?.sid}` },
      });
      expect(await failureOf(preview(2))).toEqual(isHidden);
    });

    test('sends nothing from a popup template, whose rows no block shows', async () => {
      const popups = { ...opened('client', 1), ...opened('template', 1) };
      expect(await failureOf(press({ button: 'of-template', popups, input: {} }))).toMatch(
        / 403.*but is in a popup template or in no popup/,
      );
      expect(sent()).toEqual([]);
    });
  });

  test('is for the account of its block, whatever account the browser names', async () => {
    const other = (await server.admin.ask('telephonyAccounts:save', {
      ...{ ...settings, defaultSender: '+15005550000' },
      buttonRoles: { 'send-sms': ['member'] },
    })) as { key: string };
    await addButton('of-block', 'TelephonySendSmsActionModel', { to, body: 'Hi.' }, 'block');
    await press({ button: 'of-block', account: other.key, input: {} });
    const batch = { action: 'send-sms', button: 'many', ...row, rows: [visible()?.sid], input: {} };
    const refused = failureOf(member.ask('telephonyRuns:ask', { ...batch, account: other.key }));
    expect(await refused).toMatch(/ 403.*This button is for another account/);
    expect(sent()).toEqual([{ from: '+15005550006', to, body: 'Hi.' }]);
    await server.admin.ask('telephonyAccounts:remove', other);
  });

  test.each([
    ['no button', undefined],
    ['an unknown button', 'gone'],
    ['a button for selected rows', 'many'],
  ])('sends nothing with %s', async (_, button) => {
    const input = { to, body: 'Hi', from: '+15005550006' };
    expect(await failureOf(press({ button, input }))).toMatch(/ 403/);
    expect(sent()).toEqual([]);
  });

  test('sends a batch only with the values of its button', async () => {
    const batch = { action: 'send-sms', ...row, rows: [visible()?.sid] };
    const preview = (values: object) =>
      member.ask('telephonyRuns:ask', { ...batch, ...values }) as Promise<BatchView>;
    const input = { to: ['+12025550666'], body: ['Buy!'] };
    expect((await preview({ button: 'many', input })).example).toMatchObject({
      ...{ to, body: `Call ${visible()?.sid}` },
    });
    expect(await failureOf(preview({ input }))).toMatch(/ 403/);
    expect(await failureOf(preview({ button: 'texter', input }))).toMatch(/ 403/);
  });

  test("can't set up a button", async () => {
    const own = { uid: 'own', use: 'TelephonySendSmsActionModel' };
    expect(await failureOf(member.ask('flowModels:save', own))).toMatch(/ 403/);
  });
});

describe('a batch for selected rows', () => {
  beforeAll(async () => {
    const roles = { 'send-sms': ['member'] };
    await server.admin.ask('telephonyAccounts:save', {
      ...{ ...settings, key: 'telephony', roles, buttonRoles: {}, defaultSender: '' },
    });
  });

  const step = (name: string, values: object, who = server.admin) =>
    who.ask(`telephonyRuns:${name}`, values) as Promise<BatchView>;
  const input = { from: ['+15005550006'], body: ['Dear ', { column: 'name' }, ', hello.'] };
  const calls = { action: 'send-sms', dataSource: 'telephony', collection: 'calls_by_caller_id' };
  const toCallers = { to: [{ column: 'from' }], body: ['Hello.'], from: input.from };
  const ofCalls = (rows: unknown[]) => ({ ...calls, rows, input: toCallers });

  async function ended(key: string): Promise<BatchView> {
    const view = await step('see', { key });
    return view.state === 'running' ? ended(key) : view;
  }

  test('shows a preview, starts once and reports each outcome', async () => {
    const text = (name: string) => ({ name, type: 'string', interface: 'input' });
    const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
    await server.admin.ask('collections:create', {
      ...{ name: 'guests', title: 'Guests', autoGenId: false, template: 'general' },
      fields: [id, text('name'), text('phone')],
    });
    const [ann, bob] = ['+12025550161', '+12025550162'];
    const guests = [
      { name: 'Ann', phone: ann },
      { name: 'Ann', phone: '+1 (202) 555-0161' },
      { name: 'Bob', phone: bob },
      { name: 'Cleo', phone: '' },
      { name: 'Dan', phone: '+15005550001' },
      { name: 'Eve', phone: '+12025550163' },
    ];
    for (const guest of guests) await server.admin.ask('guests:create', guest);
    sandbox.messages.length = 0;
    const asked = await step('ask', {
      ...{ action: 'send-sms', dataSource: 'main', collection: 'guests', rows: [1, 2, 3, 4, 5] },
      input: { ...input, to: [{ column: 'phone' }] },
    });
    expect(asked).toMatchObject({
      ...{ state: 'preview', done: [] },
      counts: { waiting: 3, duplicate: 1, failed: 1 },
      waiting: [`Ann (${ann})`, `Bob (${bob})`, 'Dan (+15005550001)'],
      example: { to: ann, body: 'Dear Ann, hello.' },
      problems: [{ who: ['Cleo'], message: '"To" is missing: the row has no “phone”.' }],
    });
    expect(sandbox.messages).toEqual([]);
    const { key } = asked;
    await Promise.all([step('begin', { key }), step('begin', { key })]);
    expect(await ended(key)).toMatchObject({
      ...{ state: 'ended', counts: { done: 2, failed: 2, duplicate: 1, waiting: 0 }, example: {} },
      done: [`Ann (${ann})`, `Bob (${bob})`],
      problems: [
        { who: ['Cleo'] },
        { who: ['Dan (+15005550001)'], message: expect.stringContaining('21211') },
      ],
    });
    await step('begin', { key });
    expect(sandbox.messages.map(({ to }) => to).sort()).toEqual([ann, bob]);
  });

  test('starts in only one of many tabs', async () => {
    const [call] = sandbox.calls;
    const tabs = await Promise.all([1, 2, 3, 4].map(() => step('ask', ofCalls([call?.sid]))));
    sandbox.messages.length = 0;
    const said = await Promise.all(tabs.map(({ key }) => step('begin', { key })));
    expect(said.map(({ state }) => state).filter((state) => state === 'preview')).toHaveLength(3);
    await Promise.all(tabs.map(({ key }) => ended(key)));
    expect(sandbox.messages).toHaveLength(1);
  });

  test('keeps its outcomes after its account is removed', async () => {
    const other = (await server.admin.ask('telephonyAccounts:save', settings)) as { key: string };
    const [call] = sandbox.calls;
    const asked = await step('ask', { ...ofCalls([call?.sid]), account: other.key });
    await step('begin', asked);
    await ended(asked.key);
    await server.admin.ask('telephonyAccounts:remove', other);
    expect(await step('see', asked)).toMatchObject({ state: 'ended', counts: { done: 1 } });
  });

  test('never shows rows, columns or batches of others', async () => {
    const [busy] = sandbox.calls.filter(({ status }) => status === 'busy');
    const [other] = sandbox.calls.filter(({ status }) => status !== 'busy');
    await list('calls_by_caller_id', { pageSize: 200 });
    // Members may see which calls are busy, but not the numbers.
    expect(await step('ask', ofCalls([busy?.sid]), member)).toMatchObject({
      ...{ waiting: [], example: {} },
      problems: [{ message: '"To" is missing: the row has no “From”.' }],
    });
    const variables = { dataSource: 'main', collection: 'environmentVariables' };
    const tried = await Promise.all([
      failureOf(step('ask', { ...ofCalls(['SANDBOX']), ...variables }, member)),
      failureOf(step('ask', ofCalls([other?.sid]), member)),
      failureOf(step('ask', { ...ofCalls([busy?.sid]), collection: 'account_calls' }, member)),
      step('ask', ofCalls([busy?.sid])).then(({ key }) => failureOf(step('see', { key }, member))),
    ]);
    expect(tried).toEqual([
      expect.stringContaining(' 403'),
      expect.stringContaining('you may not see it. Reload the page. Nothing was done.'),
      expect.stringContaining(' 403'),
      expect.stringContaining('belongs to someone else'),
    ]);
  });

  test('reads NocoBase tables with the rights of the user who pressed the button', async () => {
    const ofTable = (collection: string, rows: unknown[], column: string) => ({
      ...{ action: 'send-sms', dataSource: 'main', collection, rows },
      input: { ...input, to: [{ column }], body: ['Hello.'] },
    });
    const guests = (rows: unknown[]) => step('ask', ofTable('guests', rows, 'phone'), member);
    expect(await failureOf(guests([3]))).toMatch(/ 403/);
    const { id } = (await server.admin.ask('dataSources/main/rolesResourcesScopes:create', {
      ...{ name: 'Bob', resourceName: 'guests', scope: { name: { $eq: 'Bob' } } },
    })) as { id: string };
    await server.admin.ask('roles/member/dataSourceResources:create', {
      ...{ dataSourceKey: 'main', usingActionsConfig: true, name: 'guests' },
      actions: [{ name: 'view', fields: ['name', 'phone'], scope: { id } }],
    });
    expect(await guests([3])).toMatchObject({ waiting: ['Bob (+12025550162)'] });
    expect(await failureOf(guests([3, 6]))).toMatch(
      /you may not see it\. Reload the page\. Nothing was done/,
    );
    const secret = await step('ask', ofTable('users', [1], 'password'));
    expect(secret).toMatchObject({ problems: [{ message: expect.stringContaining('has no') }] });
  });

  test('treats the key 0 as a key, not as any row', async () => {
    const nobody = { ...calls, dataSource: 'main', collection: 'guests' };
    const input = { to: [{ column: 'phone' }], body: ['Hello.'] };
    expect(await failureOf(step('ask', { ...nobody, rows: [0], input }))).toMatch(
      /no longer exists/,
    );
  });

  test.each(['telephonyAccounts', 'telephonyRuns', 'telephonyStore'])(
    'keeps the table %s inaccessible by table actions',
    async (table) => {
      const actions = ['get', 'update', 'create', 'destroy', 'query', 'export', 'importXlsx'];
      for (const action of actions)
        expect(await failureOf(server.admin.ask(`${table}:${action}?filterByTk=1`, {}))).toMatch(
          / 404/,
        );
    },
  );
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

describe('choices', () => offersNumbers(() => ({ server, sandbox, member, settings })));
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
    const answer = await fetch(server.url + address);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(
      Buffer.from(await answer.arrayBuffer())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG');
    expect(takeRequests(sandbox)).toEqual([`GET /Messages/${sid}/Media/${data[0]?.sid}`]);
    expect((await fetch(server.url + address.replace(/.$/, ''))).status).toBe(404);
  });
});

describe('events', () => eventCases(() => ({ server, sandbox, member })));
describe('requests to the service end', () => {
  stopsRequests(() => ({ sandbox, server, settings }));
});

describe('in the browser', () => {
  test('the desk shows calls, texts the caller of a row and plays recordings', async () => {
    const { page, screenshot } = await openBrowser('nocobase');
    await logIn(page, `${server.url}/v/admin`);
    await page.getByText('Calls', { exact: true }).first().click();
    const rows = page.locator('tr.ant-table-row:visible');
    await rows.getByText('busy').first().waitFor();
    await page.getByRole('columnheader', { name: 'Started', exact: true }).first().waitFor();
    await screenshot('calls');

    const row = rows.filter({ hasText: 'busy' }).first();
    const caller = (await row.locator('a[href^="tel:"]').first().textContent()) ?? '';
    await row.getByText('Text', { exact: true }).click();
    const form = page.locator('.ant-modal:visible');
    const text = 'We call you back.';
    await form.locator('textarea').fill(text);
    await screenshot('text-a-caller');
    await form.getByRole('button', { name: 'Send SMS' }).dblclick();
    await page.getByText(`SMS queued to ${caller}`).waitFor();
    expect(sandbox.messages.filter(({ body }) => body === text)).toMatchObject([{ to: caller }]);

    await page.getByText('Recordings', { exact: true }).first().click();
    const player = page.locator('audio:visible').first();
    await player.waitFor();
    await screenshot('recordings');
    const played = player.evaluate(
      (player: Player) =>
        new Promise<boolean>((resolve) => {
          player.muted = true;
          player.ontimeupdate = () => resolve(player.currentTime > 0);
          player.play();
        }),
    );
    expect(await played).toBe(true);
  });

  test('a button for selected rows has a form for missing values, shows a preview and reports the outcome', async () => {
    const { page, screenshot } = await openBrowser('nocobase-selected');
    await logIn(page, `${server.url}/v/admin`);
    await page.getByText('Calls', { exact: true }).first().click();
    const rows = page.locator('tr.ant-table-row:visible');
    const press = () => page.getByRole('button', { name: 'Text selected' }).click();
    await rows.nth(3).waitFor();
    await press();
    await page.getByText('No row is selected.').waitFor();
    for (const row of [0, 1, 2]) {
      await rows.nth(row).locator('.ant-table-selection-column').hover();
      await rows.nth(row).locator('input[type=checkbox]').check();
    }
    await press();
    const form = page.locator('.ant-modal:visible');
    const body = 'We call all of you back.';
    await form.locator('textarea').fill(body);
    await form.getByRole('button', { name: 'Send SMS' }).click();
    const question = form.locator('.telephony-run-preview');
    await question.getByText('selected rows of “Calls by caller id”:').waitFor();
    await screenshot('asked', form);
    await form.getByRole('button', { name: /^Send \d/ }).dblclick();
    // The dialog is smaller now: a late second click can land beside it.
    await page.mouse.click(20, 700);
    await form
      .locator('.telephony-run-ended')
      .getByText(/\d+ sent/)
      .waitFor();
    await screenshot('ended', form);
    const callers = new Set(sandbox.calls.slice(0, 3).map(({ from }) => from));
    const reached = sandbox.messages.filter((message) => message.body === body);
    expect(reached.map(({ to }) => to).sort()).toEqual([...callers].sort());
  });

  test('a row button with all values runs its action without a form', async () => {
    const { page, screenshot } = await openBrowser('nocobase-record');
    await logIn(page, `${server.url}/v/admin`);
    await page.getByText('Calls', { exact: true }).first().click();
    const [call] = sandbox.calls.filter(({ status }) => status === 'in-progress');
    const before = sandbox.recordings.length;
    const row = page.locator('tr.ant-table-row:visible').filter({ hasText: 'in-progress' }).first();
    await row.getByText('Record', { exact: true }).click();
    await page.locator('.ant-message-notice').first().waitFor();
    await screenshot('recorded');
    expect(sandbox.recordings).toHaveLength(before + 1);
    expect(sandbox.recordings.map(({ call_sid }) => call_sid)).toContain(call?.sid);
  });

  test('a German user sees German names', async () => {
    const languages = { enabledLanguages: ['en-US', 'de-DE'] };
    await server.admin.ask('systemSettings:update?filterByTk=1', languages);
    const { page, screenshot } = await openBrowser('nocobase-german');
    await logIn(page, `${server.url}/v/admin`);
    await page.evaluate("localStorage.setItem('NOCOBASE_LOCALE', 'de-DE')");
    await page.reload();
    await page.getByText('Calls', { exact: true }).first().click();
    for (const name of ['Begonnen', 'Dauer'])
      await page.getByRole('columnheader', { name }).first().waitFor();
    await page.getByRole('button', { name: 'SMS senden' }).waitFor();
    await screenshot('calls');
  });

  keepsRecipes(() => ({ sandbox, server }));
  keepsDesk(() => ({ sandbox, server }));

  test('an action can be a step of an event flow', async () => {
    const step = { key: 'send', use: 'telephony.send-sms', sort: 1 };
    const run = { from: '+15005550006', to: '+12025550177', body: 'Hello.', ask: false };
    const flow = { key: 'remind', title: 'Remind', on: 'click' };
    const [path] = await addPages(server.admin, 'main', [
      {
        ...{ title: 'Flow', icon: 'TableOutlined' },
        blocks: [
          {
            ...{ collection: 'users', rowButtons: [], columns: [] },
            buttons: [
              {
                ...{ use: 'RefreshActionModel', title: 'Remind' },
                flows: { remind: { ...flow, steps: { send: { ...step, defaultParams: run } } } },
              },
            ],
          },
        ],
      },
    ]);
    const { page, screenshot } = await openBrowser('nocobase-event-flow');
    await logIn(page, server.url + path);
    await page.getByRole('button', { name: 'Remind' }).click();
    await page.getByText(`SMS queued to ${run.to}`).waitFor();
    await screenshot('reminded');
    expect(sandbox.messages.filter(({ to }) => to === run.to)).toHaveLength(1);
  });

  test.each([
    ['modern', '/v/admin'],
    ['legacy', '/admin'],
  ])(
    'the settings page in the %s shell tests the connection and shows no password',
    async (shell, path) => {
      const { page, screenshot } = await openBrowser(`nocobase-settings-${shell}`);
      await logIn(page, `${server.url}${path}/settings/telephony`);
      const said = page.locator('.ant-alert');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await said.getByText('The service accepts').waitFor();
      await screenshot('works');
      await page.locator('input#password').fill('wrong');
      await page.getByRole('button', { name: 'Test connection' }).click();
      await said.getByText('The service rejected the credentials').waitFor();
      expect(await page.content()).not.toContain(password);
    },
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
    const all = (await server.admin.ask('dataSources:list?paginate=false')) as {
      key: string;
      enabled: boolean;
    }[];
    return all.map(({ key, enabled }) => ({ key, enabled }));
  };
  const main = { key: 'main', enabled: true };

  test('when disabled disables its data source, and when enabled again restores everything', async () => {
    await server.admin.ask(`pm:disable?${query}`, {});
    expect(await sources()).toEqual([main, { key: 'telephony', enabled: false }]);
    const address = `${server.url}/api/telephony/events/telephony`;
    expect((await fetch(address, { method: 'POST' })).status).toBe(404);
    await server.admin.ask(`pm:enable?${query}`, {});
    await server.admin.untilLoaded('telephony');
    expect((await list('account_calls')).data).not.toHaveLength(0);
    expect((await list('calls_by_caller_id', {}, member)).data).not.toHaveLength(0);
  });

  test('removes the data source and the rights of a removed account', async () => {
    const { key } = (await server.admin.ask('telephonyAccounts:save', settings)) as { key: string };
    await server.admin.ask('telephonyAccounts:remove', { key: 'telephony' });
    expect(await sources()).toEqual([main, { key, enabled: true }]);
    expect(await failureOf(list('account_calls', {}, member))).not.toBe('It did not fail.');
  });

  test('when removed leaves only a disabled data source that can be deleted', async () => {
    await server.admin.ask(`pm:disable?${query}`, {});
    await server.admin.ask(`pm:remove?${query}`, {});
    await server.admin.untilRemoved(name);
    const [, left] = await sources();
    expect(left).toMatchObject({ enabled: false });
    await server.admin.ask(`dataSources:destroy?filterByTk=${left?.key}`, {});
    expect(await sources()).toEqual([main]);
  });
});
