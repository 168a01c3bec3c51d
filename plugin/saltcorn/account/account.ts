import {
  connect,
  eventReader,
  oncePer,
  type Page,
  pickLimits,
  settingsWithStoredSecrets,
  type Telephony,
  type TelephonySettings,
} from '../../../src/builder.ts';
import { reportLimit } from '../event/limit-event.ts';
import { webhookUrl } from '../settings/event-settings.ts';
import { freshFor } from '../settings/fresh-seconds.ts';
import { readLimitOf } from '../settings/read-limit.ts';
import { accountStore } from '../tenant-store.ts';
import type { Row } from '../where/where.ts';
import { authTokenOf } from './auth-token.ts';
import { effectiveSettings } from './effective-settings.ts';
import { currentSettings, ownConfiguration } from './fixed-settings.ts';
import { notifyWorkers } from './other-workers.ts';
import { RecentReads } from './recent-reads.ts';
import { storedSecrets } from './stored-secrets.ts';

/** The stored settings: those of the account, and the plugin's own. */
export type Configuration = Partial<TelephonySettings> & {
  minimumRole?: string;
  freshSeconds?: number;
  readLimit?: number;
  defaultSender?: string;
  publicAddress?: string;
  reported?: boolean;
  pollMinutes?: number;
};

/** An account. All tables and actions of a configuration share it. */
export interface Account {
  /** The settings of the current tenant. */
  readonly configuration: Configuration;
  /** Rejects if a secret was stored for another host. */
  settings(): Promise<TelephonySettings>;
  /** Connects on first use, so that Saltcorn starts without settings. Rejects if they are incomplete. */
  telephony(): Promise<Telephony>;
  readonly reads: RecentReads<Page<Row>>;
  /**
   * How many of the newest records to read in order to sort, count, or apply a filter that the service doesn't have.
   */
  readonly readLimit: number;
  /** Clears the cached reads in every worker process, after a change at the service. */
  changed(): void;
}

/** The webhook URL for status reports; undefined if the settings allow no webhooks. The receiver reports why. */
async function receivingAddress(configuration: Configuration, settings: TelephonySettings) {
  const address = webhookUrl(configuration);
  try {
    eventReader(settings, { url: address, authToken: await authTokenOf() });
    return address;
  } catch {
    return undefined;
  }
}

/** Whether sending is stopped now: a batch keeps the account with which it was started. */
const isStopped = () => currentSettings().stopped ?? false;

function open(configuration: Configuration): Account {
  let reads: RecentReads<Page<Row>> | undefined;
  let telephony: Telephony | undefined;
  async function settings() {
    const { typed, stored } = effectiveSettings(account.configuration, await storedSecrets());
    return settingsWithStoredSecrets(typed, stored);
  }
  const account: Account = {
    get configuration() {
      return ownConfiguration(configuration);
    },
    settings,
    telephony: async () => {
      if (telephony) return telephony;
      const given = await settings();
      const statusCallback = account.configuration.reported
        ? await receivingAddress(account.configuration, given)
        : undefined;
      const spending = { ...pickLimits(account.configuration), stopped: isStopped };
      telephony ??= connect({
        ...{ ...given, statusCallback, spending, store: accountStore },
        onLimitReached: reportLimit,
      });
      return telephony;
    },
    get reads() {
      reads ??= new RecentReads<Page<Row>>(freshFor(account.configuration));
      return reads;
    },
    get readLimit() {
      return readLimitOf(account.configuration);
    },
    changed: () => {
      account.reads.clear();
      notifyWorkers();
    },
  };
  return account;
}

/**
 * The account of a configuration: the same one for the same object, which Saltcorn passes to every part of the plugin
 * until the settings are saved again.
 */
export const accountOf = oncePer(open);
