import { setTimeout } from 'node:timers/promises';

/** Less than the timeout of a test, so that the error names the condition. */
const timeoutMs = 90_000;
/** How long the pauses between checks take. */
const pauses = { leastMs: 10, mostMs: 100 };
// The machine's clock, even if a test sets another one.
const now = performance.now.bind(performance);
const pause = setTimeout.bind(undefined);

/**
 * Waits until a condition holds. After a timeout, fails with the condition's source. Pauses twice as long as a check took, because
 * checks take the processor from what they wait for.
 */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = now() + timeoutMs;
  for (let begun = now(); !(await holds()); begun = now()) {
    if (now() > end) throw new Error(`Waited ${timeoutMs / 1000} s for this: ${holds}`);
    const wanted = 2 * (now() - begun);
    await pause(Math.min(Math.max(wanted, pauses.leastMs), pauses.mostMs));
  }
}
