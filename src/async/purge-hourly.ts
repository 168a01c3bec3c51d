const hourMs = 3_600_000;

/** The first purge waits, because an app that starts has more urgent work. */
const firstWaitMs = 60_000;

/**
 * Calls a function that deletes old entries a minute from now, and then each hour. If it fails, the next call retries it. The timers
 * don't keep the process alive.
 *
 * @returns a function that stops it
 */
export function purgeHourly(purge: () => Promise<void>): () => void {
  const run = async () => {
    try {
      await purge();
    } catch {
      // The next call retries it.
    }
  };
  const first = setTimeout(run, firstWaitMs).unref();
  const timer = setInterval(run, hourMs).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
