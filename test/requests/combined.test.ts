import { combined } from '../../src/builder.ts';

test('calls during a write share the next one, also after one that failed', async () => {
  const written: string[][] = [];
  let isFailing = true;
  const write = combined(async (all: string[]) => {
    written.push(all);
    await Promise.resolve();
    if (isFailing) throw new Error('The disk is full.');
    return all.length;
  });
  const first = [write(['a']), write(['b'])];
  await expect(first[0]).rejects.toThrow('The disk is full.');
  await expect(first[1]).rejects.toThrow('The disk is full.');
  isFailing = false;
  const second = write(['c']);
  await Promise.resolve();
  await Promise.resolve();
  const later = [write(['d', 'e']), write(), write(['f'])];
  expect(await Promise.all([second, ...later])).toEqual([1, 3, 3, 3]);
  expect(written).toEqual([['a', 'b'], ['c'], ['d', 'e', 'f']]);
});
