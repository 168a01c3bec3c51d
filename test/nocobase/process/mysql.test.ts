import { createRequire } from 'node:module';
import { join } from 'node:path';
import { storeCollection } from '../../../plugin/nocobase/server/store.ts';
import { needs, skipWithout } from '../../support/needs.ts';
import { root } from '../../support/root.ts';

skipWithout(needs.nocobase);

// NocoBase would write its log into the working directory.
process.env.LOGGER_TRANSPORT = 'console';

/** The columns that NocoBase creates for a table, without a connection to the database. */
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
