import { connect, type Page, type Telephony, type TelephonySettings } from '../../src/index.ts';
import { RecentReads } from './recent-reads.ts';
import type { Row } from './row-filter.ts';

/** What Saltcorn stores of the plugin's settings: those of the account, and some of this plugin's own. */
export type Configuration = Partial<TelephonySettings> & { minimumRole?: string };

/** What tables and actions of one configuration share. */
export interface Account {
  configuration: Configuration;
  /** Connects when first asked to, so that Saltcorn starts without settings too. Throws when they are not complete. */
  telephony(): Telephony;
  reads: RecentReads<Page<Row>>;
}

/** How long what was read is shown again without asking the service, in milliseconds. */
const freshFor = 5_000;

const accounts = new WeakMap<object, Account>();

/**
 * An account by the settings in a configuration. Opens no connection.
 *
 * @throws {TelephonyError} when they are not complete
 */
export function connectBy(configuration: Configuration): Telephony {
  const { username = '', password = '', accountSid, baseUrl } = configuration;
  return connect({ username, password, accountSid, baseUrl });
}

function open(configuration: Configuration): Account {
  let telephony: Telephony | undefined;
  return {
    configuration,
    telephony: () => {
      telephony ??= connectBy(configuration);
      return telephony;
    },
    reads: new RecentReads(freshFor),
  };
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
