import { once } from 'node:events';
import { follow } from '../../src/async/follow.ts';
import { errorOf } from '../requests/errors.ts';
import { collectGarbageUntilEnd } from './memory.ts';
import { openRawServer } from './open-raw-server.ts';
import type { RawServer } from './raw-server.ts';
import { sms, telephonyAt } from './service.ts';

let server: RawServer;
let arrive: () => void;
let arrived: Promise<void>;
beforeEach(async () => {
  arrived = new Promise((resolve) => {
    arrive = resolve;
  });
  server = await openRawServer(() => arrive());
});

test('a followed timeout signal survives garbage collection', async () => {
  const { signal } = follow(AbortSignal.timeout(1_000));
  collectGarbageUntilEnd();
  // Ends the wait if the followed signal was collected.
  const late = AbortSignal.timeout(10_000);
  await Promise.race([signal, late].map((one) => one && once(one, 'abort')));
  expect([signal?.aborted, late.aborted]).toEqual([true, false]);
});

test('hundreds of requests share one signal without a listener warning', async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on('warning', warned);
  const stop = new AbortController();
  const telephony = telephonyAt(server.url, { concurrency: 50 });
  const runs = Array.from({ length: 300 }, () =>
    errorOf(telephony.run('send-sms', sms, { signal: stop.signal })),
  );
  await arrived;
  stop.abort();
  const codes = (await Promise.all(runs)).map(({ code }) => code);
  expect(new Set(codes)).toEqual(new Set(['unknown-outcome', 'aborted']));
  process.off('warning', warned);
  expect(warnings).toEqual([]);
});
