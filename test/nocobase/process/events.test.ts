import type { Page } from 'playwright-core';
import type { Visitor } from '../../../demo/nocobase/visitor.ts';
import { definitions, storeHash } from '../../../src/builder.ts';
import {
  eventStream,
  requests,
  requestsPerRestart,
  timeLimitMs,
} from '../../events/event-stream.ts';
import { fixtures, parametersOf, receivedSince } from '../../events/fixtures.ts';
import { postEvent, postForged } from '../../events/post.ts';
import { type Delivered, expectOnce, postUntilReceived } from '../../events/post-until-received.ts';
import { account, signedForm } from '../../events/signed.ts';
import { type Browser, openBrowser } from '../../support/browser.ts';
import { callAndAnswer, callIn, incoming } from '../../support/call-in.ts';
import { failureOf } from '../../support/failure-of.ts';
import { gateTo } from '../../support/gate.ts';
import type { Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { until } from '../../support/until.ts';
import { logIn, type NocobaseServer, startTimeoutMs } from '../nocobase-server.ts';
import { openNocobase } from '../open-nocobase.ts';
import { addWorkflow, type WorkflowNode } from '../workflow-on-table.ts';

const publicAddress = 'https://app.example.com';
const received = { status: 200, body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' };
/** NocoBase counts the seconds in its ids from here. */
const snowflakeEpoch = 1_605_024_000;
const pathOf = (key: string) => `/api/telephony/events/${key}`;

/** NocoBase's status of an execution that has not ended. */
const running = 0;

interface Execution {
  context: { data: Record<string, unknown> };
}

/** Whether the number of events is large: then the test takes long anyway. */
const isThorough = requests >= 1_000;

let sandbox: Sandbox;
let server: NocobaseServer;
let member: Visitor;

beforeAll(async () => {
  ({ sandbox, server, member } = await openNocobase());
}, startTimeoutMs);
beforeEach(() => {
  sandbox.reset();
  takeRequests(sandbox);
});

let count = 0;
/** A new SMS. */
function anotherSms(changes: Record<string, string> = {}) {
  count += 1;
  return { ...parametersOf('sms-received'), MessageSid: `XX${count}`, ...changes };
}

const workflows = new Map<string, string>();
let key = '';

const admin = () => server.admin;
const save = async (values: object) =>
  (await admin().request('telephonyAccounts:save', values)) as Record<string, unknown>;

/** The variables of an event's workflow runs, oldest first. */
async function startedWith(id: string): Promise<Execution['context'][]> {
  const filter = JSON.stringify({ workflowId: workflows.get(id) });
  const query = new URLSearchParams({ filter, sort: 'id', paginate: 'false' });
  const executions = (await admin().request(`executions:list?${query}`)) as Execution[];
  return executions.map(({ context }) => context);
}

const stored = async (of: string) => {
  const all = await admin().request('telephonyAccounts:list');
  return (all as Record<string, unknown>[]).find((one) => one.key === of);
};

/** Waits until the poller has stored a cursor for an event. */
async function begun(id: string) {
  const cursors = `select 1 from "telephonyStore"
    where id = '${storeHash('poll telephony', 'cursor')}' and body like '%${id}%'`;
  await until(async () => (await runSql(cursors)).result.length > 0);
}

const settingsOf = ({ username, password, url: baseUrl }: Sandbox) => ({
  ...{ username, password, baseUrl },
});

const sms = { from: '+12025550143', to: '+14155550100', body: 'Tom & <Jerry>' };
const replies = () =>
  sandbox.messages
    .filter(({ direction }) => direction === 'outbound-reply')
    .map(({ from, to, body }) => ({ from, to, body }));

const post = (parameters: Record<string, string>, token = account.password) =>
  postEvent(
    server.url + pathOf(key),
    signedForm(parameters, { url: publicAddress + pathOf(key), token }),
  );

beforeAll(async () => {
  const saved = await save({ ...account, baseUrl: sandbox.url, label: 'Events', publicAddress });
  key = String(saved.key);
  for (const { id } of definitions.events)
    workflows.set(
      id,
      await addWorkflow(admin(), {
        ...{ title: `on ${id}`, type: `telephony-${id}`, config: { account: key } },
        ...{ isAwaited: false, nodes: [] },
      }),
    );
});

/** Restarts NocoBase within its process, as enabling a plugin does: a new process takes ten times as long. */
async function restartWithin() {
  await admin().request('app:restart', {});
  // The service is to retry webhooks in the meantime.
  await until(async () => (await post(anotherSms())).status === 503);
  await admin().request('telephonyAccounts:list');
}

/** @throws {Error} if it fails, which NocoBase returns as the result */
async function runSql(sql: string) {
  const config = { dataSource: 'main', sql };
  const ran = Object(await admin().request('flow_nodes:test', { type: 'sql', config }));
  if (ran.status < 0) throw new Error(ran.result);
  return ran as { result: object[] };
}

test.each(fixtures)('%s starts its workflow once, with the whole record', async (id, fixture) => {
  const before = Date.now();
  expect(await post(fixture.parameters)).toEqual(received);
  expect(await post(fixture.parameters)).toEqual(received);
  const { sid } = Object(fixture.record);
  const started = (await startedWith(id)).filter(({ data }) => data.sid === sid);
  expect(started).toEqual([{ data: receivedSince(before, id, fixture) }]);
});

test('simultaneous events start a workflow once, late ones never', async () => {
  const of = (MessageStatus: string) => ({
    ...{ ...parametersOf('message-status'), MessageSid: 'SM-late', MessageStatus },
  });
  await Promise.all(Array.from({ length: 10 }, () => post(of('sent'))));
  for (const status of ['delivered', 'sent', 'queued'])
    expect(await post(of(status))).toEqual(received);
  const started = await startedWith('message-status');
  const states = started.filter(({ data }) => data.sid === 'SM-late');
  expect(states.map(({ data }) => data.status)).toEqual(['sent', 'delivered']);
});

test('forged requests are all refused, with one log line per reason', async () => {
  const { url, written } = server;
  const before = (await startedWith('sms-received')).length;
  const ways = await postForged(url + pathOf(key), publicAddress + pathOf(key), {
    count: requests,
  });
  // The web server itself answers 400 to invalid HTTP.
  expect([...ways.keys()].filter((status) => status !== 400)).toEqual([403]);
  expect(ways.get(403)?.size).toBeGreaterThan(10);
  for (const said of [
    /Refused a request for another account/g,
    /Refused a request without a valid signature/g,
  ])
    expect(written().match(said)).toHaveLength(1);
  expect(await startedWith('sms-received')).toHaveLength(before);
  expect(await post(anotherSms())).toEqual(received);
  expect(await startedWith('sms-received')).toHaveLength(before + 1);
});

test.each([
  ['long ago', 0],
  ['at a time in the future, as after a clock change', Date.now() + 86_400_000],
])('an event that a crashed process started %s is delivered again', async (_, at) => {
  const another = anotherSms();
  expect(await post(another)).toEqual(received);
  const deliveries = `kind = '${storeHash(`deliveries ${key}`)}'`;
  await runSql(`update "telephonyStore"
    set body = regexp_replace(body, '"at":[0-9]+', '"by":"an ended process","at":${at}')
    where id = (select id from "telephonyStore" where ${deliveries} order by at desc limit 1)`);
  expect(await post(another)).toEqual(received);
  expect(await post(another)).toEqual(received);
});

test('an event starts its workflow even if the ids of new executions are taken, as after a clock change', async () => {
  const seconds = `floor(extract(epoch from now()))::bigint - ${snowflakeEpoch}`;
  await post(anotherSms());
  await runSql(`insert into executions (id, "eventKey", status, "createdAt", "updatedAt")
    select (${seconds} + later) * ${1 << 21} + (newest.id & ${0x1f << 16}) + place,
      'taken ' || later || ' ' || place, 1, now(), now()
    from generate_series(0, 60) later, generate_series(0, 99) place,
      (select max(id) id from executions) newest on conflict do nothing`);
  const another = anotherSms();
  const { status } = await post(another);
  await runSql(`delete from executions where "eventKey" like 'taken %'`);
  expect(status).toBe(500);
  expect(await post(another)).toEqual(received);
  const started = await startedWith('sms-received');
  expect(started.filter(({ data }) => data.sid === another.MessageSid)).toHaveLength(1);
});

test('only accounts with a public URL accept webhooks', async () => {
  const { url } = server;
  const statusOf = async (path: string, method = 'POST') =>
    (await fetch(url + path, { method })).status;
  expect([
    await statusOf(pathOf(key), 'GET'),
    await statusOf(pathOf('telephony')),
    await statusOf(pathOf('nobody')),
    await statusOf(pathOf('%')),
  ]).toEqual([403, 503, 404, 404]);
});

test('a workflow starts only for the account of its trigger; without one, for the first account', async () => {
  const titles = { telephony: 'of another account', '': 'without an account' };
  const ids = await Promise.all(
    Object.entries(titles).map(([of, title]) =>
      addWorkflow(admin(), {
        ...{ title, type: 'telephony-sms-received', config: of ? { account: of } : {} },
        ...{ isAwaited: false, nodes: [] },
      }),
    ),
  );
  const starts = () =>
    Promise.all(
      ids.map(async (id, index) => {
        workflows.set(`other ${index}`, id);
        return (await startedWith(`other ${index}`)).length;
      }),
    );
  await post(anotherSms());
  expect(await starts()).toEqual([0, 0]);
  await save({ ...settingsOf(sandbox), key: 'telephony', publicAddress: server.url });
  sandbox.events.numbers.set(sms.to, { smsUrl: server.url + pathOf('telephony') });
  sandbox.receiveMessage(sms);
  await sandbox.events.settled();
  expect(await starts()).toEqual([1, 1]);
  const problems = async () => [
    (await stored('telephony'))?.eventProblem,
    (await stored(key))?.eventProblem,
  ];
  expect(await problems()).toEqual([undefined, undefined]);
  for (const id of ids) await admin().request(`workflows:destroy?filterByTk=${id}`, {});
  expect(await problems()).toEqual([
    expect.stringMatching(
      /^Events of this account start no workflow: the triggers of “on .+” are for another account\. Choose this account in the trigger\.$/,
    ),
    undefined,
  ]);
});

test('an event starts its workflow even while a new version is being enabled', async () => {
  const of = { title: 'of versions', type: 'telephony-sms-received', config: { account: key } };
  const first = await addWorkflow(admin(), { ...of, isAwaited: false, nodes: [] });
  workflows.set('first version', first);
  const versioned = (await admin().request(`workflows:get?filterByTk=${first}`)) as { key: string };
  const filter = JSON.stringify({ key: versioned.key });
  const query = new URLSearchParams({ filterByTk: first, filter });
  const { id } = (await admin().request(`workflows:revision?${query}`, {})) as { id: string };
  // Enabling it waits halfway until the event is delivered.
  const held = runSql(`do $$ begin
    perform from workflows where id = ${id} for update;
    while not exists (select from "telephonyStore" where kind = '${storeHash(`last delivery ${key}`)}' and at > ${Date.now()})
      loop perform pg_sleep(0.02); end loop;
  end $$`);
  const hasLock = async (which: string) =>
    (await runSql(`select pid from pg_locks where ${which}`)).result.length > 0;
  await until(() => hasLock("mode = 'RowShareLock' and relation = 'workflows'::regclass"));
  const switched = admin().request(`workflows:update?filterByTk=${id}`, { enabled: true });
  await until(() => hasLock('not granted'));
  expect(await post(anotherSms())).toEqual(received);
  await Promise.all([held, switched]);
  expect(await startedWith('first version')).toHaveLength(1);
  for (const one of [first, id]) await admin().request(`workflows:destroy?filterByTk=${one}`, {});
});

test('an event that NocoBase cannot start in time is not acknowledged, and its retry starts it once', async () => {
  const before = (await startedWith('sms-received')).length;
  await runSql('create table gate as select 1');
  const held = runSql(`do $$ begin
    lock table executions in exclusive mode;
    for i in 1..1000 loop
      exit when not exists (select from gate);
      perform pg_sleep(0.02);
    end loop;
  end $$`);
  // The database is slow from the start: recording the event is part of the time.
  const heldAtFirst = runSql(`do $$ begin
    lock table "telephonyStore" in exclusive mode;
    for i in 1..1000 loop
      exit when exists (select from pg_locks
        where not granted and relation = '"telephonyStore"'::regclass);
      perform pg_sleep(0.02);
    end loop;
    perform pg_sleep(2);
  end $$`);
  const locks = `select pid from pg_locks where mode = 'ExclusiveLock'
    and relation in ('executions'::regclass, '"telephonyStore"'::regclass)`;
  await until(async () => (await runSql(locks)).result.length > 1);
  const another = anotherSms();
  expect((await post(another)).status).toBe(500);
  await runSql('delete from gate');
  await Promise.all([held, heldAtFirst]);
  await runSql('drop table gate');
  expect(await post(another)).toEqual(received);
  expect(await startedWith('sms-received')).toHaveLength(before + 1);
  expect(server.written()).toContain('NocoBase did not start the workflows in time.');
});

describe('a reply', () => {
  const text = 'Thank you for “{{$context.data.body}}”, {{$context.data.from}}.';
  const reply = (typed: string) => ({ type: 'telephony-reply', input: { text: typed } });
  interface Ended {
    status: number | null;
    jobs: { id: number; status: number; result: unknown }[];
  }
  /** The results of a workflow's nodes, once it has ended. */
  async function jobsOf(workflowId: string) {
    const filter = JSON.stringify({ workflowId });
    const query = new URLSearchParams({ filter, appends: 'jobs' });
    for (;;) {
      const [execution] = (await admin().request(`executions:list?${query}`)) as Ended[];
      if (execution?.status)
        return execution.jobs
          .sort((one, other) => one.id - other.id)
          .map(({ status, result }) => ({ status, result }));
    }
  }

  /** Connects this NocoBase to the events of the sandbox's account. Returns the account's key. */
  async function saveOwn() {
    await save({ ...settingsOf(sandbox), key: 'telephony', publicAddress: server.url });
    return 'telephony';
  }

  /** Receives an SMS while a workflow exists. Returns the response and the results of the workflow's nodes. */
  async function receive(nodes: WorkflowNode[], isAwaited = true) {
    const config = { account: await saveOwn() };
    sandbox.events.numbers.set(sms.to, { smsUrl: server.url + pathOf('telephony') });
    const type = 'telephony-sms-received';
    const id = await addWorkflow(admin(), { title: 'reply', type, config, isAwaited, nodes });
    sandbox.receiveMessage(sms);
    await sandbox.events.settled();
    const jobs = await jobsOf(id);
    await admin().request(`workflows:update?filterByTk=${id}`, { enabled: false });
    return { tries: sandbox.events.log.map(({ tries }) => tries), jobs };
  }

  const problem = (message: RegExp) => ({
    status: -2,
    result: expect.objectContaining({ code: 'input', message: expect.stringMatching(message) }),
  });

  test('of a workflow is sent once', async () => {
    const body = `Thank you for “${sms.body}”, ${sms.from}.`;
    expect(await receive([reply(text), reply('Again')])).toEqual({
      tries: [[200]],
      jobs: [{ status: 1, result: { text: body } }, problem(/^This event already has a reply/)],
    });
    expect(replies()).toEqual([{ from: sms.to, to: sms.from, body }]);
  });

  test('of several workflows is that of the oldest, even if it is the slowest', async () => {
    const gate = await gateTo(sandbox.url, (path) => path.includes('/Calls/'));
    const config = { account: await saveOwn() };
    const own = { key: 'telephony', publicAddress: server.url, baseUrl: gate.url };
    await save({ ...settingsOf(sandbox), ...own });
    const [call] = sandbox.calls;
    const view = {
      ...{ type: 'telephony-view-a-call', account: 'telephony' },
      input: { callSid: call?.sid },
    };
    const ids: string[] = [];
    for (const [title, nodes] of Object.entries({
      slow: [view, reply('First')],
      fast: [reply('Second')],
    }))
      ids.push(
        await addWorkflow(admin(), {
          ...{ title, type: 'telephony-sms-received', config, isAwaited: true, nodes },
        }),
      );
    sandbox.events.numbers.set(sms.to, { smsUrl: server.url + pathOf('telephony') });
    sandbox.receiveMessage(sms);
    await gate.holds(1);
    const fast = new URLSearchParams({ filter: JSON.stringify({ workflowId: ids[1] }) });
    await until(async () => ((await admin().request(`executions:list?${fast}`)) as []).length > 0);
    await gate.open();
    await sandbox.events.settled();
    expect(replies().map(({ body }) => body)).toEqual(['First']);
    expect(await jobsOf(ids[1] ?? '')).toEqual([problem(/^This event already has a reply/)]);
    for (const id of ids) await admin().request(`workflows:destroy?filterByTk=${id}`, {});
  });

  const calls: [form: string, input: object, seconds: number[], ended: object][] = [
    [
      'say',
      { say: 'Hello {{$context.data.from}}', language: 'en-GB' },
      [2, 2],
      { calls: [[incoming.from, incoming.to, 'completed', '2']], recordings: [] },
    ],
    [
      'forward',
      { to: '+1 310 555 0177', timeout: '20' },
      [2, 2, 4],
      {
        calls: [
          [incoming.from, '+13105550177', 'completed', '4'],
          [incoming.from, incoming.to, 'completed', '4'],
        ],
        recordings: [],
      },
    ],
    [
      'record',
      { say: 'Please speak after the tone', maxLength: '3' },
      [2, 2, 3],
      {
        calls: [[incoming.from, incoming.to, 'completed', '5']],
        recordings: [['RecordVerb', 'completed', '3']],
      },
    ],
  ];
  test.each(calls)('to a call can be: %s', async (form, input, seconds, ended) => {
    const config = { account: await saveOwn() };
    const id = await addWorkflow(admin(), {
      ...{ title: 'reply', type: 'telephony-call-received', config, isAwaited: true },
      nodes: [{ type: `telephony-reply-${form}`, input }],
    });
    expect(await callIn(sandbox, server.url + pathOf('telephony'), ...seconds)).toEqual(ended);
    expect((await jobsOf(id)).map(({ status }) => status)).toEqual([1]);
    await admin().request(`workflows:update?filterByTk=${id}`, { enabled: false });
  });

  test('to a call can ask, and the answer starts another workflow, which replies in turn', async () => {
    const config = { account: await saveOwn() };
    const own = { config, isAwaited: true };
    const asked = await addWorkflow(admin(), {
      ...{ ...own, title: 'ask', type: 'telephony-call-received' },
      nodes: [{ type: 'telephony-reply-ask', input: { say: 'Press a key.', numDigits: '1' } }],
    });
    const say = '{{$context.data.question}}: {{$context.data.digits}}, again?';
    const answered = await addWorkflow(admin(), {
      ...{ ...own, title: 'answer', type: 'telephony-caller-answered' },
      nodes: [{ type: 'telephony-reply-ask', input: { say, numDigits: '1' } }],
    });
    const url = server.url + pathOf('telephony');
    const { heard } = await callAndAnswer(sandbox, url, ['7', '7', '#']);
    expect(heard).toEqual(['Press a key.', '1: 7, again?', '2: 7, again?', '3: #, again?']);
    expect((await jobsOf(answered)).map(({ status }) => status)).toEqual([1]);
    for (const id of [asked, answered])
      await admin().request(`workflows:update?filterByTk=${id}`, { enabled: false });
  });

  const unsent: [what: string, typed: string, isAwaited: boolean, sentence: RegExp][] = [
    [
      'that no request waits for',
      text,
      false,
      /^No reply was sent, because no event waits for one\./,
    ],
    ['without a value', '{{$context.data.price}}', true, /^"Text" is missing/],
    ['over the maximum length', 'x'.repeat(1601), true, /^"Text" must be text of at most 1,?600/],
  ];
  test.each(unsent)('%s is an error and sends no SMS', async (_, typed, isAwaited, sentence) => {
    expect(await receive([reply(typed)], isAwaited)).toEqual({
      tries: [[200]],
      jobs: [problem(sentence)],
    });
    expect(replies()).toEqual([]);
  });
});

test('messages request a status callback only if the settings say so', async () => {
  const bodyOf = async (reported: boolean) => {
    await save({
      ...{ ...settingsOf(sandbox), key: 'telephony', publicAddress: server.url, reported },
    });
    takeRequests(sandbox);
    const input = { from: '+15005550006', to: '+12025550143', body: `Reported: ${reported}` };
    await admin().request('telephonyActions:send-sms', { account: 'telephony', input });
    return Object.fromEntries(new URLSearchParams(sandbox.requests[0]?.body));
  };
  const sent = { From: '+15005550006', To: '+12025550143' };
  expect([await bodyOf(true), await bodyOf(false)]).toEqual([
    {
      ...{ ...sent, Body: 'Reported: true' },
      StatusCallback: server.url + pathOf('telephony'),
    },
    { ...sent, Body: 'Reported: false' },
  ]);
});

test('polling reads the events that enabled workflows start from, and only while it is on', async () => {
  const type = 'telephony-sms-received';
  const own = { title: 'asked', type, config: { account: 'telephony' }, nodes: [] };
  workflows.set('asked', await addWorkflow(admin(), { ...own, isAwaited: false }));
  const often = { key: 'telephony', publicAddress: '', pollMinutes: 0.1 };
  await save({ ...settingsOf(sandbox), ...often });
  await begun('sms-received');
  sandbox.receiveMessage(sms);
  takeRequests(sandbox);
  await until(async () => (await startedWith('asked')).length > 0);
  expect(await startedWith('asked')).toMatchObject([{ data: { ...sms, status: 'received' } }]);
  expect(new Set(takeRequests(sandbox).map((one) => one.replace(/\?.*/, '')))).toEqual(
    new Set(['GET /Messages.json']),
  );
  // As if the clock was set back: the last poll is in the future.
  const ahead = `{"key":"state","value":{"begunAt":${Date.now() + 86_400_000}}}`;
  await runSql(`update "telephonyStore" set body = '${ahead}'
    where id = '${storeHash('poll telephony', 'state')}'`);
  sandbox.receiveMessage(sms);
  await until(async () => (await startedWith('asked')).length > 1);
  // The poll stores its end after it has started the workflow.
  await until(async () => Boolean((await stored('telephony'))?.polledAt));
  const toggle = (enabled: boolean) =>
    admin().request(`workflows:update?filterByTk=${workflows.get('asked')}`, { enabled });
  await toggle(false);
  const { sid: missed } = sandbox.receiveMessage(sms);
  // No workflow is enabled for it, so a workflow that is enabled later does not get it.
  await until(async () => !(await stored('telephony'))?.polledAt);
  sandbox.pass(60);
  await toggle(true);
  await begun('sms-received');
  const { sid } = sandbox.receiveMessage(sms);
  const delivered = async () => (await startedWith('asked')).map(({ data }) => data.sid);
  await until(async () => (await delivered()).includes(sid));
  expect(await delivered()).not.toContain(missed);
  // Skips events while polling is off, even if it is switched off during a poll.
  const gate = await gateTo(sandbox.url);
  const slow = { ...settingsOf(sandbox), ...often, baseUrl: gate.url };
  await save(slow);
  await gate.holds(1);
  await save({ ...slow, pollMinutes: null });
  await gate.open();
  const { sid: skipped } = sandbox.receiveMessage(sms);
  sandbox.pass(60);
  await save(slow);
  await begun('sms-received');
  const { sid: last } = sandbox.receiveMessage(sms);
  await until(async () => (await delivered()).includes(last));
  expect(await delivered()).not.toContain(skipped);
  // The event of another workflow is polled at once, even if the next poll is far off.
  await save({ ...settingsOf(sandbox), ...often, pollMinutes: 1_440 });
  const ofCalls = { ...own, title: 'calls', type: 'telephony-call-status' };
  const calls = await addWorkflow(admin(), { ...ofCalls, isAwaited: false });
  await begun('call-status');
  await admin().request(`workflows:destroy?filterByTk=${calls}`, {});
  await save({ ...settingsOf(sandbox), key: 'telephony', pollMinutes: null });
  expect(await stored('telephony')).not.toHaveProperty('polledAt');
  await admin().request(`workflows:destroy?filterByTk=${workflows.get('asked')}`, {});
});

test('the reply of a workflow to a polled event is sent as an SMS to its sender, and previews know it', async () => {
  const workflow = await addWorkflow(admin(), {
    ...{ title: 'polled reply', type: 'telephony-sms-received', isAwaited: true },
    config: { account: 'telephony' },
    nodes: [{ type: 'telephony-reply', input: { text: 'Thank you, {{$context.data.from}}!' } }],
  });
  const place = { key: 'telephony', publicAddress: '', pollMinutes: 0.1 };
  await save({ ...settingsOf(sandbox), ...place });
  await begun('sms-received');
  sandbox.receiveMessage(sms);
  const body = `Thank you, ${sms.from}!`;
  const sent = () =>
    sandbox.messages
      .filter((one) => one.body === body)
      .map(({ from, to, direction }) => ({ from, to, direction }));
  await until(() => sent().length > 0);
  expect(sent()).toEqual([{ from: sms.to, to: sms.from, direction: 'outbound-api' }]);
  const id = { name: 'id', type: 'bigInt', autoIncrement: true, primaryKey: true };
  const phone = { name: 'phone', type: 'string', interface: 'input' };
  await admin().request('collections:create', {
    ...{ name: 'senders', title: 'Senders', autoGenId: false, template: 'general' },
    fields: [id, phone],
  });
  await admin().request('senders:create', { phone: sms.from });
  const preview = await admin().request('telephonyRuns:preview', {
    ...{ account: 'telephony', action: 'send-sms', dataSource: 'main', collection: 'senders' },
    ...{ rows: [1], input: { from: [sms.to], to: [{ column: 'phone' }], body: [body] } },
  });
  expect(preview).toMatchObject({ repeated: { count: 1, isSkipped: true } });
  await save({ ...settingsOf(sandbox), key: 'telephony', pollMinutes: null });
  await admin().request(`workflows:destroy?filterByTk=${workflow}`, {});
});

test.each([false, true])(
  'a workflow slower than the service waits counts as delivered, also when polled: %s',
  async (isAskedFor) => {
    const gate = await gateTo(sandbox.url, (path) => path.includes('/Calls/'));
    const [call] = sandbox.calls;
    const id = await addWorkflow(admin(), {
      ...{ title: 'slow', type: 'telephony-sms-received', config: { account: 'telephony' } },
      ...{ isAwaited: true },
      nodes: [
        {
          ...{ type: 'telephony-view-a-call', account: 'telephony' },
          input: { callSid: call?.sid },
        },
      ],
    });
    const place = isAskedFor
      ? { publicAddress: '', pollMinutes: 0.1 }
      : { publicAddress: server.url, pollMinutes: null };
    await save({ ...settingsOf(sandbox), key: 'telephony', baseUrl: gate.url, ...place });
    if (isAskedFor) await begun('sms-received');
    else sandbox.events.numbers.set(sms.to, { smsUrl: server.url + pathOf('telephony') });
    sandbox.receiveMessage(sms);
    await gate.holds(1);
    const begunAt = Date.now();
    const delivered = () =>
      runSql(`select at from "telephonyStore"
        where kind = '${storeHash('last delivery telephony')}' and at > ${begunAt}`);
    await until(async () => Object(await delivered()).result.length > 0);
    // Otherwise, the workflow may have ended because its request did.
    const filter = JSON.stringify({ workflowId: id });
    const executions = await admin().request(`executions:list?${new URLSearchParams({ filter })}`);
    expect(executions).toMatchObject([{ status: running }]);
    await gate.open();
    await save({ ...settingsOf(sandbox), key: 'telephony', pollMinutes: null });
    await admin().request(`workflows:destroy?filterByTk=${id}`, {});
  },
  timeLimitMs,
);

describe('the event settings', () => {
  const authToken = 'f00d-the-auth-token';
  const list = () => stored(key);

  test('show the webhook URL and the time of the last event', async () => {
    const before = new Date().toISOString();
    await post(anotherSms());
    const { eventAddress, lastEvent } = (await list()) ?? {};
    expect(eventAddress).toBe(publicAddress + pathOf(key));
    expect(String(lastEvent) >= before).toBe(true);
  });

  const wrong: [what: string, values: object, field: string, sentence: string][] = [
    [
      'a public URL without https',
      { publicAddress: 'http://app.example.com' },
      'publicAddress',
      'The public URL must start with https://.',
    ],
    [
      'an API key without the Auth Token',
      { username: 'SK1', accountSid: account.username, password: 'secret', publicAddress },
      'authToken',
      'Enter the Auth Token to receive events',
    ],
  ];
  test.each(wrong)('refuse %s with an error at its field', async (_, values, field, sentence) => {
    const said = await failureOf(save({ ...account, ...values, baseUrl: sandbox.url }));
    expect(said).toContain(sentence);
    expect(said).toContain(`"field":"${field}"`);
  });

  test('keep the Auth Token secret, like the password', async () => {
    await save({ ...(await list()), password: { authToken } });
    expect((await post(anotherSms())).status).toBe(403);
    expect(await post(anotherSms(), authToken)).toEqual(received);
    const shown = await list();
    expect(shown?.stored).toEqual(['password', 'authToken']);
    expect(JSON.stringify(shown)).not.toContain(authToken);
    expect(server.written()).not.toContain(authToken);
    expect(await failureOf(member.request('telephonyAccounts:list'))).toMatch(/ 403/);
    await save({ ...(await list()), password: { authToken: account.password } });
  });
});

describe('in the browser', () => {
  const drawerOf = (page: Page) => page.locator('.ant-drawer-content:visible').last();

  async function chooseVariable(page: Page, path: string[]) {
    await drawerOf(page).getByRole('button', { name: 'x', exact: true }).click();
    for (const part of path) await page.getByText(part, { exact: true }).last().click();
  }

  /** Builds a workflow of one node, which replies to an incoming SMS. */
  async function makeWorkflow(page: Page, title: string, screenshot: Browser['screenshot']) {
    await page.getByRole('button', { name: 'Add new' }).click();
    const drawer = drawerOf(page);
    await drawer.getByLabel('Title').fill(title);
    await drawer.getByLabel('Trigger type').fill('SMS');
    await screenshot('triggers');
    await page.locator('.ant-select-item-option').filter({ hasText: 'SMS received' }).click();
    await drawer.getByText('Synchronously', { exact: true }).click();
    await drawer.getByRole('button', { name: 'Submit' }).click();
    const row = page.getByRole('row').filter({ hasText: title });
    await row.getByText('Configure', { exact: true }).click();

    const add = page.getByRole('button', { name: 'add-button' });
    // The list of workflows, which is still shown, contains the trigger's name, too.
    await add.waitFor();
    await page.getByText('SMS received', { exact: true }).first().click();
    await drawer.getByText('enter the webhook URL and choose HTTP POST.').waitFor();
    await drawer.locator('.ant-select').click();
    await screenshot('trigger');
    await page.locator('.ant-select-item-option').filter({ hasText: 'Desk' }).click();
    await drawer.getByRole('button', { name: 'Submit' }).click();

    await add.click();
    await drawer.getByText('Reply', { exact: true }).click();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByText('Reply', { exact: true }).first().click();
    await chooseVariable(page, ['Trigger variables', 'SMS received', 'Body']);
    await screenshot('reply');
    await drawer.getByRole('button', { name: 'Submit' }).click();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('switch').click();
    await page.getByRole('switch', { checked: true }).waitFor();
  }

  test('the settings show the webhook URL, and a workflow made in the editor answers an SMS', async () => {
    const own = { key: 'telephony', label: 'Desk', publicAddress: server.url };
    await save({ ...settingsOf(sandbox), ...own });
    const { page, screenshot } = await openBrowser('nocobase-events');
    await logIn(page, `${server.url}/v/admin/settings/telephony`);
    const desk = page.locator('.ant-card').filter({ hasText: 'Desk' });
    await desk.getByText('Events', { exact: true }).click();
    await desk.getByText(server.url + pathOf('telephony')).waitFor();
    await desk.getByText('Last event:').waitFor();
    await screenshot('settings');

    await page.goto(`${server.url}/v/admin/settings/workflow`);
    await makeWorkflow(page, 'Answer an SMS', screenshot);
    sandbox.events.numbers.set(sms.to, { smsUrl: server.url + pathOf('telephony') });
    sandbox.receiveMessage(sms);
    await sandbox.events.settled();
    expect(replies()).toEqual([{ from: sms.to, to: sms.from, body: sms.body }]);
    const filter = JSON.stringify({ title: 'Answer an SMS' });
    await admin().request(`workflows:destroy?${new URLSearchParams({ filter })}`, {});
  });
});

test(
  'each event starts its workflow once across restarts, and the last status is right',
  async () => {
    const { events, waiting, randomBelow } = eventStream(requests);
    const restart = () => (isThorough ? server.restart('SIGTERM') : restartWithin());
    const url = server.url + pathOf(key);
    const { answers, restarts, unanswered } = await postUntilReceived({
      ...{
        waiting,
        randomBelow,
        requestsPerRestart,
        url,
        address: publicAddress + pathOf(key),
        restart,
      },
    });
    // The restarts interrupted some requests.
    expect(restarts).toBeGreaterThanOrEqual(2);
    if (isThorough) expect([...answers.keys()]).not.toEqual([200]);
    const known = new Set(events.map(({ subject }) => subject));
    const delivered: Delivered[] = [];
    for (const { id } of definitions.events)
      for (const { data } of await startedWith(id))
        if (known.has(`${id} ${data.sid}`))
          delivered.push([id, String(data.sid), String(data.status)]);
    expectOnce(events, delivered, unanswered);
  },
  timeLimitMs,
);

test('a removed account refuses webhooks', async () => {
  await admin().request('telephonyAccounts:remove', { key });
  expect((await post(anotherSms())).status).toBe(404);
});
