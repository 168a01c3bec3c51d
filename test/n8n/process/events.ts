import { randomUUID } from 'node:crypto';
import { postEvent } from '../../events/post.ts';
import { signedForm } from '../../events/signed.ts';
import { until } from '../../support/until.ts';
import { chain, type WorkflowNode } from '../n8n-server.ts';
import type { Opened } from './opened.ts';

/** Polls every three seconds, with 20 schedules of once a minute: n8n refuses a schedule that runs more often. */
const pollTimes = {
  item: Array.from({ length: 20 }, (_, index) => ({
    mode: 'custom',
    cronExpression: `${index * 3} * * * * *`,
  })),
};
const parameters = { event: 'sms-received' };
const webhookId = randomUUID();

const triggers: WorkflowNode[] = [
  { ...{ type: 'n8n-nodes-telephony.telephonyTrigger', webhookId }, parameters },
  {
    type: 'n8n-nodes-telephony.telephonyPollTrigger',
    parameters: { ...parameters, pollTimes },
  },
];

/** The start of the numbers whose messages each trigger answers. */
const byWebhook = '+120255504';
const byPolling = '+120255505';

const answer: WorkflowNode = {
  type: 'n8n-nodes-telephony.telephony',
  parameters: {
    ...{ resource: 'message', operation: 'send-sms' },
    from: { __rl: true, mode: 'value', value: '={{ $json.to }}' },
    ...{ to: '={{ $json.from }}', body: '=Thanks for “{{ $json.body }}”' },
  },
};

const answerTo = (to: string, text: string) => ({ to, body: `Thanks for “${text}”` });

const [one, two, three, four, five] = [...'12345'].map((digit) => `SM${digit.repeat(32)}`) as [
  string,
  string,
  string,
  string,
  string,
];

