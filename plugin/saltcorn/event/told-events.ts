import db from '@saltcorn/data/db';
import { type DeliveryLog, deliveryLog } from '../../../src/index.ts';
import { isAlone } from '../action/one-worker.ts';
import { eventStore } from './event-store.ts';

const logs = new Map<string, DeliveryLog>();

/** Which events of the tenant were delivered. */
export function toldEvents(): DeliveryLog {
  const tenant = db.getTenantSchema();
  const log = logs.get(tenant) ?? deliveryLog(eventStore, { isAlone });
  logs.set(tenant, log);
  return log;
}
