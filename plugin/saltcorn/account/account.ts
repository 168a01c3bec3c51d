import {
  connect,
  eventReader,
  type Page,
  settingsWithStoredSecrets,
  type Telephony,
  type TelephonySettings,
} from '../../../src/builder.ts';
import { eventAddress } from '../settings/event-place.ts';
import { freshFor } from '../settings/fresh-seconds.ts';
import { readLimitOf } from '../settings/read-limit.ts';
import type { Row } from '../where/where.ts';
import { authTokenOf } from './auth-token.ts';
import { effectiveSettings } from './effective-settings.ts';
import { ownConfiguration } from './fixed-settings.ts';
import { notifyWorkers } from './other-workers.ts';
import { RecentReads } from './recent-reads.ts';
import { storedSecrets } from './stored-secrets.ts';

/** What Saltcorn stores of the plugin's settings: those of the account, and some of this plugin's own. */
export type Configuration = Partial<TelephonySettings> & {
  minimumRole?: string;
  freshSeconds?: number;
  readLimit?: number;
  defaultSender?: string;
  publicAddress?: string;
  reported?: boolean;
  askMinutes?: number;
};

/** What tables and actions of one configuration share. */
export interface Account {
  /** The settings of the tenant that asks. */
  readonly configuration: Configuration;
  /** Rejects when a secret is stored for another host. */
  settings(): Promise<TelephonySettings>;
  /** Connects when first asked to, so that Saltcorn starts without settings too. Rejects when they are not complete. */
  telephony(): Promise<Telephony>;
  readonly reads: RecentReads<Page<Row>>;
  /** How many of the newest records are sorted, counted or gone through for a filter that the service does not know. */
  readonly readLimit: number;
  /** Something was changed at the service: forgets what was read, in every worker process of Saltcorn. */
  changed(): void;
}

const accounts = new WeakMap<object, Account>();

/** Where events of an account come; undefined where something is wrong with that, which is said where they are received. */
async function receivingAddress(configuration: Configuration, settings: TelephonySettings) {
  const address = eventAddress(configuration);
  try {
    eventReader(settings, { url: address, authToken: await authTokenOf() });
    return address;
  } catch {
    return undefined;
  }
}

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
      telephony ??= connect({ ...given, statusCallback });
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
 * The account of a configuration: the same one for the same object, which is what Saltcorn hands to every
 * part of the plugin until the settings are saved again.
 */
export function accountOf(configuration: Configuration): Account {
  const account = accounts.get(configuration) ?? open(configuration);
  accounts.set(configuration, account);
  return account;
}
