import fc from 'fast-check';
import type { Fault } from '../../demo/sandbox/index.ts';
import { connect, memoryStore } from '../../src/builder.ts';
import { size } from '../support/size.ts';
import { outcome, sandboxWith } from './lost-responses.ts';
import { startProcess } from './processes.ts';
import { account, skipRetryWaits, sms } from './service.ts';

beforeEach(() => skipRetryWaits());
afterEach(() => jest.restoreAllMocks());

const rounds = size(10, 200);
let count = 0;

const faulty = fc.array(
  fc.constantFrom<(Fault['name'] | '')[]>(
    ...(['', '', 'reset-before', 'reset-after', 'truncated', 'server-error'] as const),
    ...(['empty', 'html', 'rate-limited'] as const),
  ),
  { minLength: 1, maxLength: 12 },
);

const processes = [startProcess(), startProcess()];

test('confirms each of several equal messages by its own record, in one process or two', async () => {
  const seen = { found: 0, unknown: 0 };
  await fc.assert(
    fc.asyncProperty(
      faulty,
      faulty,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: processes.length }),
      async (writes, reads, together, running) => {
        count += 1;
        const body = `Round ${count}`;
        // A new one, because the rate limit of one round would slow down the next.
        const sandbox = await sandboxWith();
        // The empty name means no fault.
        for (const name of writes) if (name) sandbox.faults.add({ name, method: 'POST' });
        for (const name of reads) if (name) sandbox.faults.add({ name, method: 'GET' });
        const options = {
          ...{ ...account, baseUrl: sandbox.url, limits: { concurrency: together } },
          store: running > 1 ? memoryStore() : undefined,
        };
        const accounts = processes.slice(0, running).map((connect) => connect(options));
        const codes = await Promise.all(
          writes.map((_, index) => {
            const telephony = accounts[index % running] ?? connect(options);
            return outcome(telephony.run('send-sms', { ...sms, body }));
          }),
        );
        const stored = sandbox.messages.filter((message) => message.body === body);
        const sids = codes.filter((code) => code.startsWith('SM'));
        expect(new Set(sids).size).toBe(sids.length);
        expect(stored.map(({ sid }) => sid)).toEqual(expect.arrayContaining(sids));
        expect(stored.length - sids.length).toBeLessThanOrEqual(
          codes.filter((code) => code === 'unknown-outcome').length,
        );
        seen.found += sandbox.requests.filter(
          ({ fault, stored: sid }) => fault && sid && sids.includes(sid),
        ).length;
        seen.unknown += codes.length - sids.length;
      },
    ),
    { numRuns: rounds, seed: 20_262, endOnFailure: true },
  );
  expect(seen.found).toBeGreaterThan(rounds / 2);
  expect(seen.unknown).toBeGreaterThan(rounds / 2);
}, 600_000);
