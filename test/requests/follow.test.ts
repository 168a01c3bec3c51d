import { follow } from '../../src/follow.ts';

test('where there is nothing to follow there is no signal', () => {
  const { signal, release } = follow(undefined);
  expect(signal).toBeUndefined();
  expect(release()).toBeUndefined();
});

test.each([0, 1])('it aborts when one of those that it follows does: %i', (index) => {
  const sources = [new AbortController(), new AbortController()];
  const { signal } = follow(undefined, ...sources.map((one) => one.signal));
  expect(signal?.aborted).toBe(false);
  sources[index]?.abort();
  expect(signal?.aborted).toBe(true);
});

test.each([0, 1])('it is aborted where one of them already is: %i', (index) => {
  const sources = [new AbortController(), new AbortController()];
  sources[index]?.abort();
  expect(follow(...sources.map((one) => one.signal)).signal?.aborted).toBe(true);
});

test('once it is let go it follows no more, and others still do', () => {
  const source = new AbortController();
  const [one, other] = [follow(source.signal), follow(source.signal)];
  one.release();
  source.abort();
  expect([one.signal?.aborted, other.signal?.aborted]).toEqual([false, true]);
});

test('a signal has one listener, however many follow it', () => {
  const source = new AbortController();
  const listen = jest.spyOn(source.signal, 'addEventListener');
  for (let count = 0; count < 3; count += 1) follow(source.signal);
  expect(listen).toHaveBeenCalledTimes(1);
});
