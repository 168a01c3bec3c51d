import { onceWithin } from '../../src/builder.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Work with numbered results, which a test ends. */
function numberedWork() {
  const ends: ((error?: Error) => void)[] = [];
  const work = () =>
    new Promise<number>((resolve, reject) => {
      const number = ends.length + 1;
      ends.push((error) => (error ? reject(error) : resolve(number)));
    });
  return { ends, work };
}

test('calls while the work is in progress share one run and its result', async () => {
  const { ends, work } = numberedWork();
  const once = onceWithin<number>(2000);
  const first = once('a', work);
  jest.advanceTimersByTime(60_000);
  const others = [once('a', work), once('a', work)];
  ends[0]?.();
  expect(await Promise.all([first, ...others])).toEqual([1, 1, 1]);
  expect(ends).toHaveLength(1);
});

const later: [milliseconds: number, result: number][] = [
  [0, 1],
  [1999, 1],
  [2000, 2],
  [60_000, 2],
];
test.each(later)(
  'a call %s ms after the end gets the result of run %s',
  async (milliseconds, result) => {
    const { ends, work } = numberedWork();
    const once = onceWithin<number>(2000);
    const first = once('a', work);
    ends[0]?.();
    await first;
    jest.advanceTimersByTime(milliseconds);
    const second = once('a', work);
    ends[1]?.();
    expect(await second).toBe(result);
  },
);

test('an error is shared as well, for the same time', async () => {
  const { ends, work } = numberedWork();
  const once = onceWithin<number>(2000);
  const both = [once('a', work), once('a', work)];
  ends[0]?.(new Error('refused'));
  for (const one of both) await expect(one).rejects.toThrow('refused');
  await expect(once('a', work)).rejects.toThrow('refused');
  jest.advanceTimersByTime(2000);
  const again = once('a', work);
  ends[1]?.();
  expect(await again).toBe(2);
});

test('work with another key or another cache runs separately', async () => {
  const { ends, work } = numberedWork();
  const [once, elsewhere] = [onceWithin<number>(2000), onceWithin<number>(2000)];
  const all = [once('a', work), once('b', work), once('toString', work), elsewhere('a', work)];
  for (const end of ends) end();
  expect(await Promise.all(all)).toEqual([1, 2, 3, 4]);
});

test('reusing a result does not extend its time', async () => {
  const { ends, work } = numberedWork();
  const once = onceWithin<number>(2000);
  const first = once('a', work);
  ends[0]?.();
  await first;
  jest.advanceTimersByTime(1500);
  expect(await once('a', work)).toBe(1);
  jest.advanceTimersByTime(500);
  const again = once('a', work);
  ends[1]?.();
  expect(await again).toBe(2);
});
