/** Manages the module's own tables, one of each per tenant. */
import db from '@saltcorn/data/db';
import { retryWhileBusy } from './database.ts';
import { queryApart } from './transaction.ts';
import type { Row } from './where/where.ts';

/** For each table, the tenants in which it exists. */
const known: Map<string, Promise<void>>[] = [];

const numbered = (sql: string) => (db.isSQLite ? sql.replace(/\$(\d)/g, '?$1') : sql);

async function run(work: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await work();
  } catch (error) {
    // The table may have been removed, for example with a tenant whose name another one has taken.
    for (const tenants of known) tenants.delete(db.getTenantSchema());
    throw error;
  }
}

/** Runs a statement with the values `$1` and so on. */
export const query = (sql: string, values: unknown[] = []): Promise<Row[]> =>
  run(async () => (await retryWhileBusy(() => db.query(numbered(sql), values))).rows);

/** Runs a statement like `query`, but outside of the current transaction. */
export const queryOwn = (sql: string, values: unknown[] = []): Promise<Row[]> =>
  run(() => queryApart(numbered(sql), values));

/**
 * Creates a table in the tenant if there is none. If two workers do so at once, one of them may fail, and retries.
 *
 * @param create creates the table, unless it exists
 */
export function tableOf(create: () => Promise<void>): () => Promise<void> {
  const tables = new Map<string, Promise<void>>();
  known.push(tables);
  return () => {
    const tenant = db.getTenantSchema();
    const made = tables.get(tenant) ?? create().catch(create);
    tables.set(tenant, made);
    made.catch(() => tables.delete(tenant));
    return made;
  };
}
