import db from '@saltcorn/data/db';
import { purgeHourly } from '../../src/builder.ts';
import { expireClicks } from './action/one-click.ts';
import { batches } from './bulk/batches.ts';
import { deliveryLogOf } from './event/delivery-log.ts';
import { isInstalled } from './is-installed.ts';

const stops = new Map<string, () => void>();

/** Deletes what the module has kept of this tenant for as long as it may. */
export async function purge(): Promise<void> {
  await batches.expire();
  await expireClicks();
  await deliveryLogOf().expire();
}

/** Keeps nothing of a tenant for too long, from now on: whether or not someone does there what would need the room. */
export function followRetention(): void {
  const tenant = db.getTenantSchema();
  stops.get(tenant)?.();
  const work = () => db.runWithTenant(tenant, async () => (isInstalled() ? purge() : undefined));
  stops.set(tenant, purgeHourly(work));
}
