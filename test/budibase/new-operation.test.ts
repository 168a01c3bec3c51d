import {
  buildCopyWithNewOperations,
  deletionInput,
  deletionRequest,
} from '../support/copy-with-new-operations.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { takeRequests } from '../support/take-requests.ts';
import { openFarm } from './farm.ts';
import { unpack } from './unpack.ts';

test('new operations become queries that send their requests', async () => {
  const sandbox = await openSandbox();
  const { schema, plugin } = unpack(buildCopyWithNewOperations('budibase').path('dist'));
  const { username, password, url } = sandbox;
  const settings = { username, password, baseUrl: url, contentUrl: url };
  const { run } = openFarm();

  expect(schema.schema.query['delete-a-call']).toMatchObject({
    ...{ displayName: 'Delete a Call', readable: false },
    fields: { callSid: { required: true }, labels: { required: false } },
  });
  const to = '+14155550100';
  await run({ plugin, settings, kind: 'calls-to-a-number', query: { to, limit: 1 } });
  expect(takeRequests(sandbox)[0]).toMatch(/^GET \/Calls\.json\?To=%2B14155550100/);
  // The sandbox has no such operation.
  const deletion = { plugin, settings, kind: 'delete-a-call', query: deletionInput };
  await expect(run(deletion)).rejects.toThrow('20404');
  expect(takeRequests(sandbox)).toEqual([deletionRequest]);
});
