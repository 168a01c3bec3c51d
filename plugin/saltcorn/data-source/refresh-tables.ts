import { getState } from '@saltcorn/data/db/state';
import { dataSourceOf } from './provider-name.ts';

/**
 * Restores the columns of tables after the module was removed and installed again. Without a provider, Saltcorn keeps a
 * table without columns, and doesn't read them when the provider returns.
 */
export async function refreshTables(): Promise<void> {
  const state = getState();
  const isWithoutColumns = state.tables.some(
    ({ provider_name, fields }) => dataSourceOf(provider_name) && !fields?.length,
  );
  if (isWithoutColumns) await state.refresh_tables(true);
}
