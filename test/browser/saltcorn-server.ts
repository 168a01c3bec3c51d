import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const program = resolve(__dirname, '../../demo/saltcorn/serve.cjs');

export const admin = { email: 'admin@example.com', password: 'Not-a-real-1-password' };

export interface SaltcornServer {
  url: string;
  /** All that it printed. */
  written(): string;
  close(): Promise<void>;
}

function firstMessage(child: ChildProcess, printed: () => string): Promise<{ url: string }> {
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as { url: string }));
    child.once('exit', (code) => reject(new Error(`Saltcorn ended with ${code}:\n${printed()}`)));
  });
}

/** What a Saltcorn has from the start: nothing of ours, unless it is said here. */
export interface SaltcornContents {
  /** Folder of the plugin. */
  plugin?: string;
  /** File of a pack. */
  pack?: string;
  /** File of rows for the pack's table of customers. */
  customers?: string;
  /** The plugin's settings. */
  configuration?: object;
  /** The URL of a PostgreSQL, instead of SQLite. */
  database?: string;
  /** How many processes serve pages. */
  workers?: number;
  /** A script that every process loads first. */
  preload?: string;
}

/** Starts a fresh Saltcorn in a process of its own, with one administrator. */
export async function startSaltcornServer({
  plugin,
  pack,
  customers,
  configuration = {},
  database,
  workers = 1,
  preload,
}: SaltcornContents = {}): Promise<SaltcornServer> {
  const home = mkdtempSync(join(tmpdir(), 'telephony-saltcorn-'));
  const args = ['--home', home, '--admin', admin.email];
  if (plugin) args.push('--plugin', plugin);
  if (pack) args.push('--pack', pack);
  if (customers) args.push('--customers', customers);
  if (database) args.push('--database', database);
  args.push('--workers', String(workers));
  const child = spawn(process.execPath, [program, ...args], {
    env: {
      ...process.env,
      ADMIN_PASSWORD: admin.password,
      NODE_OPTIONS: preload ? `--require ${preload}` : '',
      PLUGIN_CONFIGURATION: JSON.stringify(configuration),
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text) => output.push(text));

  const { url } = await firstMessage(child, () => output.join(''));
  return {
    url,
    written: () => output.join(''),
    close: async () => {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
      rmSync(home, { recursive: true, force: true });
    },
  };
}
