import module from 'node:module';
import { join, resolve } from 'node:path';
import { fileStore } from '../plugin/node-red/store.ts';
import { type LogStore, memoryStore, rowStore } from '../src/builder.ts';
import { openSqliteStore } from '../src/store/sqlite-store.ts';

/** A store in a table of PostgreSQL. */
async function postgresqlStore(connectionString: string): Promise<LogStore> {
  const { Pool } = module.createRequire(resolve('demo/saltcorn/package.json'))('pg');
  const pool = new Pool({ connectionString });
  const query = async (text: string, values: unknown[] = []) => pool.query(text, values);
  // Two processes that create it at the same moment would fail without the lock.
  await query(`begin; select pg_advisory_xact_lock(1);
    create table if not exists entries (id text primary key, kind text not null,
      find_by text not null, body text not null, version text not null, at bigint not null);
    create index if not exists entries_find_by on entries (find_by); commit`);
  return rowStore({
    get: async (id) => (await query('select * from entries where id = $1', [id])).rows[0],
    async insert({ id, kind, findBy, body, version, at }) {
      const inserted = await query(
        'insert into entries values ($1, $2, $3, $4, $5, $6) on conflict do nothing',
        [id, kind, findBy, body, version, at],
      );
      return inserted.rowCount > 0;
    },
    async swap({ id, body, version, at }, read) {
      const swapped = await query(
        'update entries set body = $1, version = $2, at = $3 where id = $4 and version = $5',
        [body, version, at, id, read],
      );
      return swapped.rowCount > 0;
    },
    find: async (findBy) =>
      (await query('select * from entries where find_by = $1', [findBy])).rows,
    async clear(findBy) {
      await query('delete from entries where find_by = $1', [findBy]);
    },
    async expire(kind, before) {
      await query('delete from entries where kind = $1 and at < $2', [kind, before]);
    },
  });
}

export const report = (fault: unknown) => {
  throw fault;
};

const stores: Record<string, (place: string) => LogStore | Promise<LogStore>> = {
  memory: () => memoryStore(Number.POSITIVE_INFINITY),
  'Node-RED': (folder) =>
    fileStore(join(folder, 'batches.jsonl'), {
      ...{ warn: report, damaged: report, rejects: true },
      most: Number.POSITIVE_INFINITY,
    }),
  SQLite: (folder) => openSqliteStore(join(folder, 'sqlite/store.sqlite')),
  PostgreSQL: postgresqlStore,
};

/**
 * Opens a store.
 *
 * @param name `memory`, `Node-RED`, `SQLite` or `PostgreSQL`
 * @param place a folder, or the URL of a database
 */
export async function openStore(name: string, place: string): Promise<LogStore> {
  const open = stores[name];
  if (!open) throw new Error(`There is no store "${name}".`);
  return open(place);
}
