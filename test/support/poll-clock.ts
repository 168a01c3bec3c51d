/**
 * A clock that a test advances for the poller only: `Date.now` and intervals. Everything else runs in real time.
 *
 * @returns a function that advances it, by milliseconds
 */
export function pollClock(): (ms: number) => void {
  let aheadMs = 0;
  beforeAll(() => {
    const now = Date.now.bind(Date);
    jest.spyOn(Date, 'now').mockImplementation(() => now() + aheadMs);
    jest.useFakeTimers({
      doNotFake: [
        ...(['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
        ...(['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout'] as const),
      ],
    });
  });
  afterAll(() => void jest.useRealTimers());
  return (ms) => {
    aheadMs += ms;
    jest.advanceTimersByTime(ms);
  };
}
