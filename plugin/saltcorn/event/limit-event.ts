import db from '@saltcorn/data/db';
import { eventLog, type LimitReached, raiseLimitReached } from '../../../src/builder.ts';
import { deliverToTriggers, log } from './deliver-to-triggers.ts';
import { deliveryLogOf } from './delivery-log.ts';

/** Runs the triggers of a limit that is reached, outside of the request and the transaction of what was refused. */
export const reportLimit = (reached: LimitReached): Promise<void> =>
  db.runWithTenant(db.getTenantSchema(), () =>
    raiseLimitReached(reached, {
      deliveryLog: deliveryLogOf(),
      onEvent: deliverToTriggers,
      onOutcome: eventLog(log),
    }),
  );
