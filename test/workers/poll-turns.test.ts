import { closeAfterwards } from '../close-afterwards.ts';
import { needs, skipWithout } from '../needs.ts';
import { startPostgres } from '../start-postgres.ts';

skipWithout(needs.saltcorn);

type PollTurns = typeof import('../../plugin/saltcorn/event/poll-turns.ts');

test('of two workers on PostgreSQL one has its turn, and the other the next', async () => {
  process.env.DATABASE_URL = await startPostgres();
  process.env.SALTCORN_MULTI_NODE = 'true';
  // Saltcorn's database is the one that is named when it is loaded.
  const db = require('@saltcorn/data/db');
  closeAfterwards({ close: () => db.close() });
  expect(db.isSQLite).toBeFalsy();
  const { pollTurns, lastPoll, forgetPolls }: PollTurns =
    require('../../plugin/saltcorn/event/poll-turns.ts');
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
