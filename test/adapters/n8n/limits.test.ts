import type { HttpHelpers, Values } from 'n8n-workflow';
import { accountOf } from '../../../plugin/n8n/account/account.ts';
import { act } from '../../../plugin/n8n/action/action.ts';
import { TelephonyTrigger } from '../../../plugin/n8n/event/webhook-trigger.ts';
import { TelephonyApi } from '../../../plugin/n8n/settings/credentials.ts';
import { actionOf, definitions } from '../../../src/builder.ts';
import { fetchHttp } from '../../faults/fetch-http.ts';
import { failureOf } from '../../support/failure-of.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { executeContext, newKept } from './execute-context.ts';

// The limits of a credential, for all runs of nodes in a process.

/** n8n's helper, which names some options differently. */
const helpers = {
  async request({ abortSignal: signal, ...options }: Values & { abortSignal: AbortSignal }) {
    const answer = await fetchHttp({ ...options, signal } as Parameters<typeof fetchHttp>[0]);
    return { ...answer, statusCode: answer.status };
  },
} as unknown as HttpHelpers;

const sms = { from: '+14155550100', to: '+12025550199' };
const sent = 'It did not fail.';

let accounts = 0;
/** What is counted without a store lasts as long as the process. */
const freshSid = () => {
  accounts += 1;
  return `AC${String(accounts).padStart(32, '0')}`;
};

/** Opens a credential. Each message is sent by a run of its own, unless they share one. */
async function open(limits: Values) {
  const sandbox = await openSandbox({ username: freshSid() });
  sandbox.messages.length = 0;
  const { username, password, url: baseUrl } = sandbox;
  const credential: Values = { username, password, baseUrl, ...limits };
  const run = () => ({ helpers, getCredentials: async () => credential });
  let count = 0;
  const send = async (context = run()) => {
    count += 1;
    const telephony = await accountOf(context);
    return failureOf(telephony.run('send-sms', { ...sms, body: `Message ${count}` }));
  };
  return { sandbox, credential, run, send };
}

test('limits count what all runs of the process send', async () => {
  const { sandbox, send } = await open({ perRecipientPerHour: '2' });
  expect([await send(), await send()]).toEqual([sent, sent]);
  expect(await send()).toMatch(
    /Messages per recipient\W+\(2 an hour\) is reached\. Nothing was sent\./,
  );
  expect(sandbox.messages).toHaveLength(2);
});

test('a batch of items skips who opted out, whichever run of the process knows it', async () => {
  const { run } = await open({});
  const action = actionOf('send-sms');
  const optedOut = '+15005550004';
  const items = (execution: string, numbers: string[]) => {
    const context = executeContext(
      { kept: newKept(), execution, token: execution },
      { ...run(), getInputData: () => numbers.map(() => ({ json: {} })) },
    );
    return Promise.all(
      numbers.map(async (to, item) => {
        const telephony = await accountOf(context as never);
        const input = { ...sms, to, body: 'Hello' };
        return act(context, telephony, action, input, item).then(
          ([one]) => one?.json.skipped ?? one?.json.status,
          ({ serviceCode }) => serviceCode,
        );
      }),
    );
  };
  expect(await items('1', [optedOut])).toEqual([21610]);
  expect(await items('2', [optedOut, sms.to])).toEqual([
    expect.stringContaining('STOP. They can subscribe again by replying START. Nothing was sent.'),
    'queued',
  ]);
  // Someone who sends to one person decides themselves.
  expect(await items('3', [optedOut])).toEqual([21610]);
});

test('a batch of items skips who sent STOP to a trigger', async () => {
  const { sandbox, run } = await open({});
  const trigger = new TelephonyTrigger();
  const data = {};
  const { url } = await serveHttp((request, response) => {
    const context = {
      ...run(),
      getNode: () => ({ id: 'trigger' }),
      getWorkflow: () => ({ id: 'stop' }),
      getNodeParameter: (name: string) => (name === 'event' ? ['opted-out'] : false),
      getNodeWebhookUrl: () => `${url}/`,
      getWorkflowStaticData: () => data,
      getRequestObject: () => request,
      getResponseObject: () => response,
      logger: { warn: (message: string) => warned.push(message) },
    };
    void trigger.webhook.call(context as never);
  });
  const warned: string[] = [];
  sandbox.events.numbers.set(sms.from, { smsUrl: `${url}/` });
  sandbox.receiveMessage({ from: sms.to, to: sms.from, body: 'STOP' });
  await sandbox.events.settled();
  expect(warned).toEqual([]);
  const context = executeContext(
    { kept: newKept() },
    { ...run(), getInputData: () => [{ json: {} }, { json: {} }] },
  );
  const input = { ...sms, body: 'Hello' };
  const telephony = await accountOf(context as never);
  expect(await act(context, telephony, actionOf('send-sms'), input, 0)).toEqual([
    {
      json: {
        skipped: expect.stringContaining(
          'STOP. They can subscribe again by replying START. Nothing was sent.',
        ),
      },
    },
  ]);
  expect(sandbox.messages.filter(({ to }) => to === sms.to)).toEqual([]);
});

test('a credential of an earlier version has the defaults', async () => {
  const { sandbox, send } = await open({});
  for (let count = 0; count < 60; count += 1) expect(await send()).toBe(sent);
  expect(await send()).toMatch(/Messages per recipient\W+\(60 an hour\) is reached/);
  expect(sandbox.messages).toHaveLength(60);
});

test('“Stop Sending” also stops a run that started before', async () => {
  const { credential, run, send } = await open({ stopped: false });
  const context = run();
  expect(await send(context)).toBe(sent);
  credential.stopped = true;
  expect(await send(context)).toMatch(/Stop sending\W+ is on\. Nothing was sent/);
});

test('nothing is sent while n8n does not return the credential', async () => {
  const { sandbox, send, credential } = await open({});
  let reads = 0;
  const context = {
    helpers,
    getCredentials: async () => {
      reads += 1;
      if (reads > 1) throw new Error('away');
      return credential;
    },
  };
  expect(await send(context)).toMatch(/Nothing was sent/);
  expect(sandbox.messages).toHaveLength(0);
});

test('the credential has each limit; only the switch shows without “Set Limits”', () => {
  const { properties } = new TelephonyApi();
  const keys = definitions.settings.limits.map(({ key }) => key);
  const own = properties.filter(({ name }) => (keys as string[]).includes(name));
  expect(own.map(({ name }) => name).sort()).toEqual([...keys].sort());
  const always = own.filter(({ displayOptions }) => displayOptions === undefined);
  expect(always.map(({ name }) => name)).toEqual(['stopped']);
  const chosen = own.filter(({ default: value }) => value !== '' && value !== false);
  expect(chosen).toEqual([
    expect.objectContaining({
      ...{ name: 'inQuietHours', type: 'options', default: 'refuse' },
      options: [
        { name: 'Refuse', value: 'refuse' },
        { name: 'Send when they end', value: 'send-later' },
      ],
    }),
  ]);
});
