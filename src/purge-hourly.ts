const hour = 3_600_000;

/** What an app does first when it starts is more important. */
const firstWait = 60_000;

/**
 * Has what is kept too long deleted each hour, for as long as the process lasts. What fails is tried again an hour later.
 *
 * @returns what ends it
 */
export function purgeHourly(purge: () => Promise<void>): () => void {
  const run = async () => {
    try {
      await purge();
    } catch {
      // Nothing waits for it.
    }
  };
  // They keep no process alive.
  const first = setTimeout(run, firstWait).unref();
  const timer = setInterval(run, hour).unref();
  return () => {
    clearTimeout(first);
    clearInterval(timer);
  };
}
