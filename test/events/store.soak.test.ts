import { memoryStore } from '../../src/builder.ts';
import { keepsLogs } from '../stores/keeps-entries.ts';

describe('a store in memory', () => {
  keepsLogs(() => memoryStore(200_000), { isShared: false });

  test('drops the oldest entries of a kind beyond its capacity', async () => {
    const store = memoryStore(2);
    await store.insert('a', { key: '1', value: 1 });
    await store.insert('b', { key: '1', value: 1 });
    await store.insert('a', { key: '2', value: 1 });
    const first = await store.get('a', '1');
    if (first) await store.swap('a', first, 2);
    await store.insert('a', { key: '3', value: 1 });
    expect(store.entries().map(([kind, { key }]) => `${kind}${key}`)).toEqual(['a1', 'a3', 'b1']);
  });
});
