import db from '@saltcorn/data/db';
import { type EarlierStoredBatch, entriesOfEarlierBatches } from '../../../src/builder.ts';
import { queryOwn } from '../own-table.ts';
import { insertEarlier } from '../store.ts';
import { type BatchContext, buttonOf } from './batch-context.ts';

const types = ['Telephony run', 'Telephony run stop'];

const table = () => `${db.getTenantSchemaPrefix()}"_sc_metadata"`;

/** Moves the batches of versions before the store. Several workers may do so at once. */
export async function moveEarlierBatches(): Promise<void> {
  const rows = await queryOwn(
    `select name, body, written_at from ${table()} where type = $1`,
    types.slice(0, 1),
  );
  const earlier = rows.flatMap(({ name, body, written_at }): EarlierStoredBatch<BatchContext>[] => {
    const stored = typeof body === 'string' ? JSON.parse(body) : body;
    const { visitor, actionId, button, state, tableName = '', notes, items, startedAt } = stored;
    // Skips previews: another click creates them again.
    if (!startedAt) return [];
    return [
      {
        ...{ key: String(name), owner: visitor, actionId, button: buttonOf(visitor, button) },
        ...{ context: { tableName, columns: notes }, items, isRecorded: notes !== undefined },
        ...{ isRunning: state === 'running', startedAt: Date.parse(startedAt) },
        at: Number(new Date(written_at as string)),
      },
    ];
  });
  await insertEarlier(entriesOfEarlierBatches(earlier));
  await queryOwn(`delete from ${table()} where type in ($1, $2)`, types);
}
