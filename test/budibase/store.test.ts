import { join } from 'node:path';
import { openStore } from '../../plugin/budibase/store.ts';
import { keepsEntries } from '../stores/keeps-entries.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import './farm.ts';

const path = join(temporaryFolder('budibase-store'), 'entries.sqlite');

keepsEntries(() => openStore(path));
