import type { LogStore } from '../../../src/builder.ts';
import { survivesOutage } from '../../stores/survives-outage.ts';
import { openPostgres, type Postgres } from '../../support/start-postgres.ts';
import { startTables } from '../host.ts';

type StoreModule = typeof import('../../../plugin/saltcorn/store.ts');

let opened: { store: LogStore; postgres: Postgres };
beforeAll(async () => {
  const postgres = await openPostgres();
  await startTables({ DATABASE_URL: postgres.url, SALTCORN_MULTI_NODE: 'true' });
  const { saltcornStore }: StoreModule = require('../../../plugin/saltcorn/store.ts');
  opened = { store: saltcornStore(), postgres };
});

survivesOutage(() => opened);
