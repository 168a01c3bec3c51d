import db from '@saltcorn/data/db';
import { retryWhileBusy } from './database.ts';
import { saltcornStore, tableOfAll } from './store.ts';

/** The tenant's store. Its first use moves the data of versions before the store. */
export const store = saltcornStore(async () => {
  await retryWhileBusy(() => db.deleteWhere('_sc_metadata', { type: 'Telephony click' }));
});

/** The store of what accounts send. All tenants share it, because they can share an account. */
export const accountStore = saltcornStore(async () => {}, tableOfAll);
