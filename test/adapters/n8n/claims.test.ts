import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { act } from '../../../plugin/n8n/action/action.ts';
import { claimsOf } from '../../../plugin/n8n/action/claims.ts';
import { type ActionOptions, actionOf, type Telephony } from '../../../src/builder.ts';
import { executeContext, type Kept, newKept } from './execute-context.ts';

// The node waits for what other workers write at the same moment, which takes no time here.
jest.mock('node:timers/promises', () => {
  const timers = jest.requireActual('node:timers/promises');
  const setTimeout = (ms: number, ...given: unknown[]) => timers.setTimeout(ms / 30, ...given);
  return { ...timers, setTimeout };
});

const action = actionOf('send-sms');

/** An account whose service accepts everything. */
const telephony = {
  account: 'https://api.test/AC1',
  cleanPhone: String,
  async run(_: string, input: object, { beforeSend }: ActionOptions) {
    await beforeSend?.();
    return { sid: 'SM1', ...input };
  },
} as unknown as Telephony;

const smsTo = (to: number) => ({ from: '+14155550100', to: `+1202555${to}`, body: 'Hello' });

const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;

/** Runs and stores executions, each of which sends an SMS. Returns how many bytes of claims each read or wrote. */
async function execute(kept: Kept, numbers: number[], token = String) {
  kept.sizes.length = 0;
  for (const number of numbers) {
    const run = {
      kept: { ...kept, context: {}, ends: [] as Kept['ends'] },
      stored: () => run.kept.context,
    };
    const context = executeContext({ ...run, execution: `${number}`, token: token(number) });
    await act(context, telephony, action, smsTo(number), 0);
    for (const end of run.kept.ends) await end();
  }
  return mean(kept.sizes);
}

const numbers = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => 1_000 + from + index);

test('an action costs as much after 1,000 others as after 100', async () => {
  const kept = newKept();
  await execute(kept, numbers(0, 100));
  const early = await execute(kept, numbers(100, 20));
  await execute(kept, numbers(120, 880));
  const late = await execute(kept, numbers(1_000, 20));
  expect(late / early).toBeGreaterThan(0.8);
  expect(late / early).toBeLessThan(1.2);
});

