import { type ChildProcess, execFileSync } from 'node:child_process';
import { chownSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-port.ts';
import { needs, skipWithout } from '../needs.ts';
import { startProgram } from '../start-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

skipWithout(needs.postgresql);

/** A user that may run the server, which refuses to be run as root. */
function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

function untilReady(server: ChildProcess): Promise<void> {
  let written = '';
  return new Promise((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text) => {
      written += text;
      if (written.includes('ready to accept connections')) resolve();
    });
    server.once('exit', (code) =>
      reject(new Error(`PostgreSQL ended with ${code} while it started:\n${written}`)),
    );
  });
}

/**
 * Starts a PostgreSQL of its own, with an empty database, on loopback only. It ends after the tests it was started for.
 *
 * @returns the URL of the database
 */
export async function startPostgres(): Promise<string> {
  const folder = temporaryFolder('postgres');
  const user = unprivilegedUser();
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid ?? user.uid);
  const run = { ...user, cwd: folder, env: { LC_ALL: 'C.UTF-8' } };
  const program = (name: string) => join(needs.postgresql.path ?? '', name);
  const data = join(folder, 'data');
  execFileSync(
    program('initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
    { ...run, stdio: 'pipe' },
  );

  const port = await freePort();
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const args = ['-D', data, '-p', String(port), '-F', ...settings];
  const stdio = ['ignore', 'ignore', 'pipe'] as const;
  await untilReady(startProgram(program('postgres'), args, { ...run, stdio: [...stdio] }));
  return `postgres://postgres@127.0.0.1:${port}/postgres`;
}
