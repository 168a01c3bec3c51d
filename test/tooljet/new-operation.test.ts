import {
  buildCopyWithNewOperations,
  deletionInput,
  deletionRequest,
} from '../support/copy-with-new-operations.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { takeRequests } from '../support/take-requests.ts';
import { openServer } from './tooljet.ts';

test('new operations become queries that send their requests', async () => {
  const sandbox = await openSandbox();
  const copy = buildCopyWithNewOperations('tooljet');
  const { username, password, url } = sandbox;
  const settings = { username, password, baseUrl: url, contentUrl: url };
  const { run } = openServer('context', undefined, copy.path('dist/tooljet/dist/index.js'));

  const forms = JSON.parse(copy.read('dist/tooljet/lib/operations.json')).properties;
  expect(Object.keys(forms['delete-a-call'])).toEqual(['callSid', 'labels', 'reason']);
  await run(settings, { operation: 'calls-to-a-number', to: '+14155550100', limit: 1 });
  expect(takeRequests(sandbox)[0]).toMatch(/^GET \/Calls\.json\?To=%2B14155550100/);
  // The sandbox has no such operation.
  const deleted = await run(settings, { operation: 'delete-a-call', ...deletionInput });
  expect(deleted).toMatchObject({ status: 'failed' });
  expect(takeRequests(sandbox)).toEqual([deletionRequest]);
});
