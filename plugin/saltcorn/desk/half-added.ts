/**
 * Removes what a failed or killed installation of telephony pages left on SQLite, on which Saltcorn has no transactions. An entry in the
 * store says that they are being added, so that what is left can be distinguished from what users made.
 */
import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import Page from '@saltcorn/data/models/page';
import Table from '@saltcorn/data/models/table';
import Trigger from '@saltcorn/data/models/trigger';
import View from '@saltcorn/data/models/view';
import { store } from '../tenant-store.ts';
import type { Pack } from './taken-names.ts';

const kind = 'desk';
const key = 'parts';

async function note(value: 'adding' | 'complete'): Promise<void> {
  const entry = await store.get(kind, key);
  await (entry ? store.swap(kind, entry, value) : store.insert(kind, { key, value }));
}

/** Whether an installation neither completed nor was undone. */
export const isHalfAdded = async (): Promise<boolean> =>
  db.isSQLite && (await store.get(kind, key))?.value === 'adding';

/** Removes a table. Keeps one in which users have entered rows. */
async function removeTable({ name, provider_name }: Pack['tables'][number]): Promise<void> {
  const table = Table.findOne({ name });
  if (table && !provider_name && (await table.countRows({})) > 0) return;
  await table?.delete();
  // Saltcorn creates a table before it notes that it has it.
  if (!provider_name) await db.query(`drop table if exists "${db.sqlsanitize(name)}"`, []);
}

/** Removes the parts of the pack. */
async function removeParts({ pages, views, triggers, tables }: Pack): Promise<void> {
  await getState().refresh(true);
  for (const { name } of pages) await Page.findOne({ name })?.delete();
  for (const { name } of views) await View.findOne({ name })?.delete();
  for (const { name } of triggers)
    for (const trigger of await Trigger.findDB({ name })) await trigger.delete();
  for (const table of tables) await removeTable(table);
}

/** Removes what an earlier installation left. */
export async function removeHalfAdded(pack: Pack): Promise<void> {
  if (!(await isHalfAdded())) return;
  await removeParts(pack);
  await note('complete');
}

/** Adds all parts of a pack or none. Throws if Saltcorn fails; what it could not undo is removed next time. */
export async function addAll(pack: Pack, add: () => Promise<void>): Promise<void> {
  if (!db.isSQLite) return db.withTransaction(add);
  await note('adding');
  await add().catch(async (error) => {
    await removeHalfAdded(pack);
    throw error;
  });
  await note('complete');
}
