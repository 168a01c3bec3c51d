import { setTimeout } from 'node:timers/promises';
import { connect, type LogStore } from '../../src/builder.ts';
import { openSandbox } from '../support/open-sandbox.ts';
import type { Postgres } from '../support/start-postgres.ts';
import { until } from '../support/until.ts';
import { phoneOf, startBatch } from './batch-of-sms.ts';

/** How long the database is away, in milliseconds: longer than the lease of a batch. */
const awayMs = 10_000;
const count = 400;

/** A batch survives that its database goes away for a while. */
export function survivesOutage(opened: () => { store: LogStore; postgres: Postgres }): void {
  test('a batch waits for a database that is away for 10 s, goes on, and sends to no one twice', async () => {
    const sandbox = await openSandbox();
    sandbox.messages.length = 0;
    const { username, password, url: baseUrl } = sandbox;
    const telephony = connect({ username, password, baseUrl });
    const { store, postgres } = opened();
    const { rows, hasEnded, reported } = await startBatch(store, telephony, count);
    await until(() => sandbox.messages.length >= 50);
    await postgres.stop();
    await setTimeout(awayMs);
    expect(sandbox.messages.length).toBeLessThan(count);
    await postgres.start();
    // A connection that was requested while the database started can still fail.
    await until(() => hasEnded().catch(() => false));
    const again = await startBatch(store, telephony, count);
    const phones = Array.from({ length: count }, (_, index) => phoneOf(index));
    expect({
      outcomes: [...new Set((await rows()).map(({ outcome }) => outcome))],
      later: [...new Set(again.shown.map(({ outcome }) => outcome))],
      ...{ reported, isStartedAgain: again.isStarted },
      sent: sandbox.messages.map(({ to }) => to).sort(),
    }).toEqual({
      ...{ outcomes: ['done'], later: ['already-done'], reported: [], isStartedAgain: false },
      sent: phones,
    });
  });
}
