import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/root.ts';
import { serveBuilder } from '../support/serve-builder.ts';

/** The folder of the built plugin. */
export const builtPlugin = join(root, 'dist/nocobase');

const desk = join(root, 'demo/nocobase/desk.json');
const customers = join(root, 'demo/customers.json');

/** What the prepared home depends on. */
const sources = [
  ...[builtPlugin, desk, customers, join(root, 'demo/nocobase/dist/serve.mjs')],
  join(root, 'demo/nocobase/package-lock.json'),
];

const cache = join(root, 'node_modules/.cache/nocobase-home');

const filesIn = (path: string): string[] =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .sort()
        .flatMap((name) => filesIn(join(path, name)))
    : [path];

function digest(): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesIn)) hash.update(file).update(readFileSync(file));
  return hash.digest('hex').slice(0, 16);
}

/** Waits until no other process holds the lock. The system releases it if this process ends. */
async function lock(file: string): Promise<{ release(): void }> {
  const holder = spawn('flock', [file, 'cat'], { stdio: ['pipe', 'pipe', 'inherit'] });
  holder.stdin.write('locked');
  await once(holder.stdout, 'data');
  return { release: () => holder.stdin.end() };
}

interface Admin {
  email: string;
  password: string;
}

/** Installs NocoBase, the plugin and the demo's desk. */
async function prepare(folder: string, { email, password }: Admin): Promise<void> {
  const args = ['--admin', email, '--plugin', builtPlugin, '--desk', desk];
  const server = await serveBuilder('nocobase', [...args, '--customers', customers], {
    ADMIN_PASSWORD: password,
  });
  // The first start after the installation takes twice as long as others.
  await server.restart('SIGTERM');
  await server.end();
  // The data need not survive a power failure.
  appendFileSync(join(server.home, 'postgresql/data/postgresql.conf'), 'fsync = off\n');
  const unfinished = join(cache, 'unfinished');
  execFileSync('cp', ['--archive', server.home, unfinished]);
  // A relative link, which is right in each copy.
  const { name } = JSON.parse(readFileSync(join(builtPlugin, 'package.json'), 'utf8'));
  const link = join(unfinished, 'node_modules', name);
  rmSync(link);
  symlinkSync(join('../../storage/plugins', name), link);
  renameSync(unfinished, folder);
}

/**
 * The data of a NocoBase with the plugin and the demo's desk, but without an account. It is prepared once for each build of the
 * plugin, because that takes as long as five starts.
 */
export async function preparedHome(admin: Admin): Promise<string> {
  const folder = join(cache, digest());
  mkdirSync(join(cache, '..'), { recursive: true });
  const { release } = await lock(`${cache}.lock`);
  try {
    if (!existsSync(folder)) {
      rmSync(cache, { recursive: true, force: true });
      mkdirSync(cache);
      await prepare(folder, admin);
    }
  } finally {
    release();
  }
  return folder;
}
