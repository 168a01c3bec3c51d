import { join } from 'node:path';
import { startPostgresql } from '../../demo/start-postgresql.ts';
import { closeAfterwards } from './close-afterwards.ts';
import { freePort } from './free-port.ts';
import { needs, skipWithout } from './needs.ts';
import { endProgram } from './start-program.ts';
import { temporaryFolder } from './temporary-folder.ts';

skipWithout(needs.postgresql);

const password = 'not-a-real-password';

/**
 * Starts a PostgreSQL with an empty database, on loopback only. It ends after its tests.
 *
 * @returns the URL of the database
 */
export async function startPostgres(): Promise<string> {
  const folder = join(temporaryFolder('postgres'), 'server');
  const port = await freePort();
  // The data need not survive a power failure.
  const server = await startPostgresql(folder, port, password, ['fsync=off']);
  closeAfterwards({ close: () => endProgram(server) });
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}
