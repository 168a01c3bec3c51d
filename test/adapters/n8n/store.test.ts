import { openStore } from '../../../plugin/n8n/store.ts';
import type { Store } from '../../../src/builder.ts';
import { keepsEntries } from '../../stores/keeps-entries.ts';

/** Static data, as n8n stores it between two executions. */
const reloaded = (data: object) => JSON.parse(JSON.stringify(data));

describe('in one process', () => {
  const data = {};
  const stores: Store[] = [];
  beforeAll(async () => {
    for (let count = 0; count < 2; count += 1) stores.push(await openStore('one', data));
  });
  // It writes all entries of a kind for each.
  keepsEntries(() => stores.pop() as Store, { most: 1_000 });
});

test('another process finds what was saved with the workflow', async () => {
  const data = {};
  const store = await openStore('first process', data);
  const value = { text: '\0\ud800', list: [1, null] };
  await store.insert('a kind', { key: 'a', index: 'i', value: 1 });
  const entry = await store.get('a kind', 'a');
  if (entry) await store.swap('a kind', entry, value);
  await store.insert('a kind', { key: 'b', value: 2 });
  const other = await openStore('second process', reloaded(data));
  expect(await other.find('a kind', 'i')).toEqual([await store.get('a kind', 'a')]);
  expect(await other.get('a kind', 'a')).toMatchObject({ value });
  expect(await other.get('a kind', 'b')).toMatchObject({ value: 2 });
});

test('loads what another process has saved since, and drops what it expired', async () => {
  const data = {};
  const [first, second] = [await openStore('one process', data), await openStore('other', data)];
  await first.insert('a kind', { key: 'a', value: 1 });
  const later = await openStore('other', reloaded(data));
  const entry = await later.get('a kind', 'a');
  expect(entry).toMatchObject({ value: 1 });
  expect(await second.get('a kind', 'a')).toEqual(entry);
  await later.expire('a kind', Number.MAX_SAFE_INTEGER);
  expect(await later.get('a kind', 'a')).toBeUndefined();
});

test('keeps the newest entries', async () => {
  const data = {};
  const store = await openStore('a small one', data, 2);
  for (const key of ['a', 'b', 'c']) await store.insert('a kind', { key, value: key });
  const other = await openStore('its copy', reloaded(data), 2);
  expect(await Promise.all(['a', 'b', 'c'].map((key) => other.get('a kind', key)))).toMatchObject([
    undefined,
    { value: 'b' },
    { value: 'c' },
  ]);
});
