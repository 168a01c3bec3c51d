import { nocobaseStore, storeCollection } from '../../../plugin/nocobase/server/store.ts';
import { survivesOutage } from '../../stores/survives-outage.ts';
import { openPostgres, type Postgres } from '../../support/start-postgres.ts';
import { openDatabase } from '../open-database.ts';

let opened: { store: ReturnType<typeof nocobaseStore>; postgres: Postgres };
beforeAll(async () => {
  const postgres = await openPostgres();
  const db = await openDatabase([storeCollection], postgres);
  opened = { store: nocobaseStore({ db }), postgres };
});

survivesOutage(() => opened);
