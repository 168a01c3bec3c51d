import { join } from 'node:path';
import { until } from '../../support/until.ts';
import { artefact, type Loose } from '../host.ts';
import { admin, startSaltcornServer } from '../saltcorn-server.ts';
import { Visitor } from '../website.ts';

const install = '/telephony/install-desk';
const button = '>Add telephony pages</button>';

/** Opens a second connection to the database of a server. */
function openDatabase(home: string) {
  const { Database } = require('sqlite3');
  const database = new Database(join(home, 'database.sqlite'));
  // Saltcorn may be writing, on a slow disk.
  database.configure('busyTimeout', 60_000);
  return (sql: string) =>
    new Promise<Loose[]>((resolve, reject) =>
      database.all(sql, (error: Error | null, rows: Loose[]) =>
        error ? reject(error) : resolve(rows),
      ),
    );
}

/** SQL that makes a store accept one part of the pages, and then work on the next forever. */
const hangAtSecond = (store: string) => [
  `create view endless as with recursive numbers (n) as (select 1 union all select n + 1 from numbers) select n from numbers`,
  `create trigger hang before insert on ${store}
    when (select count(*) from ${store} where name like 'telephony%') = 1
    begin select count(*) from endless; end`,
];
const hangNoMore = ['drop trigger hang', 'drop view endless'];

test('on SQLite, an installation that was killed can be repeated, and then is complete', async () => {
  const server = await startSaltcornServer({ plugin: artefact });
  const query = openDatabase(server.home);
  const logIn = async () => {
    const visitor = new Visitor(server.url);
    // Connections that were kept open to the killed process fail.
    await until(() => visitor.get('/auth/login').then(Boolean, () => false));
    return visitor.logIn(admin.email, admin.password);
  };
  const parts = async (store: string) =>
    query(`select name from ${store} where name like 'telephony%' order by name`);
  /** Presses the button, and again after the answer that Saltcorn stopped meanwhile. */
  async function press(visitor: Visitor) {
    let answer: Loose = {};
    await until(async () => {
      answer = await visitor.post(install, {});
      return !answer.error?.includes('Press the button again');
    });
    return answer;
  }
  const stores = ['_sc_tables', '_sc_views', '_sc_triggers', '_sc_pages'];
  for (const store of ['_sc_tables', '_sc_pages']) {
    const boss = await logIn();
    for (const sql of hangAtSecond(store)) await query(sql);
    press(boss).catch(() => {});
    await until(async () => (await parts(store)).length > 0);
    await server.restart('SIGKILL');
    expect([store, (await parts(store)).length]).toEqual([store, 1]);
    for (const sql of hangNoMore) await query(sql);
  }
  const boss = await logIn();
  expect(await boss.get('/plugins/configure/telephony')).toContain(button);
  // Saltcorn was killed between creating a table and noting that it has it.
  await query('create table if not exists "Telephonyinbox" (id integer primary key)');
  await query(`delete from _sc_tables where name = 'Telephony inbox'`).catch(() => {});
  expect(await press(boss)).toEqual({ goto: '/page/telephony-desk' });
  for (const store of stores) {
    const wanted = require(`${artefact}/desk.json`)[store.replace('_sc_', '')];
    expect((await parts(store)).map(({ name }) => name)).toEqual(
      wanted.map(({ name }: Loose) => name).sort(),
    );
  }
  expect(await boss.get('/plugins/configure/telephony')).not.toContain(button);
});
