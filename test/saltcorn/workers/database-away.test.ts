import type { LogStore } from '../../../src/builder.ts';
import { survivesOutage } from '../../stores/survives-outage.ts';
import { openPostgres, type Postgres } from '../../support/start-postgres.ts';
import { saltcorn, startTables } from '../host.ts';

type StoreModule = typeof import('../../../plugin/saltcorn/store.ts');

let opened: { store: LogStore; postgres: Postgres };
beforeAll(async () => {
  const postgres = await openPostgres();
  await startTables({ DATABASE_URL: postgres.url, SALTCORN_MULTI_NODE: 'true' });
  // A process of Saltcorn ends if a connection breaks while no statement uses it. Here it is that of the tests.
  saltcorn('data/db').pool.on('error', () => {});
  const { saltcornStore }: StoreModule = require('../../../plugin/saltcorn/store.ts');
  opened = { store: saltcornStore(), postgres };
});

survivesOutage(() => opened);
