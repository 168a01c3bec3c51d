import type { Visitor } from '../../../demo/nocobase/visitor.ts';
import type { BatchView } from '../../../src/builder.ts';
import { failureOf } from '../../support/failure-of.ts';
import type { Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { type NocobaseServer, startTimeoutMs } from '../nocobase-server.ts';
import { type AccountSettings, listRows, openNocobase } from '../open-nocobase.ts';

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

describe('rights', () => {
  test('a role without rights is refused everything', async () => {
    const results = await Promise.all([
      failureOf(list('account_calls', {}, member)),
      failureOf(member.request('telephonyActions:send-sms', { input: {} })),
      failureOf(member.request('telephonyRuns:preview', { action: 'send-sms', rows: [1] })),
      failureOf(member.request('telephonyAccounts:list')),
      failureOf(member.request('telephonyAccounts:test', settings)),
    ]);
    expect(results).toEqual(results.map(() => expect.stringMatching(/ 403/)));
    expect(takeRequests(sandbox)).toEqual([]);
  });

  test('a role sees only the lists, columns and rows granted to it', async () => {
    const resource = { dataSourceKey: 'telephony', usingActionsConfig: true };
    const { id } = (await server.admin.request(
      'dataSources/telephony/rolesResourcesScopes:create',
      {
        ...{ name: 'Busy', resourceName: 'calls_by_caller_id', scope: { status: { $eq: 'busy' } } },
      },
    )) as { id: string };
    await server.admin.request('roles/member/dataSourceResources:create', {
      ...{ ...resource, name: 'calls_by_caller_id' },
      actions: [{ name: 'view', fields: ['sid', 'status'], scope: { id } }],
    });
    await server.admin.request('roles/member/dataSourceResources:create', {
      ...{ ...resource, name: 'recordings_by_caller_id' },
      actions: [{ name: 'view', fields: ['sid', 'duration'] }],
    });
    await server.admin.request('roles/member/dataSourceResources:create', {
      ...{ ...resource, name: 'recordings_by_date' },
      actions: [{ name: 'view', fields: ['sid', 'callSid', 'call'] }],
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

    const chart = (collection: string, measures: object[], values: object = {}, who = member) =>
      who.request('charts:queryData', {
        ...{ dataSource: 'telephony', collection, measures },
        ...{ mode: 'builder', variableResolution: 'legacy-schema', ...values },
      });
    const count = { field: ['status'], aggregation: 'count', alias: 'count' };
    const price = { field: ['price'], aggregation: 'sum' };
    expect(await chart('calls_by_caller_id', [count, price])).toEqual([{ count: busy.length }]);
    expect(await failureOf(chart('calls_by_caller_id', [price]))).toMatch(/ 403/);
    expect(await failureOf(chart('account_calls', [count]))).toMatch(/ 403/);
    const filtered = (filter: unknown) => chart('calls_by_caller_id', [count], { filter });
    expect(await failureOf(filtered('x'))).toMatch(/cannot be filtered/);
    for (const filter of [
      { $and: [{ status: { $eq: 'completed' } }] },
      { status: {}, 'status.$eq': 'completed' },
      { $and: [], '$and.0.status.$eq': 'completed' },
    ])
      expect({ filter, rows: await filtered(filter) }).toEqual({ filter, rows: [{ count: 0 }] });
    const context = { state: { currentRoles: ['root'] } };
    expect(await failureOf(chart('calls_by_caller_id', [count], { context }))).toMatch(/ 403/);
    const cached = { uid: 'chart', cache: { enabled: true, ttl: 60 } };
    expect(await chart('calls_by_caller_id', [count], cached, server.admin)).toEqual([
      { count: sandbox.calls.length },
    ]);
    expect(await chart('calls_by_caller_id', [count], cached)).toEqual([{ count: busy.length }]);

    for (const [index, { call_sid }] of sandbox.recordings.entries())
      Object.assign(sandbox.calls.find(({ sid }) => sid === call_sid) ?? {}, {
        status: index % 2 ? 'busy' : 'completed',
      });
    const recordings = (query: object) => list('recordings_by_date', query, member);
    const { data } = await recordings({ 'appends[]': 'call', pageSize: 20 });
    expect(data).toEqual(
      data.map(({ sid }) => {
        const { call_sid } = sandbox.recordings.find((one) => one.sid === sid) ?? {};
        const { status } = sandbox.calls.find((one) => one.sid === call_sid) ?? {};
        const call = status === 'busy' ? { sid: call_sid, status } : null;
        return { sid, callSid: call_sid, call };
      }),
    );
    const seenRow = data.find((row) => Reflect.get(row, 'call'));
    expect(seenRow).toBeDefined();
    const related = (action: string, query: object = {}) =>
      member.read('telephony', `recordings_by_date/${seenRow?.sid}/call:${action}`, query);
    expect(await related('get', { filterByTk: busy[0]?.sid })).toMatchObject({
      data: { sid: busy[0]?.sid },
    });
    expect(await related('get', { filterByTk: other?.sid })).toEqual({ data: null });
    expect(await related('get')).toEqual({ data: Reflect.get(seenRow ?? {}, 'call') });
    expect(await failureOf(related('list'))).toMatch(/Related records can be opened, not listed/);
  });

  test('a role that may see an account cannot chart other tables', async () => {
    const strategy = (actions: string[]) =>
      server.admin.request('dataSources/telephony/roles:update?filterByTk=member', {
        strategy: { actions },
      });
    await strategy(['view']);
    expect((await list('account_calls', {}, member)).data).not.toHaveLength(0);
    const charted = (collection: string, column: string, dataSource = 'telephony') =>
      member.request('charts:queryData', {
        ...{ dataSource, collection, mode: 'builder' },
        ...{ variableResolution: 'legacy-schema', measures: [{ field: [column] }] },
      });
    expect(await charted('account_calls', 'status')).toEqual(
      sandbox.calls.map(({ status }) => ({ status })),
    );
    expect(await failureOf(charted('users', 'email'))).toMatch(/ 403/);
    expect(await failureOf(charted('telephonyAccounts', 'username'))).toMatch(/ 403/);
    await strategy([]);
    const ofMain = (actions: string[]) =>
      server.admin.request('dataSources/main/roles:update?filterByTk=member', {
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
      expect(await member.request('variables:resolve', resolved)).toBe('{{ ctx.record }}');
    }
    await ofMain(['view:own']);
  });

  test('a role that is granted an action can run it, and sees its buttons', async () => {
    const roles = { 'send-sms': ['member'] };
    const usable = () => member.request('telephonyActions:listUsable');
    expect(await usable()).toEqual({ telephony: { rights: {}, hasSender: false } });
    await server.admin.request('telephonyAccounts:save', { ...settings, key: 'telephony', roles });
    const input = { from: '+15005550006', to: '+12025550199', body: 'Hi.' };
    await member.request('telephonyActions:send-sms', { input });
    expect(sandbox.messages.map(({ to }) => to)).toContain(input.to);
    expect(await usable()).toEqual({
      telephony: { rights: { 'send-sms': 'any' }, hasSender: false },
    });
  });
});

describe('a role that may only use buttons', () => {
  const to = '+12025550177';
  const row = { dataSource: 'telephony', collection: 'calls_by_caller_id' };
  const visible = () => sandbox.calls.find(({ status }) => status === 'busy');
  const hidden = () => sandbox.calls.find(({ status }) => status !== 'busy');
  const addButton = (uid: string, use: string, setup: object, parentId = 'actions') =>
    server.admin.request('flowModels:save', {
      ...{ uid, use, parentId, subKey: 'actions', subType: 'array' },
      stepParams: { telephonyClick: { run: setup } },
    });
  /** A table of calls with a column for row buttons. */
  async function addBlock() {
    const init = { dataSourceKey: row.dataSource, collectionName: row.collection };
    await server.admin.request('flowModels:save', {
      ...{ uid: 'block', use: 'TableBlockModel', stepParams: { resourceSettings: { init } } },
    });
    await server.admin.request('flowModels:save', {
      ...{ uid: 'actions', use: 'TableActionsColumnModel', parentId: 'block' },
      ...{ subKey: 'columns', subType: 'array' },
    });
  }
  const press = (values: object) => member.request('telephonyActions:send-sms', values);
  const sent = () => sandbox.messages.map(({ from, to, body }) => ({ from, to, body }));

  beforeAll(async () => {
    await server.admin.request('telephonyAccounts:save', {
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
      ...{ to, body: 'Listed: {{ ctx.record.sid }}' },
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

  test('cannot use a button of a page that is hidden from it', async () => {
    const children = [{ type: 'tabs', schemaUid: 'hidden-tab', hidden: true }];
    const { id, children: tabs } = (await server.admin.request('desktopRoutes:create', {
      ...{ type: 'flowPage', title: 'Hidden', schemaUid: 'hidden-page', children },
    })) as { id: string; children: { id: string }[] };
    await addButton('empty', 'TelephonySendSmsActionModel', {}, 'hidden-tab');
    const input = { to: '+12025550666', body: 'Typed' };
    await press({ button: 'empty', input });
    expect(sent()).toHaveLength(1);
    const ids = [id, ...tabs.map((tab) => tab.id)];
    await server.admin.request('roles/member/desktopRoutes:remove', ids);
    expect(await failureOf(press({ button: 'empty', input: { ...input, body: 'Again' } }))).toMatch(
      / 403.*This button is on a page that is hidden from your role\./s,
    );
    expect(sent()).toHaveLength(1);
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
    await server.admin.request('collections:create', {
      ...{ name: 'drafts', title: 'Drafts', template: 'general', fields: [id, column] },
    });
    const rights = { dataSourceKey: 'main', usingActionsConfig: true, name: 'drafts' };
    const actions = [{ name: 'create' }, { name: 'view' }];
    await server.admin.request('roles/member/dataSourceResources:create', { ...rights, actions });
    const own = (await member.request('drafts:create', { sid: 'any text' })) as { id: number };
    const drafts = { dataSource: 'main', collection: 'drafts' };
    const loose = 'TelephonySendSmsActionModel';
    await addButton('loose', loose, { to, body: 'Call {{ ctx.record.sid }}' }, '');
    const batch = { action: 'send-sms', button: 'many', ...drafts, rows: [own.id], input: {} };
    const results = await Promise.all([
      failureOf(press({ button: 'about', row: { ...drafts, key: own.id }, input: {} })),
      failureOf(press({ button: 'loose', row: { ...drafts, key: own.id }, input: {} })),
      failureOf(press({ button: 'loose', row: { ...row, key: visible()?.sid }, input: {} })),
      failureOf(member.request('telephonyRuns:preview', batch)),
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
      await server.admin.request('collections:create', {
        ...{ name: 'leads', title: 'Leads', autoGenId: false, template: 'general' },
        fields: [id, column('phone', 'string'), column('owner', 'string')],
      });
      for (const [phone, owner] of [
        [mine, 'member'],
        [other, 'admin'],
        [open, null],
      ])
        await server.admin.request('leads:create', { phone, owner });
      await server.admin.request('roles/member/dataSourceResources:create', {
        ...{ dataSourceKey: 'main', usingActionsConfig: true, name: 'leads' },
        actions: [{ name: 'view', fields: ['phone'] }],
      });
    });

    /** Presses a button for each row, and one for all of them. */
    async function pressAll(uid: string, items: object[]) {
      const init = { dataSourceKey: leads.dataSource, collectionName: leads.collection };
      const tableSettings = { dataScope: { filter: { logic: '$and', items } } };
      await server.admin.request('flowModels:save', {
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
      failures.push(
        await failureOf(member.request('telephonyRuns:preview', { ...batch, rows: [1, 2] })),
      );
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
      return server.admin.request('flowModels:save', { uid, use, ...parent, stepParams: steps });
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
      await server.admin.request('collections:create', {
        ...{ name: 'clients', title: 'Clients', autoGenId: false, template: 'general' },
        fields: [id, column('phone'), column('status'), column('owner')],
      });
      for (const [phone, status, owner] of [
        [ann, 'busy', 'member'],
        [bob, 'busy', 'admin'],
        [cleo, 'completed', 'member'],
      ])
        await server.admin.request('clients:create', { phone, status, owner });
      await server.admin.request('roles/member/dataSourceResources:create', {
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
          // Differs from the other button's SMS: an equal one would be the second half of a double click.
          ...{ to, body: 'Busy: {{ ctx.record.sid }}' },
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
      expect(sent()).toEqual([{ from: '+15005550006', to, body: `Busy: ${visible()?.sid}` }]);
    });

    test("sends a batch with values of the popup's record", async () => {
      const batch = { action: 'send-sms', ...row, button: 'of-calls', input: {} };
      const preview = (client: number) =>
        member.request('telephonyRuns:preview', {
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
    const other = (await server.admin.request('telephonyAccounts:save', {
      ...{ ...settings, defaultSender: '+15005550000' },
      buttonRoles: { 'send-sms': ['member'] },
    })) as { key: string };
    await addButton('of-block', 'TelephonySendSmsActionModel', { to, body: 'Hi.' }, 'block');
    await press({ button: 'of-block', account: other.key, input: {} });
    const batch = { action: 'send-sms', button: 'many', ...row, rows: [visible()?.sid], input: {} };
    const refused = failureOf(
      member.request('telephonyRuns:preview', { ...batch, account: other.key }),
    );
    expect(await refused).toMatch(/ 403.*This button is for another account/);
    expect(sent()).toEqual([{ from: '+15005550006', to, body: 'Hi.' }]);
    await server.admin.request('telephonyAccounts:remove', other);
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
      member.request('telephonyRuns:preview', { ...batch, ...values }) as Promise<BatchView>;
    const input = { to: ['+12025550666'], body: ['Buy!'] };
    expect((await preview({ button: 'many', input })).example).toMatchObject({
      ...{ to, body: `Listed: ${visible()?.sid}` },
    });
    expect(await failureOf(preview({ input }))).toMatch(/ 403/);
    expect(await failureOf(preview({ button: 'texter', input }))).toMatch(/ 403/);
  });

  test('cannot select more rows than the “Maximum rows” of its button', async () => {
    const setup = { to, body: 'Listed: {{ ctx.record.sid }}', maxRows: 1 };
    await addButton('single', 'TelephonySendSmsSelectedRowsActionModel', setup);
    const batch = { action: 'send-sms', ...row, button: 'single', maxRows: 2, input: {} };
    const preview = (rows: unknown[]) =>
      member.request('telephonyRuns:preview', { ...batch, rows });
    const sids = sandbox.calls.filter(({ status }) => status === 'busy').map(({ sid }) => sid);
    expect(await failureOf(preview([sids[0], sids[1] ?? 'CA2']))).toMatch(
      /You selected more than 1 rows\. Select fewer\./,
    );
  });

  test("can't set up a button", async () => {
    const own = { uid: 'own', use: 'TelephonySendSmsActionModel' };
    expect(await failureOf(member.request('flowModels:save', own))).toMatch(/ 403/);
  });
});

describe('a batch for selected rows', () => {
  beforeAll(async () => {
    const roles = { 'send-sms': ['member'] };
    await server.admin.request('telephonyAccounts:save', {
      ...{ ...settings, key: 'telephony', roles, buttonRoles: {}, defaultSender: '' },
    });
  });

  const step = (name: string, values: object, who = server.admin) =>
    who.request(`telephonyRuns:${name}`, values) as Promise<BatchView>;
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
    await server.admin.request('collections:create', {
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
    for (const guest of guests) await server.admin.request('guests:create', guest);
    sandbox.messages.length = 0;
    const asked = await step('preview', {
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
    await Promise.all([step('start', { key }), step('start', { key })]);
    expect(await ended(key)).toMatchObject({
      ...{ state: 'ended', counts: { done: 2, failed: 2, duplicate: 1, waiting: 0 }, example: {} },
      done: [`Ann (${ann})`, `Bob (${bob})`],
      problems: [
        { who: ['Cleo'] },
        { who: ['Dan (+15005550001)'], message: expect.stringContaining('21211') },
      ],
    });
    await step('start', { key });
    expect(sandbox.messages.map(({ to }) => to).sort()).toEqual([ann, bob]);
  });

  test('starts in only one of many tabs', async () => {
    const [call] = sandbox.calls;
    const tabs = await Promise.all([1, 2, 3, 4].map(() => step('preview', ofCalls([call?.sid]))));
    sandbox.messages.length = 0;
    const said = await Promise.all(tabs.map(({ key }) => step('start', { key })));
    expect(said.map(({ state }) => state).filter((state) => state === 'preview')).toHaveLength(3);
    await Promise.all(tabs.map(({ key }) => ended(key)));
    expect(sandbox.messages).toHaveLength(1);
  });

  test('keeps its outcomes after its account is removed', async () => {
    const other = (await server.admin.request('telephonyAccounts:save', settings)) as {
      key: string;
    };
    const [call] = sandbox.calls;
    const asked = await step('preview', { ...ofCalls([call?.sid]), account: other.key });
    await step('start', asked);
    await ended(asked.key);
    await server.admin.request('telephonyAccounts:remove', other);
    expect(await step('see', asked)).toMatchObject({ state: 'ended', counts: { done: 1 } });
  });

  test('never shows rows, columns or batches of others', async () => {
    const [busy] = sandbox.calls.filter(({ status }) => status === 'busy');
    const [other] = sandbox.calls.filter(({ status }) => status !== 'busy');
    await list('calls_by_caller_id', { pageSize: 200 });
    // Members may see which calls are busy, but not the numbers.
    expect(await step('preview', ofCalls([busy?.sid]), member)).toMatchObject({
      ...{ waiting: [], example: {} },
      problems: [{ message: '"To" is missing: the row has no “From”.' }],
    });
    const variables = { dataSource: 'main', collection: 'environmentVariables' };
    const tried = await Promise.all([
      failureOf(step('preview', { ...ofCalls(['SANDBOX']), ...variables }, member)),
      failureOf(step('preview', ofCalls([other?.sid]), member)),
      failureOf(step('preview', { ...ofCalls([busy?.sid]), collection: 'account_calls' }, member)),
      step('preview', ofCalls([busy?.sid])).then(({ key }) =>
        failureOf(step('see', { key }, member)),
      ),
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
    const guests = (rows: unknown[]) => step('preview', ofTable('guests', rows, 'phone'), member);
    expect(await failureOf(guests([3]))).toMatch(/ 403/);
    const { id } = (await server.admin.request('dataSources/main/rolesResourcesScopes:create', {
      ...{ name: 'Bob', resourceName: 'guests', scope: { name: { $eq: 'Bob' } } },
    })) as { id: string };
    await server.admin.request('roles/member/dataSourceResources:create', {
      ...{ dataSourceKey: 'main', usingActionsConfig: true, name: 'guests' },
      actions: [{ name: 'view', fields: ['name', 'phone'], scope: { id } }],
    });
    expect(await guests([3])).toMatchObject({ waiting: ['Bob (+12025550162)'] });
    expect(await failureOf(guests([3, 6]))).toMatch(
      /you may not see it\. Reload the page\. Nothing was done/,
    );
    const secret = await step('preview', ofTable('users', [1], 'password'));
    expect(secret).toMatchObject({ problems: [{ message: expect.stringContaining('has no') }] });
  });

  test('fills in a column of the record that a row refers to, with the rights on that record', async () => {
    const { admin } = server;
    const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
    const guest = {
      ...{ name: 'guest', type: 'belongsTo', interface: 'm2o', target: 'guests' },
      ...{ foreignKey: 'guestId', targetKey: 'id', uiSchema: { title: 'Guest' } },
    };
    const guestId = { name: 'guestId', type: 'bigInt', isForeignKey: true };
    await admin.request('collections:create', {
      ...{ name: 'bookings', title: 'Bookings', template: 'general', autoGenId: false },
      fields: [id, guestId, guest],
    });
    await admin.request('roles/member/dataSourceResources:create', {
      ...{ dataSourceKey: 'main', usingActionsConfig: true, name: 'bookings' },
      actions: [{ name: 'view', fields: ['id', 'guest'] }],
    });
    for (const key of [3, 6]) await admin.request('bookings:create', { guest: { id: key } });
    const to = (column: string) => ({
      ...{ action: 'send-sms', dataSource: 'main', collection: 'bookings', rows: [1, 2] },
      input: { ...input, to: [{ column }], body: ['Hello.'] },
    });
    expect(await step('preview', to('guest.phone'), member)).toMatchObject({
      waiting: ['+12025550162'],
      problems: [{ message: expect.stringContaining('the row has no “Guest / ') }],
    });
    expect((await step('preview', to('guest.phone'))).waiting).toHaveLength(2);
    for (const unreadable of ['guestId', 'guest.id'])
      expect(await step('preview', to(unreadable), member)).toMatchObject({
        problems: [{ message: expect.stringContaining('has no') }],
      });
    expect(await failureOf(step('preview', to('guest.x'), member))).toMatch(
      /uses the column “guest\.x”, which the rows do not have/,
    );
  });

  test('treats the key 0 as a key, not as any row', async () => {
    const nobody = { ...calls, dataSource: 'main', collection: 'guests' };
    const input = { to: [{ column: 'phone' }], body: ['Hello.'] };
    expect(await failureOf(step('preview', { ...nobody, rows: [0], input }))).toMatch(
      /no longer exists/,
    );
  });

  test.each(['telephonyAccounts', 'telephonyRuns', 'telephonyStore'])(
    'keeps the table %s inaccessible by table actions',
    async (table) => {
      const actions = ['get', 'update', 'create', 'destroy', 'query', 'export', 'importXlsx'];
      for (const action of actions)
        expect(
          await failureOf(server.admin.request(`${table}:${action}?filterByTk=1`, {})),
        ).toMatch(/ 404/);
    },
  );
});
