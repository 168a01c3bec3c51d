import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPostgresql, postgresqlAdvice } from './find-postgresql.ts';

/** The user that runs PostgreSQL, which refuses to run as root. */
function unprivilegedUser(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
}

const untilReady = (server: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    let written = '';
    server.stderr?.setEncoding('utf8').on('data', (text) => {
      written = (written + text).slice(-10_000);
      if (written.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', (code) =>
      reject(new Error(`PostgreSQL ended with ${code} while it started:\n${written}`)),
    );
  });

/**
 * Starts a separate PostgreSQL, on loopback only.
 *
 * @param folder the folder with its data; created if missing
 * @param port its port
 * @param password the password of its only user, `postgres`, whose database has the same name
 * @param options further settings of PostgreSQL
 */
export async function startPostgresql(
  folder: string,
  port: number,
  password: string,
  options: string[] = [],
): Promise<ChildProcess> {
  const programs = findPostgresql();
  if (!programs) throw new Error(`PostgreSQL is not installed. ${postgresqlAdvice}`);
  const data = join(folder, 'data');
  const user = unprivilegedUser();
  const run = { ...user, cwd: folder, env: { LC_ALL: 'C.UTF-8' } };
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (user.uid !== undefined) {
    chownSync(folder, user.uid, user.gid ?? user.uid);
    // Its user needs to pass through the folder, but not to list it.
    chmodSync(dirname(folder), 0o711);
  }
  if (!existsSync(join(data, 'PG_VERSION'))) {
    const file = join(folder, 'password');
    writeFileSync(file, password, { mode: 0o600 });
    if (user.uid !== undefined) chownSync(file, user.uid, user.gid ?? user.uid);
    const access = ['--auth=scram-sha-256', `--pwfile=${file}`, '--encoding=UTF8', '--no-sync'];
    execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', ...access], {
      ...run,
      stdio: 'pipe',
    });
    rmSync(file);
  }
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...options];
  const args = ['-D', data, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  const server = spawn(join(programs, 'postgres'), args, {
    ...run,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilReady(server);
  return server;
}
