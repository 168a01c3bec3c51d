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
 * Starts a PostgreSQL of its own, with an empty database, on loopback only. It ends after the tests it was started for.
 *
 * @returns the URL of the database
 */
export async function startPostgres(): Promise<string> {
  const folder = join(temporaryFolder('postgres'), 'server');
  const port = await freePort();
  // What is written need not outlive the machine.
  const server = await startPostgresql(folder, port, password, ['fsync=off']);
  closeAfterwards({ close: () => endProgram(server) });
  return `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
}
