import { connect, createServer } from 'node:net';
import { Pool } from 'pg';
import { openStore } from '../../plugin/gateway/store.ts';
import { keepsLogs } from '../stores/keeps-entries.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { startPostgres } from '../support/start-postgres.ts';
import { until } from '../support/until.ts';
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

  test.each(['repeatable read', 'serializable'])(
    'repeats a statement that met another one, with the isolation "%s"',
    async (level) => {
      const option = `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`;
      const options = new URLSearchParams({ options: option });
      const store = open({ databaseUrl: `${databaseUrl}?${options}`, databaseFile: '' });
      for (const key of Array.from({ length: 20 }, (_, index) => String(index))) {
        const inserts = Array.from({ length: 10 }, (_, value) =>
          store.insert(level, { key, value }),
        );
        expect((await Promise.all(inserts)).filter(Boolean)).toHaveLength(1);
      }
    },
  );

  test('says that it is away while another one takes over, and is only read', async () => {
    await open({ databaseUrl, databaseFile: '' }).insert('taken over', { key: 'a', value: 1 });
    const pool = new Pool({ connectionString: databaseUrl });
    closeAfterwards({ close: () => pool.end() });
    const store = open({ databaseUrl, databaseFile: '' });
    await store.get('taken over', 'a');
    await pool.query('alter system set default_transaction_read_only = on');
    await pool.query('select pg_reload_conf()');
    try {
      await until(async () => {
        const { rows } = await pool.query('show default_transaction_read_only');
        return rows[0].default_transaction_read_only === 'on';
      });
      await expect(store.insert('taken over', { key: 'b', value: 1 })).rejects.toMatchObject({
        ...{ code: 'unavailable', retryAfter: 5 },
      });
    } finally {
      const client = await pool.connect();
      await client.query('set default_transaction_read_only = off');
      await client.query('alter system reset default_transaction_read_only');
      await client.query('select pg_reload_conf()');
      client.release();
    }
  });

  test('ends a statement on a connection that was cut without a word', async () => {
    const { port } = new URL(databaseUrl);
    let isCut = false;
    const proxy = createServer((client) => {
      const server = connect(Number(port), '127.0.0.1');
      const pass = (from: typeof client, to: typeof client) => {
        from.on('data', (data) => isCut || to.write(data)).on('error', () => {});
        from.on('close', () => to.destroy());
      };
      pass(client, server);
      pass(server, client);
    });
    closeAfterwards(proxy);
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = new URL(databaseUrl);
    url.port = String(Object(proxy.address()).port);
    const store = open({ databaseUrl: url.href, databaseFile: '' });
    expect(await store.insert('cut', { key: 'a', value: 1 })).toBe(true);
    isCut = true;
    await expect(store.insert('cut', { key: 'b', value: 1 })).rejects.toMatchObject({
      code: 'unavailable',
    });
    isCut = false;
    expect(await store.insert('cut', { key: 'c', value: 1 })).toBe(true);
  });
});
