/**
 * Runs a batch of rows in its own process: `batch-runner <store> <rows> <folder or URL>`. Reports to its parent what that cost.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileStore } from '../plugin/node-red/store.ts';
import {
  type Action,
  Batches,
  connect,
  definitions,
  type LogStore,
  memoryStore,
  planRow,
  rowStore,
} from '../src/builder.ts';
import { openSqliteStore } from '../src/store/sqlite-store.ts';
import type { BatchFigures } from './batches.ts';
import { account, sms } from './records.ts';

/** A store in a table of PostgreSQL. */
async function postgresqlStore(connectionString: string): Promise<LogStore> {
  const { Pool } = createRequire(join(import.meta.dirname, '../demo/saltcorn/package.json'))('pg');
  const pool = new Pool({ connectionString });
  const query = async (text: string, values: unknown[] = []) => pool.query(text, values);
  await query(`create table if not exists entries (id text primary key, kind text not null,
    find_by text not null, body text not null, version text not null, at bigint not null)`);
  await query('create index if not exists entries_find_by on entries (find_by)');
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

const report = (fault: unknown) => {
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

const [name = '', count = '', place = ''] = process.argv.slice(2);
const [action] = definitions.actions.filter(({ id }) => id === 'send-sms') as [Action];
const open = stores[name];
if (!open) throw new Error(`There is no store "${name}".`);
const store = await open(place);

let written = 0;
const counting: LogStore = {
  ...store,
  insert(kind, entry) {
    written += JSON.stringify(entry).length;
    return store.insert(kind, entry);
  },
  swap(kind, entry, value) {
    written += JSON.stringify({ ...entry, value }).length;
    return store.swap(kind, entry, value);
  },
};

/** An account that answers at once, so that only the batch is measured. */
function fastAccount() {
  let sent = 0;
  return connect({
    ...account,
    async http() {
      sent += 1;
      const body = JSON.stringify({ sid: `SM${String(sent).padStart(32, '0')}` });
      return {
        status: 201,
        headers: { date: new Date().toUTCString() },
        body: (async function* () {
          yield Buffer.from(body);
        })(),
      };
    },
  });
}

process.on('message', async () => {
  const items = Array.from({ length: Number(count) }, (_, index) =>
    planRow(action, {
      ...{ row: ['People', index], name: `Person ${index}`, filled: ['to'] },
      input: () => ({ ...sms, to: `+1202${5_000_000 + index}` }),
    }),
  );
  const size = JSON.stringify(items).length;
  const batches = new Batches<undefined>(counting);
  // A scope of its own: it continues no batch of another size.
  const press = {
    owner: 'Ada',
    actionId: action.id,
    scope: count,
    button: 'B',
    context: undefined,
  };
  const { key } = await batches.openPreview(press, { items });
  const telephony = fastAccount();
  written = 0;
  const used = process.cpuUsage();
  const began = performance.now();
  await new Promise<void>((resolve) => {
    const ended = resolve;
    void batches.start(key, 'Ada', {
      ...{ action, open: async () => telephony, report, ended },
    });
  });
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(used);
  const outcomes = (await batches.find(key, 'Ada'))?.items.map(({ outcome }) => outcome) ?? [];
  if (outcomes.some((outcome) => outcome !== 'done')) throw new Error('Some rows were not sent.');
  const figures: BatchFigures = {
    written: written / size,
    cpu: (user + system) / items.length,
    perSecond: items.length / seconds,
    memory: process.resourceUsage().maxRSS / 1024,
  };
  process.send?.(figures);
});
process.once('disconnect', () => process.exit());
process.send?.({ ready: true });
