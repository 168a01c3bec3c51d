import { deliveryLog, purgeHourly, type StoredDeliveryLog } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { storeOf } from './account-store.ts';

const logs = new Map<string, StoredDeliveryLog>();

function open(RED: NodeRed, account: string): StoredDeliveryLog {
  // Node-RED's folder belongs to one process.
  const log = deliveryLog(storeOf(RED, account), { isAlone: () => true });
  purgeHourly(() => log.expire());
  return log;
}

/** Which events of an account were delivered; by its id. */
export function memoryOf(RED: NodeRed, account: string): StoredDeliveryLog {
  const log = logs.get(account) ?? open(RED, account);
  logs.set(account, log);
  return log;
}
