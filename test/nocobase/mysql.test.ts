import { createRequire } from 'node:module';
import { join } from 'node:path';
import { accountsCollection } from '../../plugin/nocobase/server/account/accounts-table.ts';
import { needs, skipWithout } from '../needs.ts';
import { root } from '../root.ts';

skipWithout(needs.nocobase);

// NocoBase would write its log into files where the tests were started.
process.env.LOGGER_TRANSPORT = 'console';

/** What NocoBase makes of a table in a database, which it need not reach for that. */
interface Database {
  collection(options: object): {
    model: { getAttributes(): Record<string, { type: { toSql(): string } }> };
  };
}

test('how far events were read fits also in a column of MySQL, of which a text has 64 KB', () => {
  const require = createRequire(join(root, 'demo/nocobase/package.json'));
  const database: Database = new (require('@nocobase/database').Database)({ dialect: 'mysql' });
  const columns = database.collection(accountsCollection).model.getAttributes();
  expect(columns.askedSoFar?.type.toSql()).toBe('LONGTEXT');
});
