import { openStore } from '../../plugin/gateway/store.ts';
import { keepsLogs } from '../stores/keeps-entries.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { databaseFile } from './open-gateway.ts';

/** Opens a store like another process would. */
function open(settings: { databaseUrl: string; databaseFile: string }) {
  const { store, close } = openStore(settings);
  closeAfterwards({ close });
  return store;
}

describe('the store in a file of SQLite', () => {
  const file = databaseFile();
  keepsLogs(() => open({ databaseUrl: '', databaseFile: file }));
});

describe('the store in PostgreSQL', () => {
  let databaseUrl = '';
  beforeAll(async () => {
    databaseUrl = await startPostgres();
  });
  keepsLogs(() => open({ databaseUrl, databaseFile: '' }));

  test('is created once by processes that start at the same moment', async () => {
    const stores = Array.from({ length: 5 }, () => open({ databaseUrl, databaseFile: '' }));
    const results = await Promise.all(
      stores.map((store, value) => store.insert('start', { key: 'a', value })),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
  });
});
