import db from '@saltcorn/data/db';
import { expireWrites, purgeHourly } from '../../src/builder.ts';
import { expireAsked } from './action/ask-first.ts';
import { expireClicks } from './action/one-click.ts';
import { expireSteps } from './action/one-step.ts';
import { batches } from './bulk/batches.ts';
import { sentRows } from './bulk/row-notes.ts';
import { deliveryLogOf } from './event/delivery-log.ts';
import { isInstalled } from './is-installed.ts';
import { accountStore } from './tenant-store.ts';

const stops = new Map<string, () => void>();

/** Deletes the tenant's expired data. */
export async function purge(): Promise<void> {
  await batches.expire();
  await sentRows.expire();
  await expireAsked();
  await expireClicks();
  await expireSteps();
  await deliveryLogOf().expire();
  await expireWrites(accountStore);
}

/** Deletes the tenant's expired data every hour from now on, even if no one uses the module there. */
export function followRetention(): void {
  const tenant = db.getTenantSchema();
  stops.get(tenant)?.();
  const work = () => db.runWithTenant(tenant, async () => (isInstalled() ? purge() : undefined));
  stops.set(tenant, purgeHourly(work));
}
