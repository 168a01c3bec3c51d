import { deliveryLog, oncePer, purgeHourly, type StoredDeliveryLog } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { storeOf } from './account-store.ts';

function open(account: string, RED: NodeRed): StoredDeliveryLog {
  // Only one process uses Node-RED's folder.
  const log = deliveryLog(storeOf(account, RED), { isAlone: () => true });
  purgeHourly(() => log.expire());
  return log;
}

/** Returns the delivery log of an account, by the account's id. */
export const deliveryLogOf = oncePer(open);
