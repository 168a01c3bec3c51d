import { sep } from 'node:path';

/** State that a worker keeps from one test file to the next; see `builder-environment.mjs`. */
export interface BuilderWorker {
  /** A folder that is removed when the worker ends. */
  folder: string;
  /** Node's own `require`, which loads the builder. */
  require: NodeJS.Require;
  process: NodeJS.Process;
  global: typeof globalThis;
  /** Whether the last test failed. */
  hasFailed?: boolean;
  /** The running builder, and the environment in which it was loaded. */
  loaded?: { environment: object; close(): Promise<void> };
}

export const { worker } = globalThis as unknown as { worker: BuilderWorker };

/** Removes the modules of a folder from the cache, so that they are loaded again. */
export function unload(folder: string): void {
  const { cache } = worker.require;
  for (const file of Object.keys(cache)) if (file.startsWith(folder + sep)) delete cache[file];
}
