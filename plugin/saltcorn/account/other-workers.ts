import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../../src/index.ts';

const subject = `${definitions.manifest.id}Changed`;

/**
 * Tells every worker process of this Saltcorn that something was changed. Saltcorn passes each message that names a
 * tenant on to all of them.
 */
export function tellWorkers(): void {
  getState().processSend({ [subject]: true, tenant: db.getTenantSchema() });
}

/** Does something, as the tenant that it concerns, whenever a worker tells that something was changed. */
export function whenToldByWorker(act: () => void): void {
  process.on('message', (message: Record<string, unknown> | null) => {
    if (message?.[subject]) db.runWithTenant(String(message.tenant), act);
  });
}
