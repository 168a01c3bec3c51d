import { childOf } from '../../support/child-of.ts';
import { shownNowhere } from '../../support/shown-nowhere.ts';
import { until } from '../../support/until.ts';
import { chain, type WorkflowNode } from '../n8n-server.ts';
import type { Opened } from './opened.ts';

const wrong = 'wrong number';
const retried = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const continued = { ...retried, onError: 'continueRegularOutput' };

const smsTo = (to: string, body = 'Hello') => ({
  ...{ resource: 'message', operation: 'send-sms', to, body },
  from: { __rl: true, mode: 'value', value: '+14155550100' },
});

/**
 * An action of a node that n8n runs again with all of its items, also those that were sent: after an error, and when someone retries the
 * execution.
 */
export function sendsOnce(opened: () => Opened): void {
  beforeEach(() => {
    opened().service.reset();
    opened().service.sandbox.messages.length = 0;
  });

  /** Creates a workflow that sends an SMS to each recipient, by a node with these settings. */
  const texting = (recipients: string[], settings: object, body?: string, sending: object = {}) =>
    opened().n8n.create(
      {
        Start: { type: 'n8n-nodes-base.manualTrigger' },
        Rows: {
          ...{ type: 'n8n-nodes-base.set', typeVersion: 3.4 },
          parameters: {
            mode: 'raw',
            jsonOutput: JSON.stringify({ rows: recipients.map((to) => ({ to })) }),
          },
        },
        Split: { type: 'n8n-nodes-base.splitOut', parameters: { fieldToSplitOut: 'rows' } },
        SMS: {
          ...{ type: 'n8n-nodes-telephony.telephony', ...settings },
          parameters: { ...smsTo('={{ $json.to }}', body), sending },
        } satisfies WorkflowNode,
      },
      chain('Start', 'Rows', 'Split', 'SMS'),
    );

  /** Sends an SMS to each recipient, by a node with these settings. */
  const text = async (recipients: string[], settings: object = {}, body?: string) =>
    opened().n8n.runWorkflow(await texting(recipients, settings, body));

  const reached = () =>
    opened()
      .service.sandbox.messages.map(({ to }) => to)
      .sort();

  test.each([
    ['the second item is wrong', ['+12025550301', wrong], retried, 'error', ['+12025550301']],
    ['the first item is wrong', [wrong, '+12025550302'], continued, 'success', ['+12025550302']],
    [
      'two items are equal',
      ['+12025550303', '+12025550303', wrong],
      retried,
      'error',
      ['+12025550303'],
    ],
  ])(
    'sends each item once with three tries if %s',
    async (_, recipients, settings, status, all) => {
      expect((await text(recipients, settings)).status).toBe(status);
      expect(reached()).toEqual(all);
    },
  );

  test('the error output has the row of each item that failed', async () => {
    const settings = { ...retried, onError: 'continueErrorOutput' };
    const { status, items } = await text(['+12025550311', wrong], settings);
    expect([status, items('SMS'), items('SMS', 1)]).toEqual([
      'success',
      [expect.objectContaining({ to: '+12025550311' })],
      [
        {
          to: wrong,
          error: { message: expect.stringContaining('"To"'), code: 'input', field: 'to' },
        },
      ],
    ]);
    expect(reached()).toEqual(['+12025550311']);
  });

  test('does not send again in the next try if the outcome is unknown', async () => {
    opened().service.sandbox.faults.add({ name: 'reset-after', method: 'POST' });
    opened().service.sandbox.faults.add(shownNowhere);
    const { items } = await text(['+12025550304'], continued);
    expect(items('SMS')).toMatchObject([
      {
        error: {
          message: expect.stringContaining('is unknown; it was not sent again'),
          code: 'unknown-outcome',
        },
      },
    ]);
    expect(reached()).toEqual(['+12025550304']);
  });

  test('does not send again what was sent if someone retries the execution', async () => {
    const first = await text(['+12025550306', wrong]);
    const second = await opened().n8n.retry(first.id);
    expect([first.status, second.status]).toEqual(['error', 'error']);
    expect(reached()).toEqual(['+12025550306']);
  });

  test('sends once if someone retries an execution twice that the service refused', async () => {
    opened().service.sandbox.faults.add({ name: 'rate-limited', method: 'POST', retryAfter: 60 });
    const refused = await text(['+12025550307']);
    const retries = [await opened().n8n.retry(refused.id), await opened().n8n.retry(refused.id)];
    expect(retries.map(({ status }) => status)).toEqual(['success', 'error']);
    expect(reached()).toEqual(['+12025550307']);
  });

  test('n8n holds no record of the actions of an execution that it has stored', async () => {
    const { claimCount } = opened().n8n;
    const before = claimCount();
    const recipients = Array.from({ length: 20 }, (_, index) => `+120255506${index + 10}`);
    await text(recipients);
    await text(['+12025550312', wrong]);
    await until(async () => claimCount() === before);
    expect(reached()).toEqual([...recipients, '+12025550312'].sort());
  });

  test('a retry sends what the execution did not reach, although an earlier one sent the same', async () => {
    const { n8n, service } = opened();
    const list = { resource: 'call', operation: 'account-calls', limit: 1 };
    const nodes = {
      Start: { type: 'n8n-nodes-base.manualTrigger' },
      List: { type: 'n8n-nodes-telephony.telephony', parameters: list },
      SMS: { type: 'n8n-nodes-telephony.telephony', parameters: smsTo('+12025550310') },
    };
    const workflow = await n8n.create(nodes, chain(...Object.keys(nodes)));
    await n8n.runWorkflow(workflow);
    service.sandbox.faults.add({ name: 'missing', method: 'GET' });
    const failed = await n8n.runWorkflow(workflow);
    expect(failed.status).toBe('error');
    expect((await n8n.retry(failed.id)).status).toBe('success');
    expect(reached()).toEqual(['+12025550310', '+12025550310']);
  });

  test('skips no key that an n8n which was killed never sent, and sends none twice', async () => {
    const { n8n } = opened();
    const recipients = Array.from({ length: 60 }, (_, index) => `+12025557${index + 100}`);
    const sending = { oncePer: '={{ $json.to }}' };
    const workflow = await texting(
      recipients,
      { onError: 'continueRegularOutput' },
      'Hello',
      sending,
    );
    await n8n.start(workflow);
    await until(() => reached().length >= 15);
    await n8n.server.restart('SIGKILL', childOf(n8n.server.pid(), 'n8n'));
    const before = reached();

    const { items } = await n8n.runWorkflow(workflow);
    const ends = items('SMS').map(({ sid, skipped, error }) =>
      sid ? 'sent' : skipped ? 'skipped' : Object(error).code,
    );
    const isPossible = (to: string, end: unknown) =>
      end === 'unknown-outcome' || end === (before.includes(to) ? 'skipped' : 'sent');
    expect(recipients.filter((to, index) => !isPossible(to, ends[index]))).toEqual([]);
    expect(new Set(ends)).toEqual(new Set(['sent', 'skipped', 'unknown-outcome']));
    expect(reached()).toEqual(
      recipients.filter((to, index) => before.includes(to) || ends[index] === 'sent'),
    );
  });

  test('an item whose expression fails does not stop the others', async () => {
    const body = "={{ $json.to === 'wrong' ? $('No node').item.json.text : 'Hello' }}";
    const { status, items } = await text(
      ['+12025550308', 'wrong', '+12025550309'],
      continued,
      body,
    );
    expect(status).toBe('success');
    expect(items('SMS')).toMatchObject([
      { to: '+12025550308' },
      { error: { message: expect.any(String) } },
      { to: '+12025550309' },
    ]);
    expect(reached()).toEqual(['+12025550308', '+12025550309']);
  });

  test('an error that lists the statuses does not make the execution “Canceled”', async () => {
    const { status, error } = await opened().n8n.run(
      {
        Start: { type: 'n8n-nodes-base.manualTrigger' },
        List: {
          type: 'n8n-nodes-telephony.telephony',
          parameters: {
            ...{ resource: 'call', operation: 'calls-by-caller-id' },
            options: { from: '+12025550123', status: ['paused'] },
          },
        },
      },
      chain('Start', 'List'),
    );
    expect({ status, error: error?.replaceAll('\u2060', '') }).toEqual({
      status: 'error',
      error: expect.stringContaining('canceled'),
    });
  });

  test('a filter without a value is an error, not all records', async () => {
    const list: WorkflowNode = {
      type: 'n8n-nodes-telephony.telephony',
      parameters: {
        ...{ resource: 'recording', operation: 'recordings-by-caller-id', returnAll: true },
        options: { from: '={{ $json.misspelt }}' },
      },
    };
    const start = { type: 'n8n-nodes-base.manualTrigger' };
    const { status, error } = await opened().n8n.run(
      { Start: start, List: list },
      chain('Start', 'List'),
    );
    expect({ status, error }).toEqual({
      status: 'error',
      error: '“From” is empty. Enter a value, or remove it.',
    });
  });
}
