import { type ChildProcess, execFileSync } from 'node:child_process';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '../free-port.ts';
import { startProgram } from '../start-program.ts';
import { temporaryFolder } from '../temporary-folder.ts';

// Debian keeps the programs of the server out of the path.
const debian = '/usr/lib/postgresql';
const versions = existsSync(debian) ? readdirSync(debian).sort().reverse() : [];
const folders = [
  ...versions.map((version) => join(debian, version, 'bin')),
  ...(process.env.PATH ?? '').split(delimiter),
];
const programs = folders.find(
  (folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')),
);

if (!programs)
  console.warn(
    'PostgreSQL was not found, so that the tests with several workers are skipped. Install it to run them.',
  );

/** `describe`, or `describe.skip` where there is no PostgreSQL. */
export const describeWithPostgres = programs ? describe : describe.skip;

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
  const program = (name: string) => join(programs ?? '', name);
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
