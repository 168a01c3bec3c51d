import desk from '../../../demo/node-red/desk.json';
import simulate from '../../../demo/node-red/simulate.json';
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

test('the demo shows simulated SMS in the inbox, and replies to them', async () => {
  const inbox = (desk as Node[]).filter(({ z }) => z === 'inbox-flow');
  const nodes = [...inbox, ...(simulate as Node[])].filter(
    ({ type }) => !used.test(type) && !type.startsWith('subflow:'),
  );
  await host.deploy([
    accountNode(host.sandbox, { id: 'desk-account', publicAddress: host.url }),
    ...nodes.map((node) => ({ ...plain(node), z: 'tab' })),
  ]);
  host.sandbox.events.numbers.set('+14155550100', { smsUrl: host.url + address });
  const shown: Loose[] = [];
  host.node('inbox-table').on('input', ({ payload }: Loose) => shown.push(payload));
  for (const body of ['Are you open?', 'Hello?']) {
    const before = shown.length;
    host.node('to-account').receive({ payload: { from: '+12025550143', body } });
    await until(() => shown.length > before);
  }
  await host.sandbox.events.settled();
  const sms = {
    ...{ from: '+12025550143', to: '+14155550100' },
    ...{ sid: expect.stringMatching(/^SM/), at: expect.stringMatching(/^\d{4}-/) },
  };
  expect(shown.at(-1)).toEqual([
    { ...sms, body: 'Hello?' },
    { ...sms, body: 'Are you open?' },
  ]);
  const replies = host.sandbox.messages.filter(({ direction }) => direction === 'outbound-reply');
  expect(replies.map(({ body }) => body)).toEqual([
    'Thank you for your message. We answer today.',
    'Thank you for your message. We answer today.',
  ]);
});
