import { nextTurn } from './timers.ts';

/** How long one slice takes, in milliseconds. */
const sliceMs = 20;

/**
 * Does something with each of many items, one after another. Between slices, the program serves other requests: many rows, or a slow
 * formula, take seconds.
 */
export async function inSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => unknown,
): Promise<void> {
  let end = performance.now() + sliceMs;
  for (const item of items) {
    await work(item);
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + sliceMs;
  }
}

/** Maps many items, one after another, as `inSlices`. */
export async function mapInSlices<Item, Result>(
  items: Iterable<Item>,
  map: (item: Item) => Result | Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  await inSlices(items, async (item) => results.push(await map(item)));
  return results;
}