/** Both triggers, with a workflow that answers each SMS. */
export function deliversEvents(opened: () => Opened): void {
  /** The answers to numbers that start like this, oldest first. */
  const answers = (start: string) =>
    opened()
      .service.sandbox.messages.filter(
        ({ direction, to }) => direction !== 'inbound' && to.startsWith(start),
      )
      .map(({ to, body }) => ({ to, body }))
      .reverse();

  /** Posts a signed event, and resolves to the status of the response. */
  async function report(sid: string, from: string, given?: { token?: string; path?: string }) {
    const { n8n, service } = opened();
    const url = `${n8n.server.url}/${given?.path ?? 'webhook'}/${webhookId}/events`;
    const event = {
      ...{ MessageSid: sid, From: from, To: '+14155550100', Body: 'Hi & bye' },
      ...{ AccountSid: service.settings.username, NumMedia: '0' },
    };
    const token = given?.token ?? service.settings.password;
    return (await postEvent(url, signedForm(event, { token, url }))).status;
  }
  const forged = { token: 'forged' };
  // n8n registers the webhook a little later.
  const registered = () => until(async () => (await report(three, '+12025550400', forged)) !== 404);

  const receive = (from: string, body: string) =>
    opened().service.sandbox.receiveMessage({ from, to: '+14155550100', body });

  /** Resolves once two polls have started from now on. */
  async function polled() {
    const { requests } = opened().service.sandbox;
    const polls = () => requests.filter(({ method }) => method === 'GET').length;
    const before = polls();
    await until(() => polls() > before + 1);
  }

  beforeAll(async () => {
    const { n8n, service } = opened();
    service.reset();
    service.sandbox.messages.length = 0;
    for (const trigger of triggers)
      await n8n.activate(
        await n8n.create({ Received: trigger, Answer: answer }, chain('Received', 'Answer')),
      );
    await registered();
  });

  test('refuses a forged event, and delivers a signed one once if it is repeated at once', async () => {
    expect(await report(one, '+12025550401', forged)).toBe(403);
    expect(
      await Promise.all([report(one, '+12025550401'), report(one, '+12025550401')]),
    ).not.toContain(403);
    await until(() => answers(byWebhook).length > 0);
    // `registered` and this test sent several forged ones, of one reason.
    const warnings = opened()
      .n8n.server.written()
      .match(/[^\n]*signature[^\n]*/gi);
    expect(warnings).toEqual([expect.stringContaining('signature')]);
    expect(await report(four, '+12025550404')).toBe(200);
    await until(() => answers(byWebhook).length > 1);
    expect(answers(byWebhook)).toEqual([
      answerTo('+12025550401', 'Hi & bye'),
      answerTo('+12025550404', 'Hi & bye'),
    ]);
  });

  test('refuses a forged event at the test URL, and shows a signed one in the editor', async () => {
    const { rest, create, ended } = opened().n8n;
    const [trigger] = triggers as [WorkflowNode];
    const workflowData = await create({ Received: trigger }, {});
    const triggerToStartFrom = { name: 'Received' };
    await rest('POST', `/workflows/${workflowData.id}/run`, { workflowData, triggerToStartFrom });
    const path = 'webhook-test';
    expect(await report(five, '+12025550405', { ...forged, path })).toBe(403);
    expect(await report(five, '+12025550405', { path })).toBe(200);
    const filter = encodeURIComponent(JSON.stringify({ workflowId: workflowData.id }));
    const found = async () => (await rest('GET', `/executions?filter=${filter}`)).results;
    await until(async () => (await found()).length > 0);
    const [{ id }] = await found();
    expect((await ended(id)).items('Received')).toMatchObject([{ from: '+12025550405' }]);
  });

  test('a call is answered by the workflow: a menu, and what follows the key', async () => {
    const { n8n, service } = opened();
    const id = randomUUID();
    const url = `${n8n.server.url}/webhook/${id}/events`;
    const reply = (parameters: object): WorkflowNode => ({
      type: 'n8n-nodes-telephony.telephony',
      parameters: { resource: 'reply', ...parameters },
    });
    const events = ['call-received', 'caller-answered', 'message-status'];
    await n8n.activate(
      await n8n.create(
        {
          Call: {
            ...{ type: triggers[0]?.type ?? '', typeVersion: 2, webhookId: id },
            parameters: { event: events, reply: true },
          },
          // Its items no longer have the event.
          Rows: {
            ...{ type: 'n8n-nodes-base.set', typeVersion: 3.4 },
            parameters: { mode: 'raw', jsonOutput: '={{ { key: $json.digits || "none" } }}' },
          },
          Menu: {
            ...{ type: 'n8n-nodes-base.if', typeVersion: 2 },
            parameters: {
              conditions: {
                options: { caseSensitive: true, typeValidation: 'loose' },
                combinator: 'and',
                conditions: [
                  {
                    ...{ leftValue: '={{ $json.key }}', rightValue: 'none' },
                    operator: { type: 'string', operation: 'equals' },
                  },
                ],
              },
            },
          },
          Ask: reply({ operation: 'reply-ask', say: 'Press 1 & wait.' }),
          Forward: reply({ operation: 'reply-forward', to: '+12025550199' }),
        },
        {
          ...chain('Call', 'Rows', 'Menu'),
          Menu: {
            main: ['Ask', 'Forward'].map((node) => [{ node, type: 'main', index: 0 }]),
          },
        },
      ),
    );
    const call = {
      ...{ CallSid: `CA${'1'.repeat(32)}`, From: '+12025550409', To: '+14155550100' },
      ...{ AccountSid: service.settings.username, Direction: 'inbound' },
    };
    const post = (more: object, to = url) =>
      postEvent(
        url,
        signedForm({ ...call, ...more }, { token: service.settings.password, url: to }),
      );
    const ringing = { CallStatus: 'ringing' };
    await until(async () => (await post({})).status !== 404);
    const asked = await post(ringing);
    expect(asked).toEqual({
      status: 200,
      body: expect.stringMatching(/<Gather[^>]*><Say[^>]*>Press 1 &amp; wait\.<\/Say><\/Gather>/),
    });
    expect(asked.body).toContain(`action="${url}?Question=1"`);
    const answered = { CallStatus: 'in-progress', Digits: '1' };
    expect(await post(answered, `${url}?Question=1`)).toEqual({
      status: 200,
      body: expect.stringMatching(/<Dial answerOnBridge="true"[^>]*>\+12025550199<\/Dial>/),
    });
    // Once: a repeated event has no reply.
    expect((await post(ringing)).body).toMatch(/<Response\/>$/);
  });

  test('the service reports the status of an SMS to the webhook URL of the node', async () => {
    const { n8n, service } = opened();
    const statusCallback = 'https://n8n.example.com/webhook/reports/events';
    await n8n.run(
      {
        Start: { type: 'n8n-nodes-base.manualTrigger' },
        SMS: {
          ...answer,
          parameters: {
            ...{ resource: 'message', operation: 'send-sms', to: '+12025550610', body: 'Hello' },
            from: { __rl: true, mode: 'value', value: '+14155550100' },
            sending: { statusCallback },
          },
        },
      },
      chain('Start', 'SMS'),
    );
    const bodies = service.sandbox.requests.map(({ body }) => new URLSearchParams(body ?? ''));
    const sent = bodies.find((body) => body.get('To') === '+12025550610');
    expect(sent?.get('StatusCallback')).toBe(statusCallback);
  });

  test('polls, and delivers what is new since the workflow was activated', async () => {
    await polled();
    expect(answers(byPolling)).toEqual([]);
    receive('+12025550501', 'Are you open?');
    await until(() => answers(byPolling).length > 0);
    await polled();
    expect(answers(byPolling)).toEqual([answerTo('+12025550501', 'Are you open?')]);
  });

  describe('after a restart', () => {
    beforeAll(async () => {
      const restarted = opened().n8n.server.restart('SIGTERM');
      receive('+12025550502', 'And tomorrow?');
      await restarted;
      await registered();
    });

    test('delivers a reported event once', async () => {
      const statuses = [await report(one, '+12025550401'), await report(two, '+12025550402')];
      expect(statuses).toEqual([200, 200]);
      await until(() => answers(byWebhook).length > 2);
      expect(answers(byWebhook)).toEqual([
        answerTo('+12025550401', 'Hi & bye'),
        answerTo('+12025550404', 'Hi & bye'),
        answerTo('+12025550402', 'Hi & bye'),
      ]);
    });

    test('polls, and delivers once what arrived in the meantime', async () => {
      await until(() => answers(byPolling).length > 1);
      await polled();
      expect(answers(byPolling)).toEqual([
        answerTo('+12025550501', 'Are you open?'),
        answerTo('+12025550502', 'And tomorrow?'),
      ]);
    });
  });
}
