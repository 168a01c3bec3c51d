import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPostgresql } from '../demo/find-postgresql.ts';
import { freePort } from '../demo/ports.ts';
import { startPostgresql } from '../demo/start-postgresql.ts';
import { ask, start } from './children.ts';
import type { Effort } from './effort.ts';

/** What a batch cost. */
export interface BatchFigures {
  /** The bytes written to its store, for each byte of its rows. */
  written: number;
  /** Microseconds of CPU for each row. */
  cpu: number;
  /** Rows per second, with a service that answers at once. */
  perSecond: number;
  /** The peak of the process, in MiB. */
  memory: number;
}

/** The figures of a store, by the number of rows. */
export type BatchesFigures = Record<string, Record<number, BatchFigures>>;

const password = 'not-a-real-password';

async function measureStore(name: string, place: string, { batchRows }: Effort) {
  const figures: Record<number, BatchFigures> = {};
  for (const rows of batchRows) {
    const { child } = await start('batch-runner', [name, String(rows), place]);
    figures[rows] = await ask<BatchFigures>(child, {});
    child.kill();
  }
  return figures;
}

/** Measures what batches of different sizes cost in each store that this machine has. */
export async function measureBatches(effort: Effort): Promise<BatchesFigures> {
  const folder = await mkdtemp(join(tmpdir(), 'batches-'));
  const figures: BatchesFigures = {};
  try {
    for (const name of ['memory', 'Node-RED'])
      figures[name] = await measureStore(name, folder, effort);
    if (process.getBuiltinModule?.('node:sqlite'))
      figures.SQLite = await measureStore('SQLite', folder, effort);
    if (findPostgresql()) {
      const port = await freePort();
      const server = await startPostgresql(join(folder, 'postgresql'), port, password);
      const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
      figures.PostgreSQL = await measureStore('PostgreSQL', url, effort);
      const ended = once(server, 'exit');
      server.kill();
      await ended;
    }
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
