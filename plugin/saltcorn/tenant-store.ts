import { saltcornStore, tableOfAll } from './store.ts';

/** The tenant's store. */
export const store = saltcornStore();

/** The store of what accounts send. All tenants share it, because they can share an account. */
export const accountStore = saltcornStore(tableOfAll);
