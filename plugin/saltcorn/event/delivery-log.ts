import db from '@saltcorn/data/db';
import { deliveryLog, oncePer } from '../../../src/builder.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';

const logOf = oncePer((_tenant: string) => deliveryLog(store, { isAlone }));

/** The tenant's delivery log. */
export const deliveryLogOf = () => logOf(db.getTenantSchema());
