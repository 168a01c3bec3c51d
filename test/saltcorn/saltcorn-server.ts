import { needs, skipWithout } from '../support/needs.ts';
import { type BuilderServer, serveBuilder } from '../support/serve-builder.ts';

skipWithout(needs.saltcorn);

export type SaltcornServer = BuilderServer;

export const admin = { email: 'admin@example.com', password: 'Not-a-real-1-password' };

/** What a Saltcorn has from the start: nothing of ours, unless it is said here. */
export interface SaltcornContents {
  /** Folder of the plugin. */
  plugin?: string;
  /** File of a pack. */
  pack?: string;
  /** The inbox of the demo: the file of its pack, the sandbox that lets SMS come in, and the port at which it reports them. */
  inbox?: { pack: string; sandbox: string; port: number };
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
export function startSaltcornServer({
  plugin,
  pack,
  inbox,
  customers,
  configuration = {},
  database,
  workers = 1,
  preload,
}: SaltcornContents = {}): Promise<SaltcornServer> {
  const args = ['--admin', admin.email];
  if (plugin) args.push('--plugin', plugin);
  if (pack) args.push('--pack', pack);
  if (inbox) args.push('--pack', inbox.pack, '--sandbox', inbox.sandbox, '--port', `${inbox.port}`);
  if (customers) args.push('--customers', customers);
  if (database) args.push('--database', database);
  args.push('--workers', String(workers));
  return serveBuilder('saltcorn', args, {
    ADMIN_PASSWORD: admin.password,
    NODE_OPTIONS: preload ? `--import ${preload}` : '',
    PLUGIN_CONFIGURATION: JSON.stringify(configuration),
  });
}
