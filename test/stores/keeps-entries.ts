import { setTimeout } from 'node:timers/promises';
import type { LogStore, Store } from '../../src/builder.ts';
import type { NewEntry } from '../../src/index.ts';

declare const isSoak: boolean;

/** Texts that a database could confuse, truncate or reject. */
const hostile: [what: string, text: string][] = [
  ['nothing', ''],
  ['a zero byte', 'a\0b'],
  ['half a character', '\ud800'],
  ['another case', 'A'],
  ['a space at its end', 'a '],
  ['an accent', 'á'],
  ['an accent of two characters', 'a\u0301'],
  ['quotes and a placeholder', `'"\`$1 ?1 %_\\`],
  ['SQL', "'); drop table users; --"],
  ['a line break', 'a\nb\r\u2028'],
  ['a property of every object', '__proto__'],
  ['10,000 characters', 'x'.repeat(10_000)],
];

/**
 * The tests of every store, run in each builder's real program.
 *
 * @param open opens the store like another process would: two of them share their entries, unless `isShared` is false
 * @param options how many entries of a kind it keeps, if it is few
 */
export function keepsEntries(open: () => Store, { isShared = true, most = 2_000 } = {}) {
  let count = 0;
  let kind = '';
  let store: Store;
  let other: Store;
  beforeAll(() => {
    store = open();
    other = isShared ? open() : store;
  });
  beforeEach(() => {
    count += 1;
    kind = `kind ${count}`;
  });

  const value = { text: 'a', list: [1, null, true, { deep: '\0\ud800' }] };

  async function read(key: string, from = store) {
    const entry = await from.get(kind, key);
    if (!entry) throw new Error(`There is no ${key}.`);
    return entry;
  }

  test('gets what was inserted, and nothing else', async () => {
    const before = Date.now();
    expect(await store.insert(kind, { key: 'a', index: 'i', value })).toBe(true);
    const entry = await read('a', other);
    expect(entry).toEqual({
      ...{ key: 'a', index: 'i', value, at: expect.any(Number), version: expect.any(String) },
    });
    expect(entry.at).toBeGreaterThanOrEqual(before);
    expect(entry.at).toBeLessThanOrEqual(Date.now());
    expect(await store.get(kind, 'b')).toBeUndefined();
    expect(await store.get('another kind', 'a')).toBeUndefined();
  });

  test('keeps the first entry of a key', async () => {
    expect(await store.insert(kind, { key: 'a', value: 1 })).toBe(true);
    expect(await other.insert(kind, { key: 'a', value: 2 })).toBe(false);
    expect(await read('a')).toMatchObject({ value: 1 });
    expect(await store.insert(`other ${kind}`, { key: 'a', value: 3 })).toBe(true);
  });

  test('inserts an entry for only one of many simultaneous callers', async () => {
    const inserted = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 ? store : other).insert(kind, { key: 'a', value: index }),
      ),
    );
    const winner = inserted.indexOf(true);
    expect(inserted.filter(Boolean)).toHaveLength(1);
    expect(await read('a')).toMatchObject({ value: winner });
  });

  test('swaps an entry only if it is still the one that the caller read, and keeps its index', async () => {
    await store.insert(kind, { key: 'a', index: 'i', value: 1 });
    const first = await read('a');
    expect(await other.swap(kind, first, 2)).toBe(true);
    expect(await store.swap(kind, first, 3)).toBe(false);
    expect(await store.find(kind, 'i')).toMatchObject([{ key: 'a', index: 'i', value: 2 }]);
    // Also if its value is the same again.
    expect(await store.swap(kind, await read('a'), 1)).toBe(true);
    expect(await store.swap(kind, first, 3)).toBe(false);
    expect(await store.swap(kind, { ...first, key: 'unknown' }, 3)).toBe(false);
  });

  test('loses no swap of two simultaneous processes', async () => {
    await store.insert(kind, { key: 'a', value: 0 });
    async function add(to: Store) {
      for (;;) {
        const entry = await read('a', to);
        if (await to.swap(kind, entry, Number(entry.value) + 1)) return;
      }
    }
    await Promise.all(Array.from({ length: 10 }, (_, index) => add(index % 2 ? store : other)));
    expect(await read('a')).toMatchObject({ value: 10 });
  });

  test('finds the entries of an index', async () => {
    for (const [key, index] of [
      ['a', 'i'],
      ['b', 'i'],
      ['c', 'j'],
      ['d', undefined],
    ] as const)
      await store.insert(kind, { key, ...(index !== undefined && { index }), value: key });
    await store.insert(`other ${kind}`, { key: 'e', index: 'i', value: 'e' });
    const found = async (index: string) =>
      (await other.find(kind, index)).map(({ key }) => key).sort();
    expect([await found('i'), await found('j'), await found(''), await found('k')]).toEqual([
      ...[['a', 'b'], ['c'], [], []],
    ]);
  });

  test('expires the entries that were last written before a time', async () => {
    for (const key of ['old', 'swapped']) await store.insert(kind, { key, value: 1 });
    await store.insert(`other ${kind}`, { key: 'old', value: 1 });
    const { at } = await read('swapped');
    while (Date.now() <= at) await setTimeout(1);
    const old = await read('swapped');
    await store.swap(kind, old, 2);
    const { at: young } = await read('swapped');
    await other.expire(kind, young);
    expect(await store.get(kind, 'old')).toBeUndefined();
    expect(await store.get(kind, 'swapped')).toMatchObject({ value: 2 });
    expect(await store.get(`other ${kind}`, 'old')).toMatchObject({ value: 1 });
    // An expired entry can be inserted again, and is then another entry.
    await store.expire(kind, Number.MAX_SAFE_INTEGER);
    expect(await store.insert(kind, { key: 'swapped', value: 3 })).toBe(true);
    expect(await store.swap(kind, old, 4)).toBe(false);
  });

  test.each(hostile)('keeps keys, kinds and indexes with %s apart', async (_, text) => {
    const own = `${kind}${text}`;
    await store.insert(own, { key: 'a', value: 'plain' });
    expect(await store.insert(own, { key: `a${text}`, index: text, value: text })).toBe(
      text !== '',
    );
    if (text === '') return;
    expect(await store.get(kind, 'a')).toBeUndefined();
    expect(await other.find(own, text)).toMatchObject([{ key: `a${text}`, value: text }]);
    expect(await other.get(own, 'a')).toMatchObject({ value: 'plain' });
  });

  const many = Number(process.env.ENTRIES) || (isSoak ? 100_000 : most);
  test(`keeps ${many} entries`, async () => {
    const inserts = Array.from({ length: many }, (_, index) => String(index));
    while (inserts.length > 0)
      await Promise.all(
        inserts.splice(0, 100).map((key) => store.insert(kind, { key, index: key, value: key })),
      );
    for (const key of ['0', String(many - 1)]) {
      expect(await other.find(kind, key)).toMatchObject([{ key, value: key }]);
      expect(await other.get(kind, key)).toMatchObject({ value: key });
    }
    await store.expire(kind, Number.MAX_SAFE_INTEGER);
    expect(await other.get(kind, String(many - 1))).toBeUndefined();
  });
}

