import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { keepsEntries } from '../stores/keeps-entries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import './farm.ts';

const path = join(temporaryFolder('budibase-store'), 'entries.sqlite');

keepsEntries(() => openSqliteStore(path));

test('is not opened in a folder that other users can open', () => {
  const folder = temporaryFolder('budibase-open');
  chmodSync(folder, 0o755);
  expect(() => openSqliteStore(join(folder, 'entries.sqlite'))).toThrow(
    `Nothing was sent: other users can open the folder ${folder}. Remove it.`,
  );
});
