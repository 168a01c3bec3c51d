import { setImmediate } from 'node:timers/promises';

/** How long rows are worked on before other requests of the builder are served, in milliseconds. */
const sliceMs = 20;

/** Returns a function to call and await between the rows of a long loop. It now and then lets other requests be served. */
export function sliceBreaks(): () => Promise<void> {
  let end = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < end) return;
    await setImmediate();
    end = performance.now() + sliceMs;
  };
}

/** Maps rows one after the other. Now and then, other requests are served. */
export async function mapInSlices<Row, Result>(
  rows: Iterable<Row>,
  map: (row: Row) => Result | Promise<Result>,
): Promise<Result[]> {
  const sliceBreak = sliceBreaks();
  const results: Result[] = [];
  for (const row of rows) {
    results.push(await map(row));
    await sliceBreak();
  }
  return results;
}
