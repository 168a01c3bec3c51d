import { type DeliveryLog, deliveryLog } from '../../../../src/index.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';

const known = new WeakMap<Application, Map<string, DeliveryLog>>();

/** Which events of an account were delivered. One log for each account, because a log knows what it is delivering. */
export function deliveryLogOf(app: Application, account: string): DeliveryLog {
  const logs = known.get(app) ?? new Map<string, DeliveryLog>();
  known.set(app, logs);
  const log = logs.get(account) ?? deliveryLog(nocobaseStore(app), { account });
  logs.set(account, log);
  return log;
}
