import { deliveryLog, purgeHourly, type StoredDeliveryLog } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { storeOf } from './account-store.ts';

const logs = new Map<string, StoredDeliveryLog>();

function open(RED: NodeRed, account: string): StoredDeliveryLog {
  // Only one process uses Node-RED's folder.
  const log = deliveryLog(storeOf(RED, account), { isAlone: () => true });
  purgeHourly(() => log.expire());
  return log;
}

/** Returns the delivery log of an account, by the account's id. */
export function memoryOf(RED: NodeRed, account: string): StoredDeliveryLog {
  const log = logs.get(account) ?? open(RED, account);
  logs.set(account, log);
  return log;
}
