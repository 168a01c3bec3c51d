import { needs, skipWithout } from '../support/needs.ts';
import { type BuilderServer, serveBuilder } from '../support/serve-builder.ts';

skipWithout(needs.saltcorn);

export type SaltcornServer = BuilderServer;

export const admin = { email: 'admin@example.com', password: 'Not-a-real-1-password' };

/** The initial contents of a Saltcorn. */
export interface SaltcornContents {
  /** The folder of the plugin. */
  plugin?: string;
  /** The file of a pack. */
  pack?: string;
  /** The inbox of the demo: the file of its pack, the sandbox that receives SMS, and the port for its webhooks. */
  inbox?: { pack: string; sandbox: string; port: number };
  /** The file with rows for the pack's table of customers. */
  customers?: string;
  /** The plugin's settings. */
  configuration?: object;
  /** The URL of a PostgreSQL database, instead of SQLite. */
  database?: string;
  /** The number of processes that serve pages. */
  workers?: number;
  /** A script that every process loads first. */
  preload?: string;
}

/** Starts a new Saltcorn in a child process, with one administrator. */
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
