import { oneAtATime } from '../../src/events/receive/one-at-a-time.ts';

/** Lets pending promises settle. */
const goOn = () => new Promise(setImmediate);

test('work with the same key waits for earlier work to end, other work does not', async () => {
  const inTurn = oneAtATime();
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const begin = (key: string, name: string) => {
    const over = new Promise<void>((resolve) => ends.push(resolve));
    return inTurn(key, over, async () => {
      started.push(name);
      return name;
    });
  };
  const first = begin('a', 'first');
  const second = begin('a', 'second');
  begin('b', 'other');
  await goOn();
  expect(started).toEqual(['first', 'other']);
  expect(await first).toBe('first');
  ends[0]?.();
  expect(await second).toBe('second');
  // Work that has ended before delays nothing.
  begin('a', 'third');
  await goOn();
  expect(started).toEqual(['first', 'other', 'second']);
  ends[1]?.();
  await goOn();
  expect(started).toEqual(['first', 'other', 'second', 'third']);
  ends[3]?.();
  await goOn();
  expect(await begin('a', 'last')).toBe('last');
});

test('failed work rejects for its caller, and the next work starts', async () => {
  const inTurn = oneAtATime();
  const failing = inTurn('a', Promise.resolve(), () => Promise.reject(new Error('It failed.')));
  const next = inTurn('a', Promise.resolve(), async () => 'next');
  await expect(failing).rejects.toThrow('It failed.');
  expect(await next).toBe('next');
});
