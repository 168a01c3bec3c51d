import db from '@saltcorn/data/db';
import { type DeliveryLog, deliveryLog } from '../../../src/index.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';

const logs = new Map<string, DeliveryLog>();

/** Which events of the tenant were delivered. */
export function toldEvents(): DeliveryLog {
  const tenant = db.getTenantSchema();
  const log = logs.get(tenant) ?? deliveryLog(store, { isAlone });
  logs.set(tenant, log);
  return log;
}
