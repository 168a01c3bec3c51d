import desk from '../../../demo/node-red/desk.json';
import simulate from '../../../demo/node-red/simulate.json';
import { gateTo } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import { accountNode, type Host, type Loose, type Node, startNodeRed } from '../host.ts';

const address = '/telephony/events/desk-account';

let host: Host;
beforeAll(async () => {
  host = await startNodeRed();
  process.env.TELEPHONY_BASE_URL = host.sandbox.url;
});
afterAll(() => {
  delete process.env.TELEPHONY_BASE_URL;
});

/** Replaces a node of the dashboard, which isn't installed here, by one of Node-RED's own. */
const plain = (node: Node): Node =>
  node.type.startsWith('ui-') ? { ...node, type: 'debug', active: false } : node;
const used = /^(tab|subflow|telephony-account|ui-(base|theme|page|group))$/;

/** The inbox and its simulation. */
function flowsOf(account: object): Node[] {
  const inbox = (desk as Node[]).filter(({ z }) => z === 'inbox-flow');
  const nodes = [...inbox, ...(simulate as Node[])].filter(
    ({ type }) => !used.test(type) && !type.startsWith('subflow:'),
  );
  const common = { id: 'desk-account', publicAddress: host.url };
  return [
    accountNode(host.sandbox, { ...common, ...account }),
    ...nodes.map((node) => ({ ...plain(node), z: 'tab' })),
  ];
}

/** The messages that a node receives from now on. */
function watch(id: string) {
  const messages: Loose[] = [];
  host.node(id).on('input', (message: Loose) => messages.push(message));
  return messages;
}

/** Deploys an empty inbox. */
async function deployInbox(account: object = {}) {
  await host.deploy(flowsOf(account));
  // The flow's context outlives a deploy.
  host.node('check-answer').context().flow.set(['inbox', 'answers'], []);
}

const visitor = { socketId: 'one' };
const sms = { sid: 'SM1', from: '+12025550143', to: '+14155550100', body: 'Open?' };

test('the demo shows simulated SMS in the inbox, and replies to them', async () => {
  await deployInbox();
  const shown = watch('inbox-table');
  host.sandbox.events.numbers.set('+14155550100', { smsUrl: host.url + address });
  for (const body of ['Are you open?', 'Hello?']) {
    const before = shown.length;
    host.node('to-account').receive({ payload: { from: '+12025550143', body } });
    await until(() => shown.length > before);
  }
  await host.sandbox.events.settled();
  const each = {
    ...{ from: '+12025550143', to: '+14155550100' },
    ...{ sid: expect.stringMatching(/^SM/), at: expect.stringMatching(/^\d{4}-/) },
  };
  expect(shown.at(-1)?.payload).toEqual([
    { ...each, body: 'Hello?' },
    { ...each, body: 'Are you open?' },
  ]);
  const replies = host.sandbox.messages.filter(({ direction }) => direction === 'outbound-reply');
  expect(replies.map(({ body }) => body)).toEqual([
    'Thank you for your message. We answer today.',
    'Thank you for your message. We answer today.',
  ]);
});

/** Lists the account's SMS, as a visitor's page does. Returns what the inbox shows. */
async function list() {
  const shown = watch('inbox-table');
  host.node('check-answer').receive({ _client: visitor, topic: 'list' });
  await until(() => shown.length > 0);
  const [{ payload, more }] = shown;
  return { bodies: payload.map(({ body }: Loose) => body), more };
}

test('the list replaces SMS in the inbox, except those of the last minute', async () => {
  await deployInbox();
  host.sandbox.messages.length = 0;
  const known = [0, 2].map((minutes) => ({
    ...{ ...sms, sid: `SM${minutes}`, body: `${minutes} minutes ago` },
    at: new Date(Date.now() - minutes * 60_000).toISOString(),
  }));
  host.node('check-answer').context().flow.set('inbox', known);
  expect(await list()).toEqual({ bodies: ['0 minutes ago'], more: false });
});

