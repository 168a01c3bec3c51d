import { type LimitReached, raiseLimitReached } from '../../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import type { Application } from '../nocobase.ts';
import { deliveryLogOf } from './delivery-logs.ts';
import type { EventWorkflows } from './event-workflows.ts';
import { logEvents } from './log-events.ts';

/** Returns a function that starts the workflows of a limit that an account has reached. */
export const limitReporter =
  (app: Application, workflows: EventWorkflows) =>
  (account: Account, reached: LimitReached): Promise<void> =>
    raiseLimitReached(reached, {
      deliveryLog: deliveryLogOf(app, account.key),
      onEvent: (event, options) => workflows.deliver(account, event, options),
      onOutcome: logEvents(app),
    });
