import {
  type EventPoller,
  eventPoller,
  type PolledAccount,
  pollIntervalMs,
  pollLimits,
  pollRange,
} from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import type { Account, Accounts } from '../account/account.ts';
import { forSingleSends } from '../action/single-sends.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';
import { deliveryLogOf } from './delivery-logs.ts';
import type { EventWorkflows } from './event-workflows.ts';
import { logEvents } from './log-events.ts';

interface Polled extends PolledAccount {
  account: Account;
}

/** The poll interval of an account. Version 0.1.0 allowed shorter intervals. */
const intervalOf = ({ pollMinutes }: Account) =>
  pollMinutes > 0 ? pollIntervalMs(Math.max(pollMinutes, pollRange.least)) : 0;

/** Polls the accounts. */
export function accountsPoller(
  app: Application,
  accounts: Accounts,
  workflows: EventWorkflows,
): Pick<EventPoller, 'stop'> & { start(): void } {
  const store = nocobaseStore(app);
  const report = logEvents(app);
  async function polled(account: Account): Promise<Polled> {
    const intervalMs = intervalOf(account);
    const events = intervalMs > 0 ? await workflows.subscribedEvents(account) : [];
    const telephony = () => forSingleSends(account, store);
    return { key: account.key, account, intervalMs, events, telephony };
  }
  const poller = eventPoller<Polled>({
    accounts: async () => Promise.all((await accounts.all()).map(polled)),
    store: () => store,
    deliveryLog: ({ key }) => deliveryLogOf(app, key),
    deliver: ({ account }, event, options) => workflows.deliver(account, event, options),
    report: (_, what) => report(what),
    logProblem: ({ account }, { message }) =>
      app.logger.error(`Polling “${account.label}” failed: ${message}`),
    logFault: ({ message }) => app.logger.error(`Polling failed: ${message}`),
  });
  return {
    start() {
      for (const table of [accountsResource, 'workflows'])
        for (const change of ['afterSave', 'afterDestroy'])
          app.db.on(`${table}.${change}`, () => poller.wake(pollLimits.settleMs));
      poller.start({ delayMs: pollLimits.settleMs });
    },
    stop: () => poller.stop(),
  };
}
