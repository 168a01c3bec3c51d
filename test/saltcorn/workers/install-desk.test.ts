import { closeAfterwards } from '../../support/close-afterwards.ts';
import { openSandbox } from '../../support/open-sandbox.ts';
import { until } from '../../support/until.ts';
import { artefact, type Loose } from '../host.ts';
import { admin } from '../saltcorn-server.ts';
import { startTwoWorkers } from './two-workers.ts';

const url = '/telephony/install-desk';
const noParts = { views: [], pages: [], plugins: [], triggers: [] };
const customers = { name: 'Customers', min_role_read: 1, min_role_write: 1, fields: [] };

/** A worker that waits for the click of the other reads it many times per second. */
const reading = `select 1 from pg_stat_activity where query like 'select * from%telephony_store" where id%'
  and state_change > now() - interval '0.2 seconds'`;

/** Opens a connection to the database next to those of the workers. */
async function connect(connectionString: string) {
  const { Client } = require('pg');
  const client = new Client({ connectionString });
  await client.connect();
  closeAfterwards({ close: () => client.end() });
  return async (sql: string): Promise<Loose[]> => (await client.query(sql)).rows;
}

// One story: each test continues where the previous one ended.
describe('with two workers on PostgreSQL', () => {
  let started: Awaited<ReturnType<typeof startTwoWorkers>>;
  let query: (sql: string) => Promise<Loose[]>;
  /** A connection outside of transactions, in which what others do doesn't change. */
  let observe: typeof query;

  beforeAll(async () => {
    const pack = { ...noParts, tables: [customers] };
    started = await startTwoWorkers(await openSandbox(), { pack, customers: [] });
    query = await connect(started.database);
    observe = await connect(started.database);
    await started.boss.post(started.workers[0], '/auth/login', admin);
  });

  const names = async (store: string) =>
    (await query(`select name from ${store} where name ilike 'telephony%' order by name`)).map(
      ({ name }) => name,
    );
  const install = async (worker: number) =>
    JSON.parse((await started.boss.post(worker, url, {})).text);

  test('a killed worker leaves nothing behind, and the other says what to do', async () => {
    const [one, other] = started.workers;
    // Installing waits when it comes to the pages.
    await query('begin');
    await query('lock table _sc_pages in exclusive mode');
    const killed = started.boss.post(one, url, {}).catch(() => {});
    await until(async () => (await observe('select 1 from pg_locks where not granted')).length > 0);
    const waiting = install(other);
    // A connection that comes when a worker is killed can be lost.
    await until(async () => (await observe(reading)).length > 0);
    process.kill(one, 'SIGKILL');
    await killed;
    await query('rollback');
    expect(await waiting).toEqual({
      error: 'Saltcorn stopped while it added the pages. Press the button again.',
    });
    expect(await names('_sc_tables')).toEqual([]);
  });

  test('adds the pages once, and both workers serve them', async () => {
    const workers = await started.boss.workers(2);
    await until(async () => !(await install(workers[0] ?? 0)).error);
    const pack = require(`${artefact}/desk.json`);
    for (const key of ['tables', 'views', 'triggers', 'pages'])
      expect(await names(`_sc_${key}`)).toEqual(pack[key].map(({ name }: Loose) => name).sort());
    for (const worker of workers)
      await until(async () =>
        (await started.boss.get(worker, '/page/telephony-desk')).text.includes('tbody'),
      );
  });
});
