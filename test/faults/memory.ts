import v8 from 'node:v8';
import vm from 'node:vm';
import { closeAfterwards } from '../support/close-afterwards.ts';

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

/** Bytes in use after a garbage collection. */
export function bytesInUse(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Collects garbage again and again until the test ends, so that objects without a strong reference are lost. */
export function collectGarbageUntilEnd(): void {
  let timer: NodeJS.Timeout;
  function collectAgain() {
    const start = performance.now();
    collect();
    // Leaves a slow machine time for the test itself.
    timer = setTimeout(collectAgain, 20 + 3 * (performance.now() - start));
  }
  collectAgain();
  closeAfterwards({ close: () => clearTimeout(timer) });
}

/** Watches the memory of this process. The returned function stops that and returns the peak growth in bytes. */
export function watchPeakMemory(): () => number {
  const start = process.memoryUsage().rss;
  let peak = start;
  const sample = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  const timer = setInterval(sample, 2).unref();
  return () => {
    clearInterval(timer);
    sample();
    return peak - start;
  };
}
