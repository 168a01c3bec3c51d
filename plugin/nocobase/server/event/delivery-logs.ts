import { deliveryLog, type StoredDeliveryLog } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';

const known = new WeakMap<Application, Map<string, StoredDeliveryLog>>();

/** Which events of an account were delivered. One log for each account, because a log knows what it is delivering. */
export function deliveryLogOf(app: Application, account: string): StoredDeliveryLog {
  const logs = known.get(app) ?? new Map<string, StoredDeliveryLog>();
  known.set(app, logs);
  const log = logs.get(account) ?? deliveryLog(nocobaseStore(app), { account });
  logs.set(account, log);
  return log;
}
