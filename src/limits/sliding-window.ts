/**
 * A sliding window, in slots: what happened in a slot counts until the window has left all of it. So a count is at most one slot too old,
 * and never too young: there is no moment at which two windows meet and twice as much is possible.
 */
export interface Window {
  slotMs: number;
  slots: number;
}

export const hour: Window = { slotMs: 300_000, slots: 12 };
export const day: Window = { slotMs: 3_600_000, slots: 24 };

/** How often something happened: the number of each slot with how often in it, the oldest first. */
export type Counts = [slot: number, count: number][];

export const slotOf = ({ slotMs }: Window, time: number): number => Math.floor(time / slotMs);

export const total = (counts: Counts): number => counts.reduce((sum, [, count]) => sum + count, 0);

/**
 * Returns the counts that are still in the window. A count of the future becomes one of now: otherwise, a clock that is set back would
 * open the limit, or one that was wrong for a moment would close it for years.
 */
export function countsAt(counts: Counts, window: Window, now: number): Counts {
  const slot = slotOf(window, now);
  const [[oldest] = [slot], [newest] = [slot]] = [counts[0], counts.at(-1)];
  // Most are as they were: an entry has many, and each action reads them all.
  if (oldest >= slot - window.slots && newest <= slot) return counts;
  const kept = counts.filter(([at]) => at >= slot - window.slots);
  const future = total(kept.filter(([at]) => at > slot));
  return future === 0
    ? kept
    : add(
        kept.filter(([at]) => at <= slot),
        slot,
        future,
      );
}

/** Adds to the count of a slot, which is the newest. */
export function add(counts: Counts, slot: number, count = 1): Counts {
  const [newest, known] = counts.at(-1) ?? [];
  return newest === slot
    ? [...counts.slice(0, -1), [slot, (known ?? 0) + count]]
    : [...counts, [slot, count]];
}

/** Subtracts one from the count of a slot. If the clock was set back since, it is an earlier one. */
export function subtract(counts: Counts, slot: number): Counts {
  const index = counts.findLastIndex(([at]) => at <= slot);
  return counts
    .map(([at, count], one): Counts[number] => [at, one === index ? count - 1 : count])
    .filter(([, count]) => count > 0);
}

/** Returns when so few remain in the window that another one is possible, in milliseconds since 1970. */
export function opensAt(counts: Counts, { slotMs, slots }: Window, limit: number): number {
  let left = total(counts);
  for (const [slot, count] of counts) {
    left -= count;
    if (left < limit) return (slot + slots + 1) * slotMs;
  }
  return 0;
}
