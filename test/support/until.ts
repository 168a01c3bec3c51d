import { setImmediate } from 'node:timers/promises';

/** Less than the limit of a test, so that it says what it waited for. In milliseconds. */
const PATIENCE = 90_000;
// Those of the machine, also where a test has others.
const now = performance.now.bind(performance);

/** Waits until something holds that nobody tells. Fails with what it waited for where that never comes. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = now() + PATIENCE; !(await holds()); await setImmediate())
    if (now() > end) throw new Error(`Waited ${PATIENCE / 1000} s for this: ${holds}`);
}
