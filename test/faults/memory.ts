import v8 from 'node:v8';
import vm from 'node:vm';
import { closeAfterwards } from '../support/close-afterwards.ts';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

/** Bytes that are in use after everything was collected that can be. */
export function bytesInUse(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Collects garbage all the time until the test ends, so that what is held too loosely is lost. */
export function collectAllTheTime(): void {
  let timer: NodeJS.Timeout;
  function collectAgain() {
    const start = performance.now();
    collect();
    // The slower the machine, the longer the others get.
    timer = setTimeout(collectAgain, 20 + 3 * (performance.now() - start));
  }
  collectAgain();
  closeAfterwards({ close: () => clearTimeout(timer) });
}

/** Watches the memory of this process from now on; what it gives tells by how many bytes it grew at most, and ends that. */
export function memoryAtItsMost(): () => number {
  const start = process.memoryUsage().rss;
  let most = start;
  const look = () => {
    most = Math.max(most, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 2).unref();
  return () => {
    clearInterval(timer);
    look();
    return most - start;
  };
}
