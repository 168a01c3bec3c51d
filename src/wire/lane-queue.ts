import { Lanes } from './lanes.ts';

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
