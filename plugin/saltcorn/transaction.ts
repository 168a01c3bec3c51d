/** Statements and work outside of a transaction that Saltcorn has begun. */
import { setTimeout } from 'node:timers/promises';
import db, { type DatabaseClient } from '@saltcorn/data/db';
import { retryWhileBusy } from './database.ts';
import type { Row } from './where/where.ts';

/** How often to check whether a transaction has ended, in milliseconds. */
const interval = 50;

/** After how long without a statement the module's own connection is closed, in milliseconds. */
const idle = 10_000;

/** The connection of the current transaction. SQLite has one connection for everything. */
const clientOfTransaction = () =>
  db.isSQLite ? undefined : (db.getRequestContext()?.client ?? undefined);

/** Whether Saltcorn has begun a transaction whose changes other connections can't see yet. */
export const isInTransaction = (): boolean => clientOfTransaction() !== undefined;

/** Runs work when the current transaction has ended, outside of it. */
export async function afterTransaction<T>(work: () => Promise<T>): Promise<T> {
  const context = db.getRequestContext();
  const client = clientOfTransaction();
  while (client && context?.client === client) await setTimeout(interval);
  return db.runWithTenant(db.getTenantSchema(), work);
}

let connection: Promise<DatabaseClient> | undefined;
let closing: NodeJS.Timeout | undefined;

function close(): void {
  const closed = connection;
  connection = undefined;
  closed?.then((client) => client.end()).catch(() => {});
}

/**
 * A connection outside of Saltcorn's pool. Waiting for the pool within a transaction could wait for transactions that
 * also wait for the pool.
 */
function ownConnection({ constructor: Client, connectionParameters }: DatabaseClient) {
  clearTimeout(closing);
  closing = globalThis.setTimeout(close, idle).unref();
  connection ??= (async () => {
    const client = new Client(connectionParameters);
    client.on('error', close);
    await client.connect();
    return client;
  })();
  connection.catch(close);
  return connection;
}

/** Runs a statement whose effect stays, even if the current transaction is rolled back. */
export async function queryApart(sql: string, values: unknown[]): Promise<Row[]> {
  const client = clientOfTransaction();
  const run = client
    ? async () => (await ownConnection(client)).query(sql, values)
    : () => db.runWithTenant(db.getTenantSchema(), () => db.query(sql, values));
  const { rows } = await retryWhileBusy(run);
  return rows;
}
