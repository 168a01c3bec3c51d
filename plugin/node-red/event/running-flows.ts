import type { NodeRed } from '../node-red.ts';

/** How long a request waits until flows run again, in milliseconds: a deploy takes less, and the service waits for 15,000. */
const timeoutMs = 4_000;

let run = false;
const waiting = new Set<() => void>();

/**
 * Follows whether flows run. While they are deployed some nodes are closed and others are not yet made, so that an event
 * would reach only a part of them.
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

/** Resolves to whether flows run, as soon as they do, or after some seconds. */
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
