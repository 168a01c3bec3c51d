import type { NodeRed } from '../node-red.ts';

/**
 * How long a request waits for flows to run again, in milliseconds. A deploy takes less, and the service waits 15,000.
 */
const timeoutMs = 4_000;

let run = false;
const waiting = new Set<() => void>();

/**
 * Tracks whether flows run. During a deploy, some nodes are closed and others don't exist yet, so an event would reach
 * only some of them.
 */
export function followFlows(RED: NodeRed): void {
  RED.events.on('flows:stopping', () => {
    run = false;
  });
  RED.events.on('flows:started', () => {
    run = true;
    for (const go of waiting) go();
  });
}

/** Whether flows run now. */
export const areRunning = () => run;

/** Waits until flows run, for at most `timeoutMs`. Resolves to whether they do. */
export async function flowsRun(): Promise<boolean> {
  if (run) return true;
  await new Promise<void>((resolve) => {
    const go = () => {
      clearTimeout(timer);
      waiting.delete(go);
      resolve();
    };
    const timer = setTimeout(go, timeoutMs);
    waiting.add(go);
  });
  return run;
}
