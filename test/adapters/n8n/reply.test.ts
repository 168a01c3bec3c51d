import type { Execute, Item, Values, Webhook } from 'n8n-workflow';
import { reply } from '../../../plugin/n8n/event/reply.ts';
import { TelephonyTrigger } from '../../../plugin/n8n/event/webhook-trigger.ts';
import { connect, replyForms, type SpendingLimits } from '../../../src/builder.ts';
import { signedForm } from '../../events/signed.ts';
import { executeContext, newKept } from './execute-context.ts';

const username = `AC${'7'.repeat(32)}`;
const password = 'token';
const url = 'https://n8n.example.com/webhook/1/events';
const type = 'n8n-nodes-telephony.telephonyTrigger';

const call = {
  ...{ CallSid: `CA${'1'.repeat(32)}`, From: '+12025550143', To: '+14155550100' },
  ...{ CallStatus: 'ringing', Direction: 'inbound', AccountSid: username },
};

/** Posts a signed event to a trigger. Resolves to the items, and to the response that the trigger wrote. */
async function receive(parameters: Values, event: Values = call, at = url, token = password) {
  const { headers, body } = signedForm(event as Record<string, string>, { token, url: at });
  const response: Values = {};
  const data: Values = {};
  const given = {
    getNode: () => ({ id: crypto.randomUUID(), name: 'Trigger', type }),
    getWorkflow: () => ({ id: 'workflow' }),
    getCredentials: async () => ({ username, password }),
    getNodeParameter: (name: string, fallback: unknown) => parameters[name] ?? fallback,
    getWorkflowStaticData: () => data,
    getNodeWebhookUrl: () => url,
    logger: { warn: () => {} },
    getRequestObject: () => ({
      ...{ method: 'POST', headers, rawBody: body },
      url: at.slice('https://n8n.example.com'.length),
    }),
    getResponseObject: () => ({
      writeHead: (status: number) => Object.assign(response, { status }),
      end: (text: string) => Object.assign(response, { body: text.replace(/^<\?.*?\?>/, '') }),
    }),
  } as unknown as Webhook;
  const { workflowData, noWebhookResponse } = await new TelephonyTrigger().webhook.call(given);
  // n8n passes items on as JSON.
  const items: Item[] = JSON.parse(JSON.stringify(workflowData?.[0] ?? []));
  return { items, response, noWebhookResponse };
}

const waits = { event: ['call-received', 'caller-answered', 'message-status'], reply: true };

/** An execution that an event started, in another process. */
function execution(started: Item[], { items = started, spending = {} as SpendingLimits } = {}) {
  const responses: Values[] = [];
  const context = executeContext(
    { kept: newKept() },
    {
      getInputData: () => items,
      getParentNodes: () => [
        { id: '1', name: 'Rows', type: 'n8n-nodes-base.set' },
        { id: '2', name: 'Trigger', type },
      ],
      getWorkflowDataProxy: () => ({
        $: () => ({ isExecuted: started.length > 0, first: () => started[0] }),
      }),
      sendResponse: async (response: Values) => void responses.push(response),
    },
  ) as Execute;
  const telephony = connect({ username, password, spending });
  const send = (id: string, input: object) => {
    const form = replyForms.find((one) => one.id === id);
    if (!form) throw new Error(id);
    return reply(context, telephony, form, input, 0);
  };
  return { send, responses };
}

const say = ['reply-say', { say: 'Closed & sorry.' }] as const;
const forward = ['reply-forward', { to: '+12025550199' }] as const;

