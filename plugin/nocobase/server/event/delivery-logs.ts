import { deliveryLog, oncePer, type StoredDeliveryLog } from '../../../../src/builder.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';

const logsOf = oncePer((app: Application) =>
  oncePer((account: string) => deliveryLog(nocobaseStore(app), { account })),
);

/**
 * Returns the delivery log of an account. There is one instance per account, because it tracks deliveries in progress.
 */
export const deliveryLogOf = (app: Application, account: string): StoredDeliveryLog =>
  logsOf(app)(account);
