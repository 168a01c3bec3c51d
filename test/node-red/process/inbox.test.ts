import inbox from '../../../demo/node-red/inbox.json';
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

test('the demo inbox shows a simulated SMS and replies to it', async () => {
  const nodes = (inbox as Node[]).filter(({ type }) => !/^(tab|ui-page|ui-group)$/.test(type));
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
  const at = expect.stringMatching(/^\d{4}-/);
  expect(shown.at(-1)).toEqual([
    { from: '+12025550143', body: 'Hello?', at },
    { from: '+12025550143', body: 'Are you open?', at },
  ]);
  const replies = host.sandbox.messages.filter(({ direction }) => direction === 'outbound-reply');
  expect(replies.map(({ body }) => body)).toEqual([
    'Thank you for your message. We answer today.',
    'Thank you for your message. We answer today.',
  ]);
});
