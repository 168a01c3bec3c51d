import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { skipWithout } from '../support/needs.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const [major = 0] = process.versions.node.split('.').map(Number);
skipWithout({
  name: 'Node 22, which Budibase needs',
  path: major >= 22 ? process.execPath : undefined,
  advice: 'Run the tests with Node 22 or newer.',
});

/** Packages of Budibase. */
export const load = createRequire(join(__dirname, 'tools/package.json'));

interface Job {
  plugin: string;
  settings: object | undefined;
  /** A kind of query, or `testConnection`. */
  kind: string;
  query: object;
}

interface Workers {
  execute(job: Job, done: (error: Error | null, rows: unknown) => void): void;
}

/** The processes in which Budibase runs queries. If one ends, another one runs its queries again. */
export interface Farm {
  run(job: Job): Promise<unknown>;
  children: ChildProcess[];
  /** Where the processes store temporary files. */
  folder: string;
}

/** Starts worker processes like Budibase's. They end after the tests. */
export function openFarm(): Farm {
  const workerFarm = load('worker-farm');
  const folder = temporaryFolder('budibase');
  const children: ChildProcess[] = [];
  const workers: Workers = workerFarm(
    {
      ...{ autoStart: true, maxConcurrentWorkers: 2, maxConcurrentCallsPerWorker: 1 },
      workerOptions: { env: { ...process.env, TMPDIR: folder, TEMP: folder } },
      onChild: (child: ChildProcess) => children.push(child),
    },
    join(__dirname, 'worker.cjs'),
    ['execute'],
  );
  closeAfterwards({
    close: async () => {
      const ended = children
        .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
        .map((child) => once(child, 'exit'));
      workerFarm.end(workers);
      await Promise.all(ended);
    },
  });
  return { run: promisify(workers.execute), children, folder };
}
