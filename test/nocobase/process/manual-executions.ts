import { eventDefinition, replyForms } from '../../../src/builder.ts';
import { fixtures, parametersOf, receivedSince, withoutFiles } from '../../events/fixtures.ts';
import { postEvent } from '../../events/post.ts';
import { signedForm } from '../../events/signed.ts';
import { failureOf } from '../../support/failure-of.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { type Opened, password } from '../open-nocobase.ts';
import { addWorkflow, newestJob, type WorkflowNode } from '../workflow-on-table.ts';

/** A workflow of an event is executed with a sample. */
export function executesManually(opened: () => Opened): void {
  let sandbox: Opened['sandbox'];
  let server: Opened['server'];
  let settings: Opened['settings'];
  let member: Opened['member'];
  beforeAll(() => {
    ({ sandbox, server, settings, member } = opened());
  });
  beforeAll(async () => {
    const own = { key: 'telephony', publicAddress: server.url };
    await server.admin.request('telephonyAccounts:save', { ...settings, ...own });
  });
  beforeEach(() => {
    sandbox.reset();
    takeRequests(sandbox);
  });

  /** Adds a workflow of an event. */
  const workflowOf = (event: string, nodes: WorkflowNode[] = [], isAwaited = false, config = {}) =>
    addWorkflow(server.admin, {
      ...{ title: event, type: `telephony-${event}`, config, isAwaited, nodes },
    });

  const execute = (id: string, data: object, who = server.admin) =>
    who.request(`workflows:execute?filterByTk=${id}`, { data });

  /** The variables of a workflow's runs, oldest first. */
  async function startedWith(workflowId: string): Promise<object[]> {
    const filter = JSON.stringify({ workflowId });
    const query = new URLSearchParams({ filter, sort: 'id', paginate: 'false' });
    const executions = await server.admin.request(`executions:list?${query}`);
    return (executions as { context: { data: object } }[]).map(({ context }) => context.data);
  }

  /** Receives an event of the account by webhook. */
  function receive(parameters: Record<string, string>) {
    const url = `${server.url}/api/telephony/events/telephony`;
    const own = { ...parameters, AccountSid: sandbox.username };
    return postEvent(url, signedForm(own, { url, token: password }));
  }

  test.each(fixtures)(
    'starts a workflow with a sample like the event, and hides no event: %s',
    async (id, fixture) => {
      const before = Date.now();
      const record = { ...fixture.record, accountSid: sandbox.username };
      const workflow = await workflowOf(id);
      expect(await execute(workflow, fixture.record)).toEqual({
        execution: { id: expect.anything(), status: 1 },
      });
      for (const _ of 'ab') expect((await receive(fixture.parameters)).status).toBe(200);
      expect(await startedWith(workflow)).toEqual([
        receivedSince(before, id, { ...fixture, record: withoutFiles(id, record) }),
        receivedSince(before, id, { ...fixture, record }),
      ]);
    },
  );

  // Other tests in the same NocoBase text the number of the samples, which opted out last.
  afterAll(async () => {
    const sid = 'SM3123456789abcdef0123456789abcdef';
    const start = { ...parametersOf('opted-in'), MessageSid: sid, SmsSid: sid, SmsMessageSid: sid };
    expect((await receive(start)).status).toBe(200);
  });

  test('two clicks at the same time start a workflow once', async () => {
    const workflow = await workflowOf('sms-received');
    const sample = { sid: 'SM1', body: 'Twice?' };
    const [one, other] = await Promise.all([execute(workflow, sample), execute(workflow, sample)]);
    expect(one).toEqual(other);
    expect(await startedWith(workflow)).toMatchObject([sample]);
  });

  test('a workflow that is off uses the sample in its nodes', async () => {
    const input = { from: '{{$context.data.to}}', to: '{{$context.data.from}}', body: 'Thank you' };
    const workflow = await workflowOf('sms-received', [{ type: 'telephony-send-sms', input }]);
    await server.admin.request(`workflows:update?filterByTk=${workflow}`, { enabled: false });
    const sample = { sid: 'SM1', from: '+12025550143', to: '+15005550006', body: 'Hello' };
    await execute(workflow, sample);
    expect(sandbox.messages.filter(({ body }) => body === 'Thank you')).toMatchObject([
      { from: sample.to, to: sample.from },
    ]);
  });

  test.each(replyForms.map(({ id }) => id))(
    'the node “%s” succeeds and sends nothing',
    async (reply) => {
      const [event] = fixtures.filter(([id]) =>
        eventDefinition(id).replies?.some((one) => one.id === reply),
      );
      if (!event) throw new Error('No event has this reply.');
      const [id, { record }] = event;
      const input = { text: 'Hi', say: 'Hi', to: '+1' };
      const node = { type: `telephony-${reply}`, input };
      const workflow = await workflowOf(id, [node], true);
      await execute(workflow, record);
      const keys = replyForms.find(({ id }) => id === reply)?.fields.map(({ key }) => key) ?? [];
      const filled = Object.fromEntries(
        Object.entries(input).filter(([key]) => keys.includes(key)),
      );
      expect(await newestJob(server.admin)).toMatchObject({ status: 1, result: filled });
      expect(takeRequests(sandbox)).toEqual([]);
    },
  );

  test.each<[string, object, object, string]>([
    ['no data', {}, {}, String.raw`\"SID\" is missing.`],
    ['a list', ['SM1'], {}, String.raw`\"SID\" is missing.`],
    ['an object as SID', { sid: { toString: 'SM1' } }, {}, String.raw`\"SID\" must be a`],
    [
      'an object as text',
      { sid: 'SM1', body: { $gt: '' } },
      {},
      String.raw`\"Body\" must be text.`,
    ],
    ['a list of numbers', { sid: 'SM1', from: ['+1', '+2'] }, {}, String.raw`\"From\" must be a`],
    ['a text as count', { sid: 'SM1', numSegments: 'NaN' }, {}, String.raw`\"Segments\" must be a`],
    ['no account', { sid: 'SM1' }, { account: 'removed' }, 'The account was removed'],
  ])('a sample with %s starts nothing and says why', async (_, data, config, problem) => {
    const workflow = await workflowOf('sms-received', [], false, config);
    const failure = await failureOf(execute(workflow, data));
    expect(failure).toContain(' 400: ');
    expect(failure).toContain(problem);
    expect(await startedWith(workflow)).toEqual([]);
  });

  test.each<[what: string, values: object]>([
    ['no sample', {}],
    ['a list', [{ data: { sid: 'SM1' } }]],
    ['a text as sample', { data: 'SM1' }],
    ['a sample in the prototype', JSON.parse('{ "data": { "__proto__": { "sid": "SM1" } } }')],
  ])('a request with %s starts nothing', async (_, values) => {
    const workflow = await workflowOf('sms-received');
    const action = `workflows:execute?filterByTk=${workflow}`;
    expect(await failureOf(server.admin.request(action, values))).toContain(' 400: ');
    expect(await startedWith(workflow)).toEqual([]);
  });

  test('only users who may execute workflows can', async () => {
    const workflow = await workflowOf('sms-received');
    expect(await failureOf(execute(workflow, { sid: 'SM1' }, member))).toContain(' 403: ');
    expect(await startedWith(workflow)).toEqual([]);
  });
}
