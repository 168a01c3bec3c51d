import { spawnSync } from 'node:child_process';
import {
  buildCopyWithNewOperations,
  deletionInput,
  deletionRequest,
} from '../support/copy-with-new-operations.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import { takeRequests } from '../support/take-requests.ts';
import { act, callerAt, databaseFile } from './open-gateway.ts';
import { startGateway } from './start-gateway.ts';

test('new operations are described, send their requests, and a deletion is not for batches', async () => {
  const sandbox = await openSandbox();
  const program = buildCopyWithNewOperations('gateway').path('dist/gateway/telephony-gateway.js');
  const variables = {
    TELEPHONY_USERNAME: sandbox.username,
    TELEPHONY_PASSWORD: sandbox.password,
    TELEPHONY_BASE_URL: sandbox.url,
    TELEPHONY_CONTENT_URL: sandbox.url,
    TELEPHONY_DATABASE_FILE: databaseFile(),
  };
  const rights = ['--read', 'all', '--act', 'all', '--senders', 'all'];
  const { stdout } = spawnSync(process.execPath, [program, 'keys', 'add', 'new', ...rights], {
    env: { ...process.env, ...variables },
    encoding: 'utf8',
  });
  const { url } = await startGateway(program, variables);
  const call = callerAt(url, stdout.trim());

  const { body: described } = await call('/openapi.json');
  expect(Object.keys(described.paths)).toEqual(
    expect.arrayContaining(['/v1/data-sources/calls-to-a-number', '/v1/actions/delete-a-call']),
  );
  await call('/v1/data-sources/calls-to-a-number?to=%2B14155550100');
  expect(takeRequests(sandbox)[0]).toMatch(/^GET \/Calls\.json\?To=%2B14155550100/);
  // The sandbox has no such operation.
  await act(call, '/v1/actions/delete-a-call', deletionInput);
  expect(takeRequests(sandbox)).toEqual([deletionRequest]);
  const rows = [{ id: '1', name: 'Ada', input: deletionInput }];
  const refused = await call('/v1/batches', { body: { action: 'delete-a-call', rows } });
  expect(refused.body.detail).toBe('"delete-a-call" can\'t run for many rows.');
  expect(takeRequests(sandbox)).toEqual([]);
});
