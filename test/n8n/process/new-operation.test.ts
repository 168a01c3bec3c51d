import { buildCopyWithNewOperations } from '../../support/copy-with-new-operations.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { browserId, chain, startN8n } from '../n8n-server.ts';

let sandbox: Sandbox;
let n8n: Awaited<ReturnType<typeof startN8n>>;
beforeAll(async () => {
  const copy = buildCopyWithNewOperations();
  sandbox = await openSandbox();
  const { username, password, url: baseUrl } = sandbox;
  n8n = await startN8n({ username, password, baseUrl }, copy.path('dist/n8n'));
});
beforeEach(() => takeRequests(sandbox));

const to = '+14155550100';

const run = (parameters: object) =>
  n8n.run(
    {
      Start: { type: 'n8n-nodes-base.manualTrigger' },
      New: { type: 'n8n-nodes-telephony.telephony', parameters },
    },
    chain('Start', 'New'),
  );

test('a new data source becomes an operation that sends its request', async () => {
  await run({ resource: 'call', operation: 'calls-to-a-number', to });
  expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?To=%2B14155550100']);
});

test('a new action becomes an operation that sends its request', async () => {
  await run({ resource: 'call', operation: 'forward-a-call', callSid: 'CA1', to });
  expect(sandbox.requests.map(({ path, body }) => [path, body])).toEqual([
    [`/2010-04-01/Accounts/${sandbox.username}/Calls/CA1.json`, 'To=%2B14155550100'],
  ]);
});

test('the editor offers both new operations, with their help', async () => {
  const response = await fetch(`${n8n.server.url}/types/nodes.json`, {
    headers: { cookie: n8n.cookie(), 'browser-id': browserId },
  });
  const nodes = JSON.stringify(await response.json());
  for (const text of ['"Calls to a Number"', '"Calls that went to a number"', '"Forward a Call"'])
    expect(nodes).toContain(text);
});
