import {
  buildCopyWithNewOperations,
  deletionInput,
  deletionRequest,
} from '../../support/copy-with-new-operations.ts';
import { openSandbox, type Sandbox } from '../../support/open-sandbox.ts';
import { takeRequests } from '../../support/take-requests.ts';
import { type NocobaseServer, startNocobase, startTimeoutMs } from '../nocobase-server.ts';
import { addWorkflowOnTable } from '../workflow-on-table.ts';

let sandbox: Sandbox;
let server: NocobaseServer;
beforeAll(async () => {
  const copy = buildCopyWithNewOperations('nocobase');
  sandbox = await openSandbox();
  const { username, password, url: baseUrl } = sandbox;
  const settings = { username, password, baseUrl, contentUrl: baseUrl };
  server = await startNocobase(settings, copy.path('dist/nocobase'));
}, startTimeoutMs);
beforeEach(() => takeRequests(sandbox));

const to = '+14155550100';
const forwarded = () =>
  sandbox.requests
    .filter(({ method }) => method === 'POST')
    .map(({ path, body }) => [path.split('/').at(-1), body]);

test('a new data source becomes a list that sends its request', async () => {
  await server.admin.read('telephony', 'calls_to_a_number:list', { filter: { to: { $eq: to } } });
  expect(takeRequests(sandbox)).toEqual(['GET /Calls.json?To=%2B14155550100']);
});

test('a new action sends its request from a button and in a workflow', async () => {
  const input = { callSid: 'CA1', to };
  await server.admin.request('telephonyActions:forward-a-call', { input }).catch(() => {});
  expect(forwarded()).toEqual([['CA1.json', 'To=%2B14155550100']]);
  await addWorkflowOnTable(server.admin, {
    ...{ name: 'calls', columns: ['sid'], isAwaited: true },
    nodes: [{ type: 'telephony-forward-a-call', input: { callSid: '{{$context.data.sid}}', to } }],
  });
  await server.admin.request('calls:create', { sid: 'CA2' });
  expect(forwarded()).toEqual([
    ['CA1.json', 'To=%2B14155550100'],
    ['CA2.json', 'To=%2B14155550100'],
  ]);
});

test('a new deletion sends its request', async () => {
  const input = deletionInput;
  await server.admin.request('telephonyActions:delete-a-call', { input }).catch(() => {});
  expect(takeRequests(sandbox)).toEqual([deletionRequest]);
});

test('the browser code contains both new operations', async () => {
  const [modern, legacy] = await Promise.all(
    ['client-v2', 'client'].map(async (shell) => {
      const plugin = '/static/plugins/@telephony-plugin/nocobase';
      const answer = await fetch(`${server.url}${plugin}/dist/${shell}/index.js`);
      return answer.text();
    }),
  );
  for (const code of [modern, legacy]) {
    expect(code).toContain('Calls that went to a number.');
    for (const id of ['forward-a-call', 'delete-a-call', 'Delete call {callSid}?'])
      expect(code).toContain(id);
  }
});
