/** What the module keeps in tables of its own, one in each tenant. */
import db from '@saltcorn/data/db';
import { patiently } from './metadata.ts';
import { queryApart } from './transaction.ts';
import type { Row } from './where/where.ts';

/** Of each table in which tenants it is there. */
const known: Map<string, Promise<void>>[] = [];

const numbered = (sql: string) => (db.isSQLite ? sql.replace(/\$(\d)/g, '?$1') : sql);

async function run(work: () => Promise<Row[]>): Promise<Row[]> {
  try {
    return await work();
  } catch (error) {
    // The table may have been removed, as with a tenant that another one is then named like.
    for (const tenants of known) tenants.delete(db.getTenantSchema());
    throw error;
  }
}

/** Runs a statement, whose values are `$1` and so on. */
export const query = (sql: string, values: unknown[] = []): Promise<Row[]> =>
  run(async () => (await patiently(() => db.query(numbered(sql), values))).rows);

/** Runs a statement as `query` does, but outside of the transaction that the code runs in. */
export const queryOwn = (sql: string, values: unknown[] = []): Promise<Row[]> =>
  run(() => queryApart(numbered(sql), values));

/**
 * Makes a table of the tenant where there is none. Two workers may do so at once, and one of them in vain.
 *
 * @param create makes it, unless it is there
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
