import { purgeHourly } from '../../src/builder.ts';

const hour = 3_600_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('purges a minute after the start and each hour, until it is stopped', async () => {
  const purge = jest.fn(async () => {});
  const stop = purgeHourly(purge);
  expect(purge).not.toHaveBeenCalled();
  jest.advanceTimersByTime(60_000);
  expect(purge).toHaveBeenCalledTimes(1);
  jest.advanceTimersByTime(24 * hour);
  expect(purge).toHaveBeenCalledTimes(25);
  stop();
  jest.advanceTimersByTime(24 * hour);
  expect(purge).toHaveBeenCalledTimes(25);
});

test('purges again after a failure', async () => {
  const fail = () => {
    throw new Error('closed');
  };
  const busy = new Error('busy');
  const purge = jest
    .fn(async () => {})
    .mockImplementationOnce(fail)
    .mockRejectedValueOnce(busy);
  const stop = purgeHourly(purge);
  await jest.advanceTimersByTimeAsync(2 * hour);
  expect(purge).toHaveBeenCalledTimes(3);
  stop();
});
