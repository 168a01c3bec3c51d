import { resolve } from 'node:path';
import { type LogStore, openSqliteStore } from '../../src/builder.ts';
import { openPostgresStore } from './postgres-store.ts';
import type { GatewaySettings } from './settings.ts';

/** A store, and how to close it. */
export interface OpenStore {
  store: LogStore;
  close(): Promise<void>;
}

/** Opens the store in the settings: a PostgreSQL if they have one, else a file of SQLite. Neither connects before its first use. */
export const openStore = ({
  databaseUrl,
  databaseFile,
}: Pick<GatewaySettings, 'databaseUrl' | 'databaseFile'>): OpenStore =>
  databaseUrl
    ? openPostgresStore(databaseUrl)
    : { store: openSqliteStore(resolve(databaseFile)), close: async () => {} };
