import db from '@saltcorn/data/db';
import {
  definitions,
  type NewEntry,
  type Store,
  type StoreRow,
  storeEntry,
  storeHash,
  storeIndex,
  storeRow,
} from '../../src/builder.ts';
import { queryOwn, tableOf } from './own-table.ts';
import type { Row } from './where/where.ts';

const table = () => `${db.getTenantSchemaPrefix()}"${definitions.manifest.id}_store"`;

/** Rows per insert statement, because databases limit the number of values. */
const rowsPerInsert = 500;

const columns = ['id', 'kind', 'index', 'body', 'version', 'at'] as const;

const entryOf = (row: Row | undefined) => row && storeEntry(row as unknown as StoreRow);

/** Inserts the rows whose ids don't exist. Resolves to the number of inserted rows. */
async function insertRows(rows: StoreRow[]): Promise<number> {
  const places = rows.map(
    (_, row) => `(${columns.map((_, column) => `$${row * columns.length + column + 1}`)})`,
  );
  const inserted = await queryOwn(
    `insert into ${table()} (id, kind, find_by, body, version, at) values ${places}
      on conflict do nothing returning id`,
    rows.flatMap((row) => columns.map((column) => row[column])),
  );
  return inserted.length;
}

/** Inserts entries that earlier versions stored elsewhere. Existing entries stay. */
export async function insertEarlier(
  entries: [kind: string, entry: NewEntry, at: number][],
): Promise<void> {
  const rows = entries.map(([kind, entry, at]) => storeRow(kind, entry, at));
  while (rows.length > 0) await insertRows(rows.splice(0, rowsPerInsert));
}

/**
 * A store in a table of the tenant's database. Each statement runs by itself, outside of the request's transaction.
 *
 * @param migrate runs once the table exists, before the first read
 */
export function saltcornStore(migrate: () => Promise<void>): Store {
  async function createTable() {
    await queryOwn(`create table if not exists ${table()} (
      id text primary key, kind text not null, find_by text not null, body text not null,
      version text not null, at bigint not null)`);
    const index = `"${definitions.manifest.id}_store`;
    await queryOwn(`create index if not exists ${index}_find_by" on ${table()} (find_by)`);
    await queryOwn(`create index if not exists ${index}_kind" on ${table()} (kind, at)`);
    await migrate();
  }
  const hasTable = tableOf(createTable);

  async function query(sql: string, values: unknown[]): Promise<Row[]> {
    await hasTable();
    return queryOwn(sql, values);
  }

  return {
    async get(kind, key) {
      const [row] = await query(`select * from ${table()} where id = $1`, [storeHash(kind, key)]);
      return entryOf(row);
    },
    async insert(kind, entry) {
      await hasTable();
      return (await insertRows([storeRow(kind, entry)])) > 0;
    },
    async swap(kind, read, value) {
      const { id, body, version, at } = storeRow(kind, { ...read, value });
      const swapped = await query(
        `update ${table()} set body = $1, version = $2, at = $3 where id = $4 and version = $5
          returning id`,
        [body, version, at, id, read.version],
      );
      return swapped.length > 0;
    },
    async find(kind, index) {
      const rows = await query(`select * from ${table()} where find_by = $1`, [
        storeIndex(kind, index),
      ]);
      return rows.map((row) => storeEntry(row as unknown as StoreRow));
    },
    async expire(kind, before) {
      await query(`delete from ${table()} where kind = $1 and at < $2`, [storeHash(kind), before]);
    },
  };
}
