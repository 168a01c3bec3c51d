import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../../src/builder.ts';
import type { SettingValues } from './fixed-settings.ts';

type State = ReturnType<typeof getState>;

const subject = `${definitions.manifest.id}Changed`;

/**
 * Notifies every worker process of this Saltcorn of a change. Saltcorn forwards a message that names a tenant to all of
 * them.
 */
export function notifyWorkers(): void {
  getState().processSend({ [subject]: true, tenant: db.getTenantSchema() });
}

/**
 * Calls `act` in the tenant of each change that a worker process reports.
 *
 * @param act gets the plugin's configuration in that tenant
 */
export function onWorkerNotice(act: (configuration: SettingValues) => void): void {
  process.on('message', (message: Record<string, unknown> | null) => {
    if (!message?.[subject]) return;
    db.runWithTenant(String(message.tenant), () => {
      // A worker that hasn't loaded the tenant, or its plugin, has nothing cached for it.
      const state: State | undefined = getState();
      const configuration = state?.plugin_cfgs[definitions.manifest.id];
      if (configuration) act(configuration);
    });
  });
}
