import { createRequire } from 'node:module';
import { join } from 'node:path';
import { storeCollection } from '../../../plugin/nocobase/server/store.ts';
import { needs, skipWithout } from '../../support/needs.ts';
import { root } from '../../support/root.ts';

skipWithout(needs.nocobase);

// NocoBase would write its log into files where the tests were started.
process.env.LOGGER_TRANSPORT = 'console';

/** What NocoBase makes of a table in a database, which it need not reach for that. */
interface Database {
  collection(options: object): {
    model: { getAttributes(): Record<string, { type: { toSql(): string } }> };
  };
}

test('an entry such as a cursor has a MySQL column of more than 64 KB', () => {
  const require = createRequire(join(root, 'demo/nocobase/package.json'));
  const database: Database = new (require('@nocobase/database').Database)({ dialect: 'mysql' });
  const columns = database.collection(storeCollection).model.getAttributes();
  expect(columns.body?.type.toSql()).toBe('LONGTEXT');
});
