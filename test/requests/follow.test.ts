import { follow } from '../../src/async/follow.ts';

test('following no signal returns no signal', () => {
  const { signal, release } = follow(undefined);
  expect(signal).toBeUndefined();
  expect(release()).toBeUndefined();
});

test.each([0, 1])('the signal aborts when source %i aborts', (index) => {
  const sources = [new AbortController(), new AbortController()];
  const { signal } = follow(undefined, ...sources.map((one) => one.signal));
  expect(signal?.aborted).toBe(false);
  sources[index]?.abort();
  expect(signal?.aborted).toBe(true);
});

test.each([0, 1])('the signal is aborted from the start if source %i already is', (index) => {
  const sources = [new AbortController(), new AbortController()];
  sources[index]?.abort();
  expect(follow(...sources.map((one) => one.signal)).signal?.aborted).toBe(true);
});

test('a released signal no longer follows its source, others still do', () => {
  const source = new AbortController();
  const [one, other] = [follow(source.signal), follow(source.signal)];
  one.release();
  source.abort();
  expect([one.signal?.aborted, other.signal?.aborted]).toEqual([false, true]);
});

test('a source has one listener, however many signals follow it', () => {
  const source = new AbortController();
  const listen = jest.spyOn(source.signal, 'addEventListener');
  for (let count = 0; count < 3; count += 1) follow(source.signal);
  expect(listen).toHaveBeenCalledTimes(1);
});