test('the inbox lists the newest 50 SMS of the account, each once', async () => {
  await deployInbox();
  host.sandbox.messages.length = 0;
  host.sandbox.events.numbers.clear();
  const receive = (body: string) => {
    host.sandbox.pass(1);
    host.sandbox.receiveMessage({ from: '+12025550143', to: '+14155550100', body });
  };
  receive('Before');
  expect(await list()).toEqual({ bodies: ['Before'], more: false });
  expect(await list()).toEqual({ bodies: ['Before'], more: false });
  const later = Array.from({ length: 50 }, (_, index) => `After ${index}`);
  for (const body of later) receive(body);
  expect(await list()).toEqual({ bodies: later.toReversed(), more: true });
});

test('an answer is sent again only after a failure', async () => {
  await deployInbox();
  const shown = watch('conversation-window');
  host.node('send-answer').removeAllListeners('input');
  const answers = watch('send-answer');
  host.node('check-answer').context().flow.set('inbox', [sms]);
  const key = 'a'.repeat(32);
  const send = async (topic: string, body: string, client = visitor) => {
    const before = [shown.length, answers.length];
    host.node('check-answer').receive({
      ...{ _client: client, topic, key },
      payload: { sid: 'SM1', body },
    });
    host.node('check-answer').receive({ _client: client, payload: { sid: 'SM1' } });
    await until(() => shown.at(-1)?.topic === 'open' && shown.length > (before[0] ?? 0));
    const [message] = shown.slice(before[0]).filter(({ topic: one }) => one !== 'open');
    return [message?.topic, answers.length - (before[1] ?? 0)];
  };
  expect(await send('ask', 'Yes')).toEqual(['failed', 0]);
  expect(await send('answer', 'Yes')).toEqual([undefined, 1]);
  expect(await send('answer', 'Yes')).toEqual([undefined, 0]);
  expect(await send('ask', 'Yes', { socketId: 'two' })).toEqual([undefined, 0]);
  host.node('answer-outcome').receive(answers[0]);
  await until(() => shown.at(-1)?.topic === 'sent');
  expect(shown.at(-1)).toMatchObject({ _client: { socketId: 'two' }, key, payload: '' });
  expect(await send('ask', 'Yes')).toEqual(['sent', 0]);
  expect(await send('answer', 'Yes')).toEqual(['sent', 0]);
  expect(await send('answer', 'No')).toEqual([undefined, 1]);
  host.node('answer-outcome').receive({ ...answers[1], error: { message: 'Refused' } });
  await until(() => shown.at(-1)?.payload === 'Refused');
  expect(await send('ask', 'No')).toEqual(['failed', 0]);
  expect(await send('answer', 'No')).toEqual([undefined, 1]);
});

test('a deploy while an answer is sent makes its outcome unknown', async () => {
  const gate = await gateTo(host.sandbox.url);
  const account = { baseUrl: gate.url };
  await deployInbox(account);
  host.node('check-answer').context().flow.set('inbox', [sms]);
  host.sandbox.messages.length = 0;
  const answer = { _client: visitor, key: 'b'.repeat(32), payload: { sid: 'SM1', body: 'Yes' } };
  host.node('check-answer').receive({ ...answer, topic: 'answer' });
  await gate.holds(1);
  const closing = host.closing();
  const deployed = host.deploy(flowsOf(account));
  await closing;
  await until(() => !host.node('send-answer'));
  await gate.open();
  await deployed;
  const shown = watch('conversation-window');
  host.node('check-answer').receive({ ...answer, topic: 'ask' });
  await until(() => shown.length > 0);
  expect(shown).toMatchObject([
    { topic: 'failed', key: answer.key, payload: expect.stringContaining('outcome is unknown') },
  ]);
  expect(host.sandbox.messages.map(({ body }) => body)).toEqual(['Yes']);
});
