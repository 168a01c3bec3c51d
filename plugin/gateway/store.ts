import { resolve } from 'node:path';
import { DatabaseError, Pool, type QueryResultRow } from 'pg';
import {
  definitions,
  type LogStore,
  openSqliteStore,
  rowStore,
  TelephonyError,
} from '../../src/builder.ts';
import type { GatewaySettings } from './settings.ts';

/** A store, and how to close it. */
export interface OpenStore {
  store: LogStore;
  close(): Promise<void>;
}

const table = `${definitions.manifest.id}_store`;

/**
 * Creates the table, in the transaction that PostgreSQL makes of several statements. Two processes that create the same table at the same
 * moment fail, even with `if not exists`: the lock makes one wait.
 */
const creation = `select pg_advisory_xact_lock(hashtext('${table}'));
  create table if not exists ${table} (id text primary key, kind text not null, find_by text not null,
    body text not null, version text not null, at bigint not null);
  create index if not exists ${table}_find_by on ${table} (find_by);
  create index if not exists ${table}_kind on ${table} (kind, at)`;

/**
 * The codes of a PostgreSQL that is ending, starting, only read because another one took over, too busy, or has no free connection. It reports
 * no error of its own if it can't be reached.
 */
const awayCodes = /^(08|40|57|25006|53300)/;

/** The codes of a statement that met another one. All of it is undone, unlike with 40003, so that it can run again. */
const undoneCodes = /^40(001|P01)$/;
const attempts = 3;

/** How long a statement may take, in milliseconds. Without it, one on a connection that is cut without a word never ends. */
const statementMs = 10_000;

/** Returns the error of a database that is away, or that refuses something. Its own message could have values. */
function problemOf(error: unknown): TelephonyError {
  const { code = 'no connection' } = error as NodeJS.ErrnoException;
  if (error instanceof DatabaseError && !awayCodes.test(code))
    return new TelephonyError(
      'settings',
      `The gateway's database refuses to work (${code}). Whoever runs the gateway must repair it, or its address in the settings. Then repeat the request, an action with the same key.`,
      { field: 'databaseUrl' },
    );
  return new TelephonyError(
    'unavailable',
    `The gateway can't use its database (${code}). Repeat the request in a moment, an action with the same key.`,
    { retryAfter: 5 },
  );
}

/** Opens a store in a table of a PostgreSQL, which any number of processes share. The first verb connects and creates the table. */
function openPostgresStore(url: string): OpenStore {
  const pool = new Pool({
    connectionString: url,
    connectionTimeoutMillis: 10_000,
    query_timeout: statementMs,
    max: 10,
  });
  // A connection that breaks while it is idle isn't an error of any verb. The next one opens another.
  pool.on('error', () => {});
  let created: Promise<unknown> | undefined;

  function create() {
    created ??= pool.query(creation).catch((error) => {
      created = undefined;
      throw error;
    });
    return created;
  }

  async function query<Row extends QueryResultRow>(sql: string, values: unknown[]) {
    for (let left = attempts; ; ) {
      try {
        await create();
        const { rows, rowCount } = await pool.query<Row>(sql, values);
        return { rows, count: rowCount ?? 0 };
      } catch (error) {
        left -= 1;
        const { code = '' } = error as NodeJS.ErrnoException;
        if (left === 0 || !undoneCodes.test(code)) throw problemOf(error);
      }
    }
  }

  const store = rowStore({
    get: async (id) => (await query(`select * from ${table} where id = $1`, [id])).rows[0],
    async insert({ id, kind, findBy, body, version, at }) {
      const { count } = await query(
        `insert into ${table} (id, kind, find_by, body, version, at) values ($1, $2, $3, $4, $5, $6)
          on conflict do nothing`,
        [id, kind, findBy, body, version, at],
      );
      return count > 0;
    },
    async swap({ id, body, version, at }, read) {
      const { count } = await query(
        `update ${table} set body = $1, version = $2, at = $3 where id = $4 and version = $5`,
        [body, version, at, id, read],
      );
      return count > 0;
    },
    find: async (findBy) =>
      (await query(`select * from ${table} where find_by = $1`, [findBy])).rows,
    async clear(findBy) {
      await query(`delete from ${table} where find_by = $1`, [findBy]);
    },
    async expire(kind, before) {
      await query(`delete from ${table} where kind = $1 and at < $2`, [kind, before]);
    },
  });
  return { store, close: () => pool.end() };
}

/** Opens the store in the settings: a PostgreSQL if they have one, else a file of SQLite. Neither connects before its first use. */
export const openStore = ({
  databaseUrl,
  databaseFile,
}: Pick<GatewaySettings, 'databaseUrl' | 'databaseFile'>): OpenStore =>
  databaseUrl
    ? openPostgresStore(databaseUrl)
    : { store: openSqliteStore(resolve(databaseFile)), close: async () => {} };
