import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Application } from '../../plugin/nocobase/server/nocobase.ts';
import { closeAfterwards } from '../support/close-afterwards.ts';
import { needs, skipWithout } from '../support/needs.ts';
import { root } from '../support/root.ts';
import { openPostgres, type Postgres } from '../support/start-postgres.ts';

skipWithout(needs.nocobase);

type Database = Application['db'] & {
  sync(): Promise<unknown>;
  close(): Promise<void>;
  sequelize: { query(sql: string): Promise<unknown> };
};

/** NocoBase's database alone, with some tables. It is closed after its tests. */
export async function openDatabase(tables: object[], server?: Postgres): Promise<Database> {
  const { url } = server ?? (await openPostgres());
  const { hostname: host, port, username, password, pathname } = new URL(url);
  const { Database } = createRequire(join(root, 'demo/nocobase/package.json'))(
    '@nocobase/database',
  );
  const database: Database = closeAfterwards(
    new Database({
      ...{ dialect: 'postgres', database: pathname.slice(1), logging: false },
      ...{ host, port: Number(port), username, password },
    }),
  );
  for (const table of tables) database.collection(table);
  await database.sync();
  return database;
}
