/** Entries that wait in lanes. Lanes take turns, so that many entries of one don't hold up those of another. */
export class Lanes<Entry> {
  /** The lanes with waiting entries, the one whose turn it is first. */
  #lanes = new Map<string, Entry[]>();

  get isEmpty(): boolean {
    return this.#lanes.size === 0;
  }

  add(lane: string, entry: Entry): void {
    const entries = this.#lanes.get(lane);
    if (entries) entries.push(entry);
    else this.#lanes.set(lane, [entry]);
  }

  /**
   * Removes the first entry of the next lane, whose next turn then comes after the others.
   *
   * @param isOpen whether a lane can take its turn
   */
  take(isOpen: (lane: string) => boolean = () => true): Entry | undefined {
    for (const [lane, entries] of this.#lanes) {
      if (!isOpen(lane)) continue;
      const first = entries.shift();
      this.#lanes.delete(lane);
      if (entries.length > 0) this.#lanes.set(lane, entries);
      return first;
    }
    return undefined;
  }

  /** Removes the entries that match, and returns them. */
  remove(matches: (entry: Entry) => boolean): Entry[] {
    const removed: Entry[] = [];
    for (const [lane, entries] of this.#lanes) {
      removed.push(...entries.filter(matches));
      const left = entries.filter((entry) => !matches(entry));
      if (left.length > 0) this.#lanes.set(lane, left);
      else this.#lanes.delete(lane);
    }
    return removed;
  }
}

/** Starts work when a slot is free. */
export type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue whose lanes take turns. A lane with nothing in progress needs no free slot, so that an alarm doesn't wait for slow
 * requests of other lanes.
 *
 * @param concurrency how many are in progress at the same time; twice as many if there are so many lanes
 * @returns the queue of a lane
 */
export function laneQueue(concurrency: number): (lane: string) => Queue {
  const waiting = new Lanes<() => void>();
  const inProgress = new Map<string, number>();
  let all = 0;

  const isOpen = (lane: string) =>
    all < concurrency || (!inProgress.has(lane) && all < concurrency * 2);

  function count(lane: string, change: number) {
    all += change;
    const own = (inProgress.get(lane) ?? 0) + change;
    if (own > 0) inProgress.set(lane, own);
    else inProgress.delete(lane);
  }

  function startWaiting() {
    for (let start = waiting.take(isOpen); start; start = waiting.take(isOpen)) start();
  }

  return (lane) => (work) =>
    new Promise((resolve, reject) => {
      waiting.add(lane, () => {
        count(lane, 1);
        work()
          .finally(() => {
            count(lane, -1);
            startWaiting();
          })
          .then(resolve, reject);
      });
      startWaiting();
    });
}
