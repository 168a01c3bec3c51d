import { deliveryLog, oncePer, purgeHourly, type StoredDeliveryLog } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { storeOf } from './account-store.ts';

function open(RED: NodeRed, account: string): StoredDeliveryLog {
  // Only one process uses Node-RED's folder.
  const log = deliveryLog(storeOf(RED, account), { isAlone: () => true });
  purgeHourly(() => log.expire());
  return log;
}

const logsOf = oncePer((RED: NodeRed) => oncePer((account: string) => open(RED, account)));

/** Returns the delivery log of an account, by the account's id. */
export const deliveryLogOf = (RED: NodeRed, account: string): StoredDeliveryLog =>
  logsOf(RED)(account);
