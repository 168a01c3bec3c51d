import { doneSentence, type Operation, TelephonyError } from '../../../src/index.ts';
import type { Status } from '../node-red.ts';

/** What stands under a node while it waits for the service. */
export const requesting: Status = { fill: 'blue', shape: 'dot', text: 'requesting' };

const counted = (count: number, more = false) =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'record' : 'records'}${more ? ', and more' : ''}`;

/**
 * What stands under a node after it sent something on.
 *
 * @param sent what it sent last
 * @param count how many records it sent until now
 */
export function succeeded(
  operation: Operation,
  { records, more }: { records: object[]; more?: boolean },
  count: number,
): Status {
  const [record = {}] = records;
  const text = 'done' in operation ? doneSentence(operation, record) : counted(count, more);
  return { fill: 'green', shape: 'dot', text };
}

/** What stands under a node after it failed. The sentence is in the error. */
export const failed = (error: unknown): Status => ({
  fill: 'red',
  shape: 'ring',
  text: `failed: ${error instanceof TelephonyError ? error.code : 'unexpected'}`,
});
