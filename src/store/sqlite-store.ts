import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { TelephonyError } from '../telephony-error.ts';
import { rowStore } from './row-store.ts';
import { type LogStore, unusableFileText } from './store.ts';

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
  const { uid, mode } = lstatSync(folder);
  // Windows has no such rights: its temporary folders belong to one user.
  if (!process.getuid || (uid === process.getuid() && (mode & 0o077) === 0)) return;
  const isOwn = uid === process.getuid();
  const advice = isOwn ? `Close it to them: chmod 700 ${folder}` : 'Use another one.';
  const sentence = `Nothing was sent: other users can open the folder ${folder}. ${advice}`;
  throw new TelephonyError('settings', sentence);
}

/** The number of a file; undefined if it doesn't exist. */
const fileNumber = (path: string) => statSync(path, { throwIfNoEntry: false })?.ino;

function openDatabase(path: string) {
  createFolder(dirname(path));
  const database = new (databaseClass())(path);
  const close = () => database.close();
  try {
    // No write-ahead log: switching to it fails at once, without waiting, while another process writes. A journal that is truncated can't come
    // back after a power failure, and undo the last writes, as one that is deleted can. Deleted texts are overwritten.
    database.exec(`pragma busy_timeout = 5000; pragma journal_mode = truncate; pragma secure_delete = on;
      create table if not exists entries (id text primary key, kind text not null,
        find_by text not null, body text not null, version text not null, at integer not null);
      create index if not exists entries_find_by on entries (find_by);
      create index if not exists entries_kind on entries (kind, at);`);
    return {
      close,
      exec: (sql: string) => database.exec(sql),
      file: fileNumber(path),
      insert: database.prepare(
        'insert into entries (id, kind, find_by, body, version, at) values (?, ?, ?, ?, ?, ?) on conflict do nothing',
      ),
      swap: database.prepare(
        'update entries set body = ?, version = ?, at = ? where id = ? and version = ?',
      ),
      get: database.prepare('select * from entries where id = ?'),
      find: database.prepare('select * from entries where find_by = ?'),
      clear: database.prepare('delete from entries where find_by = ?'),
      expire: database.prepare('delete from entries where kind = ? and at < ?'),
    };
  } catch (error) {
    close();
    throw error;
  }
}

type Open = ReturnType<typeof openDatabase>;

/** A write that waits for the next transaction. */
interface Write {
  run(open: Open): void;
  done(): void;
  fail(error: unknown): void;
}

/** The results of SQLite that mean that the file isn't a database, or is damaged. */
const damagedCodes = new Set([11, 26]);

function toStoreError(path: string, error: unknown): TelephonyError {
  if (error instanceof TelephonyError) return error;
  const { errcode = 0, errstr, code } = error as NodeJS.ErrnoException & Record<string, never>;
  const advice = damagedCodes.has(errcode & 0xff) ? 'Delete the file' : undefined;
  const text = unusableFileText(path, errstr ?? code, advice);
  return new TelephonyError('unavailable', `Nothing was sent: ${text}`);
}

/**
 * Opens a store in a file, which the processes of a machine share. Only this user can read it. The first verb opens the file. A verb rejects with
 * code `unavailable` if the file can't be used, `settings` if other users can open its folder, or Node is too old; the next one tries again.
 *
 * @param path its path; created if it doesn't exist
 */
export function openSqliteStore(path: string): LogStore {
  let database: Open | undefined;
  let writes: Write[] = [];

  function close() {
    const closed = database;
    database = undefined;
    closed?.close();
  }

  function use<Result>(verb: (open: Open) => Result): Result {
    try {
      // Programs that clean up temporary files can delete it. Other processes then use a new file.
      if (database && fileNumber(path) !== database.file) close();
      database ??= openDatabase(path);
      return verb(database);
    } catch (error) {
      close();
      throw toStoreError(path, error);
    }
  }

  function commit() {
    const group = writes;
    writes = [];
    try {
      use((open) => {
        open.exec('begin immediate');
        for (const { run } of group) run(open);
        open.exec('commit');
      });
    } catch (error) {
      // Closing the database has rolled the transaction back.
      for (const { fail } of group) fail(error);
      return;
    }
    for (const { done } of group) done();
  }

  /**
   * Runs a write, and resolves to how many entries it changed. Writes of the same moment share a transaction, because most of a write's time goes
   * into its way to the disk.
   */
  const write = (change: (open: Open) => { changes: number | bigint }) =>
    new Promise<number>((resolve, fail) => {
      let changed = 0;
      const count = writes.push({
        run: (open) => {
          changed = Number(change(open).changes);
        },
        ...{ done: () => resolve(changed), fail },
      });
      if (count === 1) setImmediate(commit);
    });

  return rowStore({
    get: async (id) => use(({ get }) => get.get(id)),
    insert: async ({ id, kind, findBy, body, version, at }) =>
      (await write(({ insert }) => insert.run(id, kind, findBy, body, version, at))) > 0,
    swap: async ({ id, body, version, at }, read) =>
      (await write(({ swap }) => swap.run(body, version, at, id, read))) > 0,
    find: async (findBy) => use(({ find }) => find.all(findBy)),
    async clear(findBy) {
      await write(({ clear }) => clear.run(findBy));
    },
    async expire(kind, before) {
      await write(({ expire }) => expire.run(kind, before));
    },
  });
}
