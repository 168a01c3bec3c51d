import { deliveryLog, type StoredDeliveryLog } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';

const known = new WeakMap<Application, Map<string, StoredDeliveryLog>>();

/**
 * Returns the delivery log of an account. There is one instance per account, because it tracks deliveries in progress.
 */
export function deliveryLogOf(app: Application, account: string): StoredDeliveryLog {
  const logs = known.get(app) ?? new Map<string, StoredDeliveryLog>();
  known.set(app, logs);
  const log = logs.get(account) ?? deliveryLog(nocobaseStore(app), { account });
  logs.set(account, log);
  return log;
}
