import { setTimeout } from 'node:timers/promises';

/** Less than the timeout of a test, so that the error names the condition. */
const timeoutMs = 90_000;
/** How often a condition is checked. Without a pause, the wait would take the processor from what it waits for. */
const everyMs = 10;
// The machine's clock, even if a test sets another one.
const now = performance.now.bind(performance);
const pause = setTimeout.bind(undefined, everyMs);

/** Waits until a condition holds. After a timeout, fails with the condition's source. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = now() + timeoutMs; !(await holds()); await pause())
    if (now() > end) throw new Error(`Waited ${timeoutMs / 1000} s for this: ${holds}`);
}