/** The tests of a store whose entries with an index can be deleted together. */
export function keepsLogs(open: () => LogStore, options: { isShared?: boolean } = {}) {
  keepsEntries(open, options);
  test('clears the entries of an index, and no others', async () => {
    const store = open();
    const kind = 'logs';
    const entries: [kind: string, entry: NewEntry][] = [
      [kind, { key: 'a 1', index: 'a', value: 1 }],
      [kind, { key: 'a 2', index: 'a', value: 2 }],
      [kind, { key: 'a 3', index: 'a', value: 3 }],
      [kind, { key: 'b', index: 'b', value: 4 }],
      [kind, { key: 'a', value: 5 }],
      ['other logs', { key: 'a 1', index: 'a', value: 6 }],
    ];
    for (const [of, entry] of entries) expect(await store.insert(of, entry)).toBe(true);
    await store.clear(kind, 'a');
    await store.clear(kind, 'unknown');
    expect(await store.find(kind, 'a')).toEqual([]);
    expect(await store.get(kind, 'a 2')).toBeUndefined();
    const left = entries.slice(3).map(([of, { key }]) => store.get(of, key));
    expect((await Promise.all(left)).map((entry) => entry?.value)).toEqual([4, 5, 6]);
    expect(await store.insert(kind, { key: 'a 2', index: 'a', value: 7 })).toBe(true);
  });
}
