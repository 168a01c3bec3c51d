import { startPostgres } from '../../support/start-postgres.ts';
import { saltcorn, startTables } from '../host.ts';

type PollTurns = typeof import('../../../plugin/saltcorn/event/poll-turns.ts');

test('two workers on PostgreSQL take turns in holding the poll lease', async () => {
  await startTables({ DATABASE_URL: await startPostgres(), SALTCORN_MULTI_NODE: 'true' });
  expect(saltcorn('data/db').isSQLite).toBeFalsy();
  const { pollTurns, lastPoll, forgetPolls }: PollTurns =
    require('../../../plugin/saltcorn/event/poll-turns.ts');
  const workers = [pollTurns('one'), pollTurns('other')] as const;
  const begun = await Promise.all(workers.map((worker) => worker.begin(60_000)));
  expect([...begun].sort()).toEqual([false, true]);
  const [first, second] = begun[0] ? workers : ([workers[1], workers[0]] as const);
  await first.soFar.write('so far');
  await second.soFar.write('not mine');
  await first.end('It failed.');
  expect(await lastPoll()).toEqual({ problem: 'It failed.' });
  expect(await second.begin(60_000)).toBe(false);
  expect(await second.begin(0)).toBe(true);
  expect(await second.soFar.read()).toBe('so far');
  await second.end();
  expect(await lastPoll()).toEqual({ at: expect.any(Date), problem: '' });
  await forgetPolls();
  expect(await first.soFar.read()).toBeUndefined();
});
