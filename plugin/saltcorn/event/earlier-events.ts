import db from '@saltcorn/data/db';
import { definitions, entriesOfEarlier } from '../../../src/index.ts';
import { queryOwn } from '../own-table.ts';
import { insertEarlier } from '../store.ts';

const earlierName = `${definitions.manifest.id}_told_events`;
const earlierTable = () => `${db.getTenantSchemaPrefix()}"${earlierName}"`;

async function hasEarlier(): Promise<boolean> {
  const found = db.isSQLite
    ? await queryOwn(`select 1 from sqlite_master where type = 'table' and name = $1`, [
        earlierName,
      ])
    : await queryOwn(
        'select 1 from information_schema.tables where table_schema = $1 and table_name = $2',
        [db.getTenantSchema(), earlierName],
      );
  return found.length > 0;
}

/** Moves what versions before the store have kept. Several workers may do so at once. */
export async function moveEarlierEvents(): Promise<void> {
  if (!(await hasEarlier())) return;
  const rows = await queryOwn(`select * from ${earlierTable()}`);
  const earlier = rows.map(({ key, signature, subject, step, is_told, teller, at }) => ({
    ...{ key: String(key), signature: String(signature), subject: String(subject) },
    ...{ step: Number(step), at: Number(at), ...(!is_told && { by: String(teller) }) },
  }));
  await insertEarlier(entriesOfEarlier(earlier));
  await queryOwn(`drop table if exists ${earlierTable()}`);
}
