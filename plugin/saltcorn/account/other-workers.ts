import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../../src/builder.ts';
import type { SettingValues } from './fixed-settings.ts';

type State = ReturnType<typeof getState>;

const subject = `${definitions.manifest.id}Changed`;

/**
 * Tells every worker process of this Saltcorn that something was changed. Saltcorn passes each message that names a
 * tenant on to all of them.
 */
export function notifyWorkers(): void {
  getState().processSend({ [subject]: true, tenant: db.getTenantSchema() });
}

/**
 * Does something, as the tenant that it concerns, whenever a worker tells that something was changed.
 *
 * @param act gets the configuration of the plugin there
 */
export function onWorkerNotice(act: (configuration: SettingValues) => void): void {
  process.on('message', (message: Record<string, unknown> | null) => {
    if (!message?.[subject]) return;
    db.runWithTenant(String(message.tenant), () => {
      // A worker may not know the tenant yet, or not the plugin there: then it has read nothing for it.
      const state: State | undefined = getState();
      const configuration = state?.plugin_cfgs[definitions.manifest.id];
      if (configuration) act(configuration);
    });
  });
}
