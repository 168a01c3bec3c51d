import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import { definitions, purgeHourly } from '../../src/index.ts';
import { forgetPastRuns } from './bulk/stored-run.ts';
import { toldEvents } from './event/told-events.ts';

const stops = new Map<string, () => void>();

/** Deletes what the module has kept of this tenant for as long as it may. */
export async function purge(): Promise<void> {
  await forgetPastRuns();
  await toldEvents().expire();
}

/** Keeps nothing of a tenant for too long, from now on: whether or not someone does there what would need the room. */
export function followRetention(): void {
  const tenant = db.getTenantSchema();
  stops.get(tenant)?.();
  // Saltcorn does not say when a module is removed.
  const isInstalled = () => definitions.manifest.id in getState().plugins;
  const work = () => db.runWithTenant(tenant, async () => (isInstalled() ? purge() : undefined));
  stops.set(tenant, purgeHourly(work));
}
