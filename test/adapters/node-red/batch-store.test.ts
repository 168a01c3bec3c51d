import { batchStoreOf } from '../../../plugin/node-red/batch/batch-store.ts';
import type { NodeRed } from '../../../plugin/node-red/node-red.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('what nodes sent is deleted after a day, also for an account without batches', async () => {
  const userDir = temporaryFolder('batch-store');
  const RED = { settings: { userDir }, log: { warn: () => {} } } as unknown as NodeRed;
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const store = batchStoreOf('single', RED);
  const [purge] = timers.mock.calls.flatMap(([work, ms]) => (ms === 60_000 ? [work] : []));
  timers.mockRestore();
  const now = Date.now();
  const clock = jest.spyOn(Date, 'now').mockReturnValue(now - 25 * 3_600_000);
  await store.insert('single sends', { key: 'old', value: {} });
  clock.mockRestore();
  await store.insert('single sends', { key: 'new', value: {} });
  await (purge?.() as unknown as Promise<void>);
  expect(await store.get('single sends', 'old')).toBeUndefined();
  expect(await store.get('single sends', 'new')).toBeDefined();
});
