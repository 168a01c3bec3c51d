import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { TelephonyError } from '../telephony-error.ts';
import type { Store } from './store.ts';
import { type StoreRow, storeEntry, storeHash, storeIndex, storeRow } from './store-row.ts';

type Row = Pick<StoreRow, 'body' | 'version' | 'at'>;

/** Loaded only when needed: the oldest supported Node doesn't have it. */
function databaseClass() {
  const sqlite = process.getBuiltinModule?.('node:sqlite') as
    | typeof import('node:sqlite')
    | undefined;
  if (sqlite) return sqlite.DatabaseSync;
  throw new TelephonyError('settings', 'Nothing was sent: actions need Node 22.13 or newer.');
}

/** Creates a folder that only this user can open. Where everyone can create folders, someone else could have created it before. */
function createFolder(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  // Windows has no such rights: its temporary folders belong to one user.
  if (!process.getuid || (uid === process.getuid() && (mode & 0o077) === 0)) return;
  const sentence = `Nothing was sent: other users can open the folder ${folder}. Remove it.`;
  throw new TelephonyError('settings', sentence);
}

/**
 * Opens a store in a file, which the processes of a machine share. Only this user can read it.
 *
 * @param path its path; created if it doesn't exist
 * @throws {TelephonyError} with code `settings` if other users can open its folder, or Node is too old
 */
export function openSqliteStore(path: string): Store {
  createFolder(dirname(path));
  const database = new (databaseClass())(path);
  database.exec(`pragma busy_timeout = 5000;
    pragma journal_mode = wal;
    create table if not exists entries (id text primary key, kind text not null,
      find_by text not null, body text not null, version text not null, at integer not null);
    create index if not exists entries_find_by on entries (find_by);
    create index if not exists entries_kind on entries (kind, at);`);
  const insert = database.prepare(
    'insert into entries (id, kind, find_by, body, version, at) values (?, ?, ?, ?, ?, ?) on conflict do nothing',
  );
  const swap = database.prepare(
    'update entries set body = ?, version = ?, at = ? where id = ? and version = ?',
  );
  const get = database.prepare('select * from entries where id = ?');
  const find = database.prepare('select * from entries where find_by = ?');
  const expire = database.prepare('delete from entries where kind = ? and at < ?');
  const entryOf = (row: object) => storeEntry(row as Row);
  return {
    async get(kind, key) {
      const row = get.get(storeHash(kind, key));
      return row && entryOf(row);
    },
    async insert(kind, entry) {
      const row = storeRow(kind, entry);
      const { changes } = insert.run(row.id, row.kind, row.index, row.body, row.version, row.at);
      return Number(changes) > 0;
    },
    async swap(kind, read, value) {
      const { id, body, version, at } = storeRow(kind, { ...read, value });
      return Number(swap.run(body, version, at, id, read.version).changes) > 0;
    },
    async find(kind, index) {
      return find.all(storeIndex(kind, index)).map(entryOf);
    },
    async expire(kind, before) {
      expire.run(storeHash(kind), before);
    },
  };
}
