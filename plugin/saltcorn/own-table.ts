/** What the module keeps in tables of its own, one in each tenant. */
import db from '@saltcorn/data/db';
import { patiently } from './metadata.ts';
import type { Row } from './where/where.ts';

/** Of each table in which tenants it is there. */
const known: Map<string, Promise<void>>[] = [];

/** Runs a statement, whose values are `$1` and so on. */
export async function query(sql: string, values: unknown[] = []): Promise<Row[]> {
  const text = db.isSQLite ? sql.replace(/\$(\d)/g, '?$1') : sql;
  try {
    const { rows } = await patiently(() => db.query(text, values));
    return rows;
  } catch (error) {
    // The table may have been removed, as with a tenant that another one is then named like.
    for (const tenants of known) tenants.delete(db.getTenantSchema());
    throw error;
  }
}

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
