import { join } from 'node:path';
import { openSqliteStore } from '../../src/store/sqlite-store.ts';
import { keepsEntries } from '../stores/keeps-entries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import './farm.ts';

const path = join(temporaryFolder('budibase-store'), 'entries.sqlite');

keepsEntries(() => openSqliteStore(path));
