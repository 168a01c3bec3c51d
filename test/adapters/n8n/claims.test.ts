import { act } from '../../../plugin/n8n/action/action.ts';
import { claimsOf } from '../../../plugin/n8n/action/claims.ts';
import { type ActionOptions, actionOf, type Telephony } from '../../../src/builder.ts';
import { executeContext, type Kept, newKept } from './execute-context.ts';

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

test('claims that wait for a write are written together, and of equal ones the first counts', async () => {
  const kept = newKept();
  const claims = claimsOf(executeContext({ kept }));
  const all = ['a', 'b', 'c', 'a'].map((claim) => claims.record([claim, 'of all']));
  expect(await Promise.all(all)).toEqual([[], ['of all'], ['of all'], ['a', 'of all']]);
  await Promise.all([claims.remove(['a']), claims.remove(['b']), claims.remove([])]);
  expect(kept.sizes.length).toBe(2);
  expect([...kept.claims]).toEqual(['of all', 'c']);
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
