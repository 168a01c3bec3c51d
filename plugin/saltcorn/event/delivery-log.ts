import db from '@saltcorn/data/db';
import { deliveryLog, type StoredDeliveryLog } from '../../../src/builder.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';

const logs = new Map<string, StoredDeliveryLog>();

/** The tenant's delivery log. */
export function deliveryLogOf(): StoredDeliveryLog {
  const tenant = db.getTenantSchema();
  const log = logs.get(tenant) ?? deliveryLog(store, { isAlone });
  logs.set(tenant, log);
  return log;
}
