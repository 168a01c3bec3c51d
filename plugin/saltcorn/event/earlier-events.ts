import db from '@saltcorn/data/db';
import {
  definitions,
  type EarlierEntry,
  entriesOfEarlierDeliveries,
  entriesOfEarlierPoll,
} from '../../../src/builder.ts';
import { queryOwn } from '../own-table.ts';
import { insertEarlier } from '../store.ts';
import type { Row } from '../where/where.ts';

async function hasTable(name: string): Promise<boolean> {
  const found = db.isSQLite
    ? await queryOwn(`select 1 from sqlite_master where type = 'table' and name = $1`, [name])
    : await queryOwn(
        'select 1 from information_schema.tables where table_schema = $1 and table_name = $2',
        [db.getTenantSchema(), name],
      );
  return found.length > 0;
}

/** Moves a table of versions before the store. Several workers may do so at once. */
async function move(kind: string, entriesOf: (rows: Row[]) => EarlierEntry[]): Promise<void> {
  const name = `${definitions.manifest.id}_${kind}`;
  if (!(await hasTable(name))) return;
  const table = `${db.getTenantSchemaPrefix()}"${name}"`;
  await insertEarlier(entriesOf(await queryOwn(`select * from ${table}`)));
  await queryOwn(`drop table if exists ${table}`);
}

const earlierDeliveries = (rows: Row[]): EarlierEntry[] =>
  entriesOfEarlierDeliveries(
    rows.map(({ key, signature, subject, step, is_told, teller, at }) => ({
      ...{ key: String(key), signature: String(signature), subject: String(subject) },
      ...{ step: Number(step), at: Number(at), ...(!is_told && { by: String(teller) }) },
    })),
  );

const earlierPolls = (rows: Row[]): EarlierEntry[] =>
  rows.flatMap(({ so_far, begun_at, answered_at, problem }) =>
    entriesOfEarlierPoll({
      ...{ cursor: String(so_far), problem: String(problem) },
      ...{ begunAt: Number(begun_at), answeredAt: Number(answered_at) },
    }),
  );

/** Moves the deliveries and the polling state of versions before the store. */
export async function moveEarlierEvents(): Promise<void> {
  await move('told_events', earlierDeliveries);
  await move('polled_events', earlierPolls);
}
