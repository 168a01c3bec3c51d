import type { Execute, Item } from 'n8n-workflow';
import { growingQueue, type TelephonyError } from '../../../src/builder.ts';

// An agent gets an empty result from a tool that throws, and tries again.
const returnsErrors = (context: Execute) =>
  context.continueOnFail() || context.getNode().type.endsWith('Tool');

/** What a workflow, or an agent, can tell errors apart by. An error of n8n's has only a message. */
const described = ({ message, code, field, serviceCode }: Partial<TelephonyError>) => ({
  ...{ message, code, field, serviceCode },
});

/**
 * Does work for each item of a node, for as many at a time as the account allows.
 *
 * @returns the results in the order of the items
 * @throws the first error, unless the node continues. Items in progress finish, the rest is not run
 */
export async function eachItem(
  context: Execute,
  work: (item: number) => Promise<Item[]>,
): Promise<Item[]> {
  const { queue, recordSuccess } = growingQueue();
  const isEnding = !returnsErrors(context);
  let failure: { error: unknown } | undefined;

  async function run(item: number): Promise<Item[]> {
    if (failure) return [];
    try {
      const items = await work(item);
      recordSuccess();
      return items.map((one) => ({ ...one, pairedItem: { item } }));
    } catch (error) {
      if (isEnding) failure ??= { error };
      // With an `error` of its own, or further keys, the item would lose its row at n8n's error output.
      return [{ json: { error: described(error as TelephonyError) }, pairedItem: { item } }];
    }
  }

  const items = [...context.getInputData().keys()];
  const results = await Promise.all(items.map((item) => queue(() => run(item))));
  if (failure) throw failure.error;
  return results.flat();
}
