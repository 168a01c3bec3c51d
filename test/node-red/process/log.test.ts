import { gateTo } from '../../support/gate.ts';
import { until } from '../../support/until.ts';
import { accountNode, type Host, type Loose, type Node, startNodeRed } from '../host.ts';

const lines: string[] = [];
let host: Host;
beforeAll(async () => {
  host = await startNodeRed(undefined, {
    // Like Node-RED's own console log.
    logging: { console: { level: 'off' }, tests: { level: 'info', handler: () => write } },
  });
});
const write = ({ msg }: Loose) => lines.push(`${msg}`);

const numbers = Array.from({ length: 15 }, (_, index) => `+12025550${100 + index}`);
const about = (to: string) => lines.filter((line) => line.includes(to));

const sms = {
  ...{ id: 'node', type: 'telephony-send-sms', account: 'account', inputFrom: '+14155550100' },
  ...{ inputTo: 'payload', typeOfTo: 'msg', inputBody: 'Private words' },
};
const catching: Node = { id: 'errors', type: 'catch', wires: [] };

const flows: [what: string, others: Node[]][] = [
  ['no Catch node', []],
  ['a Catch node', [catching]],
  ['a Catch node for other nodes', [{ ...catching, scope: ['another'] }]],
];
test.each(flows)('a deploy logs each message once, with %s', async (_, others) => {
  const gate = await gateTo(host.sandbox.url);
  const flow = (name: string) => [
    accountNode(host.sandbox, { baseUrl: gate.url }),
    { ...sms, name },
    ...others,
  ];
  await host.deploy(flow(''));
  for (const payload of numbers) host.node('node').receive({ payload });
  await gate.holds(10);
  lines.length = 0;
  const closing = host.closing();
  const deployed = host.deploy(flow('Deployed again'));
  await closing;
  await gate.open();
  await deployed;
  for (const to of numbers) expect(about(to)).toHaveLength(1);
  expect(lines.join()).not.toContain('Private words');
});

test('logs an uncaught failure once, with the recipient', async () => {
  await host.deploy([accountNode(host.sandbox), sms]);
  lines.length = 0;
  host.node('node').receive({ payload: '+15005550002' });
  await until(() => about('+15005550002').length > 0);
  expect(about('+15005550002')).toEqual([expect.stringContaining('(21612)')]);
});
