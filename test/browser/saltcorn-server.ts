import { type BuilderServer, serveBuilder } from './serve-builder.ts';

export type SaltcornServer = BuilderServer;

export const admin = { email: 'admin@example.com', password: 'Not-a-real-1-password' };

/** What a Saltcorn has from the start: nothing of ours, unless it is said here. */
export interface SaltcornContents {
  /** Folder of the plugin. */
  plugin?: string;
  /** File of a pack. */
  pack?: string;
  /** The plugin's settings. */
  configuration?: object;
}

/** Starts a fresh Saltcorn in a process of its own, with one administrator. */
export function startSaltcornServer({
  plugin,
  pack,
  configuration = {},
}: SaltcornContents = {}): Promise<SaltcornServer> {
  const args = ['--admin', admin.email];
  if (plugin) args.push('--plugin', plugin);
  if (pack) args.push('--pack', pack);
  return serveBuilder('saltcorn', args, {
    ADMIN_PASSWORD: admin.password,
    PLUGIN_CONFIGURATION: JSON.stringify(configuration),
  });
}
