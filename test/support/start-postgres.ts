import { once } from 'node:events';
import { join } from 'node:path';
import { freePort } from '../../demo/ports.ts';
import { startPostgresql } from '../../demo/start-postgresql.ts';
import { closeAfterwards } from './close-afterwards.ts';
import { needs, skipWithout } from './needs.ts';
import { endProgram } from './start-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

skipWithout(needs.postgresql);

const password = 'not-a-real-password';

/** A PostgreSQL that can go away for a while. */
export interface Postgres {
  /** The URL of its database. */
  url: string;
  /** Ends it, and the statements in progress, at once. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** Starts a PostgreSQL with an empty database, on loopback only. It ends after its tests. */
export async function openPostgres(): Promise<Postgres> {
  const folder = join(temporaryFolder('postgres'), 'server');
  const port = await freePort();
  // The data need not survive a power failure.
  const start = () => startPostgresql(folder, port, password, ['fsync=off']);
  let server = await start();
  closeAfterwards({ close: () => endProgram(server) });
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    async stop() {
      const ended = once(server, 'exit');
      server.kill('SIGQUIT');
      await ended;
    },
    async start() {
      server = await start();
    },
  };
}

/** Starts such a PostgreSQL, and returns the URL of its database. */
export const startPostgres = async (): Promise<string> => (await openPostgres()).url;
