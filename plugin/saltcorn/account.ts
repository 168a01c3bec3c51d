import { connect, type Page, type Telephony, type TelephonySettings } from '../../src/index.ts';
import { RecentReads } from './recent-reads.ts';
import type { Row } from './row-filter.ts';

/** What tables and actions of one configuration share. */
export interface Account {
  /** Connects when first asked to, so that Saltcorn starts without settings too. Throws when they are not complete. */
  telephony(): Telephony;
  reads: RecentReads<Page<Row>>;
}

/** How long what was read is shown again without asking the service, in milliseconds. */
const freshFor = 5_000;

const accounts = new WeakMap<object, Account>();

function open(settings: Partial<TelephonySettings>): Account {
  let telephony: Telephony | undefined;
  return {
    telephony: () => {
      telephony ??= connect({ username: '', password: '', ...settings });
      return telephony;
    },
    reads: new RecentReads(freshFor),
  };
}

/**
 * The account of the plugin's settings: the same one for the same object, which is what Saltcorn hands to every
 * part of the plugin until the settings are saved again.
 */
export function accountOf(settings: Partial<TelephonySettings>): Account {
  const account = accounts.get(settings) ?? open(settings);
  accounts.set(settings, account);
  return account;
}
