import { ask, start } from './children.ts';
import type { Effort } from './effort.ts';
import type { Question, Reading } from './reader.ts';

const readers = ['plain', 'plugin'] as const;
type Reader = (typeof readers)[number];

/** One figure per round, in bytes: of a list, and of a fifth of it. */
export interface Growth {
  few: number[];
  many: number[];
}

interface MemoryFigures {
  peak: Growth;
  inUse: Growth;
}

export interface PageFigures extends Record<Reader, MemoryFigures> {
  /** Microseconds, one figure per round. */
  cpu: Record<Reader, number[]>;
}

async function openReader(name: Reader, url: string, execArgv: string[] = []) {
  const { child } = await start('reader', [name], { execArgv });
  const read = (count: number, isWatched = false) => {
    const question: Question = { url: `${url}/calls-${count}`, isWatched };
    return ask<Reading>(child, question);
  };
  return { read, close: () => child.kill() };
}

/** Reads in a new process, because the peak memory of a process never decreases. */
async function readFresh(name: Reader, url: string, count: number) {
  const usual = await openReader(name, url);
  const { peak } = await usual.read(count);
  usual.close();
  const watched = await openReader(name, url, ['--expose-gc']);
  const { inUse } = await watched.read(count, true);
  watched.close();
  return { peak, inUse };
}

async function measureMemory(url: string, name: Reader, { rounds, records }: Effort) {
  const figures: MemoryFigures = { peak: { few: [], many: [] }, inUse: { few: [], many: [] } };
  const lengths: [keyof Growth, count: number][] = [
    ['few', records / 5],
    ['many', records],
  ];
  for (let round = 0; round < rounds; round += 1)
    for (const [length, count] of lengths) {
      const { peak, inUse } = await readFresh(name, url, count);
      figures.peak[length].push(peak);
      figures.inUse[length].push(inUse);
    }
  return figures;
}

async function measureCpu(url: string, { rounds, records }: Effort) {
  const figures: Record<Reader, number[]> = { plain: [], plugin: [] };
  const warm = { plain: await openReader('plain', url), plugin: await openReader('plugin', url) };
  for (const name of readers) await warm[name].read(records);
  for (let round = 0; round < rounds; round += 1)
    for (const name of readers) figures[name].push((await warm[name].read(records)).cpu);
  for (const name of readers) warm[name].close();
  return figures;
}

/**
 * Measures the cost of a long list: CPU time in warm processes, and memory in new ones, for the list and for a fifth of it.
 *
 * @param url the service's URL
 */
export async function measurePages(url: string, effort: Effort): Promise<PageFigures> {
  return {
    cpu: await measureCpu(url, effort),
    plugin: await measureMemory(url, 'plugin', effort),
    plain: await measureMemory(url, 'plain', effort),
  };
}