describe('an execution of many items', () => {
  const count = 450;
  const tokens = (kept: Kept, mode = 'manual') => ({ kept, mode, execution: mode, token: 'one' });
  const itemsTo = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => from + index);

  /** Runs items of an execution. Returns the outcome of each. */
  async function run(given: ReturnType<typeof tokens>, items: number[], account = telephony) {
    const context = executeContext(given);
    return Promise.all(
      items.map((item) =>
        act(context, account, action, smsTo(1_000 + item), item).then(
          () => 'sent',
          ({ code }) => code,
        ),
      ),
    );
  }

  test('reads and writes as much for a late item as for an early one', async () => {
    const kept = newKept();
    const sizes: number[] = [];
    for (const item of itemsTo(0, count)) {
      kept.sizes.length = 0;
      await run(tokens(kept), [item]);
      sizes.push(Math.max(...kept.sizes));
    }
    expect(Math.max(...sizes.slice(-100))).toBeLessThan(1.1 * Math.max(...sizes.slice(0, 100)));
    for (const end of kept.ends) await end();
    expect([...kept.claims]).toEqual([]);
  });

  test.each([0, 1, 99, 100, 101, 250, 400, count])(
    'that is retried after %s of them were sent and the context was lost sends exactly the others',
    async (sent) => {
      const kept = newKept();
      expect(await run(tokens(kept), itemsTo(0, sent))).toEqual(itemsTo(0, sent).map(() => 'sent'));
      for (const mode of ['manual', 'retry']) {
        const lost = tokens({ ...kept, context: {} }, mode);
        const outcomes = await run(lost, itemsTo(0, count));
        expect(outcomes).toEqual(
          itemsTo(0, count).map((item) =>
            item < sent || mode === 'retry' ? 'unknown-outcome' : 'sent',
          ),
        );
      }
    },
  );

  /** Starts a process whose context is lost, and that crashes after so many writes. Returns the outcomes of its items until then. */
  async function crashing(kept: Kept, items: number[], writes: number, account: Telephony) {
    const { helpers } = executeContext({ kept });
    const outcomes = new Map<number, string>();
    let count = 0;
    let crash = () => {};
    const crashed = new Promise<void>((resolve) => {
      crash = resolve;
    });
    const unlessCrashed =
      <Args extends unknown[], Result>(write: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        count += 1;
        if (count <= writes) return write(...args);
        crash();
        return new Promise(() => {});
      };
    const id = randomUUID();
    const context = executeContext(
      { kept: { ...kept, context: {} }, execution: id, token: 'one' },
      {
        getWorkflow: () => ({ id }),
        helpers: {
          checkProcessedAndRecord: unlessCrashed(helpers.checkProcessedAndRecord),
          removeProcessed: unlessCrashed(helpers.removeProcessed),
        },
      },
    );
    const runs = items.map(async (item) => {
      const end = act(context, account, action, smsTo(1_000 + item), item);
      outcomes.set(
        item,
        await end.then(
          () => 'sent',
          ({ code }) => code,
        ),
      );
    });
    await Promise.race([Promise.all(runs), crashed]);
    return outcomes;
  }

  /** After these writes: the claims of the items; those of a block, once more, and without those of its items. */
  test.each([1, 2, 3, 4])(
    'that crashed after %s writes, and again while it was looked up, sends exactly what was not claimed',
    async (first) => {
      // The claims of an item; then each part of a block, and without them.
      for (const second of [0, 1, 2, 3, 4]) {
        const kept = newKept();
        const sent: string[] = [];
        const account = {
          ...telephony,
          async run(id: string, input: { to: string }, options: ActionOptions) {
            const record = await telephony.run(id, input, options);
            sent.push(input.to);
            return record;
          },
        } as unknown as Telephony;
        await crashing(kept, itemsTo(0, 120), first, account);
        await crashing(kept, [150], second, account);
        const last = await crashing(kept, itemsTo(0, 200), Number.POSITIVE_INFINITY, account);
        const isClaimed = (item: number) => item < 120 || (item === 150 && second > 0);
        expect([...last].sort(([one], [other]) => one - other)).toEqual(
          itemsTo(0, 200).map((item) => [item, isClaimed(item) ? 'unknown-outcome' : 'sent']),
        );
        expect(new Set(sent).size).toBe(sent.length);
      }
    },
  );
});

test('claims that wait for a write are written together, and of equal ones the first counts', async () => {
  const kept = newKept();
  const claims = claimsOf(executeContext({ kept }));
  const all = ['a', 'b', 'c', 'a'].map((claim) => claims.record([claim, 'of all']));
  expect(await Promise.all(all)).toEqual([[], ['of all'], ['of all'], ['a', 'of all']]);
  await Promise.all([claims.remove(['a']), claims.remove(['b']), claims.remove([])]);
  expect(kept.sizes.length).toBe(2);
  expect([...kept.claims]).toEqual(['of all', 'c']);
});

test('the longer a write takes, the more claims wait for the next one', async () => {
  const kept = newKept();
  let writeMs = 0;
  const { helpers } = executeContext({ kept });
  const slow = {
    async checkProcessedAndRecord(...args: Parameters<typeof helpers.checkProcessedAndRecord>) {
      await setTimeout(writeMs);
      return helpers.checkProcessedAndRecord(...args);
    },
  };
  const getWorkflow = () => ({ id: 'slow' });
  const claims = claimsOf(executeContext({ kept }, { getWorkflow, helpers: slow }));
  writeMs = 3_000;
  await claims.record(['a']);
  writeMs = 0;
  const later = [claims.record(['b'])];
  await setImmediate();
  later.push(claims.record(['c']));
  await Promise.all(later);
  expect(kept.sizes.length).toBe(2);
});

test('claims of two nodes are written apart', async () => {
  const kept = [newKept(), newKept()];
  await Promise.all(
    kept.map((one, index) =>
      claimsOf(executeContext({ kept: one }, { getWorkflow: () => ({ id: `${index}` }) })).record([
        `${index}`,
      ]),
    ),
  );
  expect(kept.map((one) => [...one.claims])).toEqual([['0'], ['1']]);
});
