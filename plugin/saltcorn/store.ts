import db from '@saltcorn/data/db';
import { definitions, type LogStore, rowStore, type StoreRow } from '../../src/builder.ts';
import { queryOwn, tableOf } from './own-table.ts';
import type { Row } from './where/where.ts';

const tableOfTenant = () => `${db.getTenantSchemaPrefix()}"${definitions.manifest.id}_store"`;

/** The name of the table that all tenants share. */
export const tableOfAll = (): string => {
  const schema = db.isSQLite ? '' : `"${db.connectObj.default_schema}".`;
  return `${schema}"${definitions.manifest.id}_store"`;
};

const columns = ['id', 'kind', 'findBy', 'body', 'version', 'at'] as const;

/** Inserts the rows whose ids don't exist. Resolves to the number of inserted rows. */
async function insertRows(rows: StoreRow[], table: string): Promise<number> {
  const places = rows.map(
    (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`)})`,
  );
  const inserted = await queryOwn(
    `insert into ${table} (id, kind, find_by, body, version, at) values ${places}
      on conflict do nothing returning id`,
    rows.flatMap((row) => columns.map((column) => row[column])),
  );
  return inserted.length;
}

/**
 * A store in a table of the database, the tenant's unless it is named. Each statement runs by itself, outside of the request's transaction.
 *
 * @param table returns its name
 */
export function saltcornStore(table = tableOfTenant): LogStore {
  async function createTable() {
    await queryOwn(`create table if not exists ${table()} (
      id text primary key, kind text not null, find_by text not null, body text not null,
      version text not null, at bigint not null)`);
    const index = `"${definitions.manifest.id}_store`;
    await queryOwn(`create index if not exists ${index}_find_by" on ${table()} (find_by)`);
    await queryOwn(`create index if not exists ${index}_kind" on ${table()} (kind, at)`);
  }
  const hasTable = tableOf(createTable);

  async function query(sql: string, values: unknown[]): Promise<Row[]> {
    await hasTable();
    return queryOwn(sql, values);
  }

  return rowStore({
    get: async (id) => (await query(`select * from ${table()} where id = $1`, [id]))[0],
    async insert(row) {
      await hasTable();
      return (await insertRows([row], table())) > 0;
    },
    async swap({ id, body, version, at }, read) {
      const swapped = await query(
        `update ${table()} set body = $1, version = $2, at = $3 where id = $4 and version = $5
          returning id`,
        [body, version, at, id, read],
      );
      return swapped.length > 0;
    },
    find: (findBy) => query(`select * from ${table()} where find_by = $1`, [findBy]),
    async clear(findBy) {
      await query(`delete from ${table()} where find_by = $1`, [findBy]);
    },
    async expire(kind, before) {
      await query(`delete from ${table()} where kind = $1 and at < $2`, [kind, before]);
    },
  });
}