describe('the trigger', () => {
  test.each<[what: string, parameters: Values, event: Values, token: string, expected: object]>([
    [
      'leaves the response to the workflow if it replies',
      waits,
      call,
      password,
      { items: [{ json: expect.objectContaining({ replyTo: expect.anything() }) }], response: {} },
    ],
    [
      'responds to an event that has no replies',
      waits,
      {
        ...{ MessageSid: `SM${'1'.repeat(32)}`, MessageStatus: 'sent', To: '+12025550143' },
        ...{ From: '+14155550100', AccountSid: username },
      },
      password,
      {
        items: [{ json: expect.not.objectContaining({ replyTo: expect.anything() }) }],
        ...{ response: { status: 200, body: '<Response/>' }, noWebhookResponse: true },
      },
    ],
    [
      'of the first version responds at once, with one event',
      { event: 'call-received' },
      call,
      password,
      {
        items: [{ json: expect.objectContaining({ event: 'call-received' }) }],
        ...{ response: { status: 200, body: '<Response/>' }, noWebhookResponse: true },
      },
    ],
    [
      'refuses a forged event',
      waits,
      call,
      'forged',
      { items: [], response: { status: 403, body: 'Forbidden' }, noWebhookResponse: true },
    ],
  ])('%s', async (_, parameters, event, token, expected) => {
    expect(await receive(parameters, event, url, token)).toEqual(expected);
  });
});

test('a reply is the response to the event, also after nodes that change the items', async () => {
  const { items } = await receive(waits);
  const row = { json: { name: 'Ada', replyTo: items[0]?.json.replyTo } };
  const { send, responses } = execution(items, { items: [row] });
  expect(await send(...say)).toEqual([row]);
  expect(responses).toEqual([
    {
      ...{ statusCode: 200, headers: { 'content-type': 'text/xml; charset=utf-8' } },
      body: expect.stringContaining('<Response><Say>Closed &amp; sorry.</Say></Response>'),
    },
  ]);
});

test('a question counts from that of the event', async () => {
  const answer = { ...call, CallStatus: 'in-progress', Digits: '1' };
  const { items } = await receive(waits, answer, `${url}?Question=4`);
  const { send, responses } = execution(items);
  await send('reply-ask', { say: 'Which one?' });
  expect(responses[0]?.body).toContain(`action="${url}?Question=5"`);
});

test.each<[what: string, change: (items: Item[]) => Item[], message: string]>([
  [
    'was received by polling',
    (items) => items.map(({ json: { replyTo: _, ...json } }) => ({ json })),
    'Turn on “Reply”',
  ],
  ['did not start the workflow', () => [], 'Turn on “Reply”'],
  [
    'no longer waits',
    (items) =>
      items.map(({ json }) => ({ json: { ...json, replyTo: { url, until: new Date(0) } } })),
    'too late',
  ],
  [
    'waits until no one knows when',
    (items) => items.map(({ json }) => ({ json: { ...json, replyTo: { url } } })),
    'too late',
  ],
])('there is no reply to an event that %s', async (_, change, message) => {
  const { items } = await receive(waits);
  const { send, responses } = execution(change(items));
  await expect(send(...say)).rejects.toThrow(message);
  expect(responses).toEqual([]);
});

test('an event gets one reply: another one after a wrong one, none after a right one', async () => {
  const { items } = await receive(waits);
  const { send, responses } = execution(items);
  await expect(send('reply-forward', { to: 'nobody' })).rejects.toMatchObject({ code: 'input' });
  const ends = await Promise.allSettled([send(...say), send(...forward)]);
  expect(ends).toMatchObject([
    { status: 'fulfilled' },
    { reason: { message: expect.stringContaining('already has a reply') } },
  ]);
  expect(responses.length).toBe(1);
});

test('a forwarded call counts towards the limits of the credential', async () => {
  const spending = { callsPerHour: '1' } as unknown as SpendingLimits;
  const sent: unknown[] = [];
  for (const sid of ['8', '9']) {
    const { items } = await receive(waits, { ...call, CallSid: `CA${sid.repeat(32)}` });
    const { send, responses } = execution(items, { spending });
    sent.push(await send(...forward).catch(({ code }) => code), responses.length);
  }
  expect(sent).toEqual([expect.any(Array), 1, 'limit-reached', 0]);
});
