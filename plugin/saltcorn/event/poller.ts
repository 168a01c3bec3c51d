import db from '@saltcorn/data/db';
import { getState } from '@saltcorn/data/db/state';
import Trigger from '@saltcorn/data/models/trigger';
import {
  definitions,
  type EventPoller,
  eventLog,
  eventPoller,
  type PolledAccount,
  polledEvents,
  pollStateOf,
} from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { forSingleSends } from '../action/single-sends.ts';
import { hasColumns, isKnownToRecord } from '../bulk/note-delivery.ts';
import { isAlone } from '../is-alone.ts';
import { isInstalled } from '../is-installed.ts';
import { pollInterval } from '../settings/event-settings.ts';
import { store } from '../tenant-store.ts';
import { deliverToTriggers, log } from './deliver-to-triggers.ts';
import { deliveryLogOf } from './delivery-log.ts';

/** How long after the module is loaded polling starts, in milliseconds. */
const firstMs = 1_000;

/** How often to check which triggers Saltcorn has loaded, in milliseconds: it reports no change. */
const lookMs = 3_000;

const report = eventLog(log);

/** A tenant has one account. */
const key = '';

/** The events that report what actions started. */
const reports = new Set(definitions.actions.map(({ reported }) => reported?.event));

/** The events that a trigger in this Saltcorn starts from, and those of what tables record. */
function subscribedEvents(isRecorded: boolean): string[] {
  const { virtual_triggers: virtual } = getState();
  return polledEvents
    .filter(
      ({ id, name }) =>
        (isRecorded && reports.has(id)) ||
        Trigger.find({ when_trigger: name }).length > 0 ||
        virtual.some(({ when_trigger }) => when_trigger === name),
    )
    .map(({ id }) => id);
}

/** Whether Saltcorn has triggers that it has not loaded yet. */
async function isLoading(): Promise<boolean> {
  for (const { name } of polledEvents)
    if ((await Trigger.findDB({ when_trigger: name })).length > 0) return true;
  return false;
}

/** The polling of a tenant. */
class TenantPolling {
  account: Account;
  readonly #poller: EventPoller;
  /** Whether Saltcorn may still be loading triggers. */
  #mayLoad = true;
  #isFirst = true;

  constructor(account: Account) {
    this.account = account;
    this.#poller = eventPoller({
      ...{ accounts: () => this.#accounts(), lookMs, isAlone },
      store: () => store,
      deliveryLog: deliveryLogOf,
      deliver: (_, event, context) => deliverToTriggers(event, context),
      report: (_, what) => report(what),
      logProblem: (_, { message }) => log(`Polling: ${message}`),
      logFault: ({ message }) => log(`Polling failed: ${message}`),
    });
    this.#poller.start({ delayMs: firstMs });
  }

  changed(account: Account): void {
    this.account = account;
    this.#poller.wake(firstMs);
  }

  async #recordsOutcomes(maxAgeMs: number): Promise<boolean> {
    // A poll doesn't wait for it, and reports a store that fails.
    const reading = hasColumns(maxAgeMs).catch(() => false);
    return this.#isFirst ? reading : isKnownToRecord();
  }

  async #accounts(): Promise<PolledAccount[] | undefined> {
    if (!isInstalled()) return undefined;
    const intervalMs = pollInterval(this.account.configuration);
    const events = subscribedEvents(intervalMs > 0 && (await this.#recordsOutcomes(intervalMs)));
    if (events.length > 0) this.#mayLoad = true;
    // The database doesn't contain the triggers of views.
    else if (this.#mayLoad) this.#mayLoad = this.#isFirst || (await isLoading());
    this.#isFirst = false;
    // With no events, the poller would reset the cursor.
    if (events.length === 0 && this.#mayLoad && intervalMs > 0) return undefined;
    return [{ key, intervalMs, events, telephony: forSingleSends(this.account).telephony }];
  }
}

const tenants = new Map<string, TenantPolling>();

/**
 * Polls the events of the tenant from now on. Each worker calls this for each tenant when the module is loaded, and
 * again when its settings are saved.
 */
export function followPolling(account: Account): void {
  const tenant = db.getTenantSchema();
  const known = tenants.get(tenant);
  known?.changed(account);
  if (known) return;
  // The timers run in the tenant, outside of the request that loads the module.
  const polling = db.runWithTenant(tenant, () => new TenantPolling(account));
  tenants.set(tenant, polling);
}

/** The state of the tenant's polling. */
export const pollState = () => pollStateOf(store, key).read();
