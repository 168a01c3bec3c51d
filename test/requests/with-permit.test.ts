import { withPermit } from '../../src/send/with-retries.ts';
import { checkSettings } from '../../src/settings/check-settings.ts';
import { checkLimits } from '../../src/settings/limits.ts';
import { createConnection } from '../../src/wire/connection.ts';
import { account } from './service.ts';

/** An account with a single slot, which is taken until the test ends that work. */
function busy() {
  const connection = createConnection(checkSettings(account), checkLimits({ concurrency: 1 }));
  let end: (result: string) => void = () => {};
  const promise = new Promise<string>((resolve) => {
    end = resolve;
  });
  const first = (signal?: AbortSignal) =>
    withPermit(connection, signal, async (permit) => {
      const result = await promise;
      permit.recordAccepted();
      return result;
    });
  return { connection, first, end };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

test('work waits until the work before it ends', async () => {
  const { connection, first, end } = busy();
  const work = jest.fn(async () => 'second');
  const all = [first(), withPermit(connection, new AbortController().signal, work)];
  await settled();
  expect(work).not.toHaveBeenCalled();
  end('first');
  expect(await Promise.all(all)).toEqual(['first', 'second']);
});

test('work aborted while it waits ends at once and never starts', async () => {
  const { connection, first, end } = busy();
  const work = jest.fn();
  const stop = new AbortController();
  const under = first();
  const stopped = withPermit(connection, stop.signal, work);
  await settled();
  stop.abort();
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
  end('first');
  expect(await under).toBe('first');
  await settled();
  expect(work).not.toHaveBeenCalled();
});

test('work aborted before it waits ends at once and never starts', async () => {
  const { connection, first, end } = busy();
  const work = jest.fn();
  const under = first();
  const stopped = withPermit(connection, AbortSignal.abort(), work);
  await expect(stopped).rejects.toMatchObject({ code: 'aborted' });
  end('first');
  expect(await under).toBe('first');
  await settled();
  expect(work).not.toHaveBeenCalled();
});

test('work in progress finishes in spite of an abort', async () => {
  const { first, end } = busy();
  const stop = new AbortController();
  const under = first(stop.signal);
  await settled();
  stop.abort();
  end('first');
  expect(await under).toBe('first');
});
