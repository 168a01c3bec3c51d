import {
  connect,
  pickSettings,
  secretKeys,
  type Telephony,
  TelephonyError,
} from '../../../../src/index.ts';
import { accountsResource } from '../../resources.ts';
import type { Application, Model } from '../nocobase.ts';
import { textOf } from '../text-of.ts';

/** What is stored of an account: its settings, and some of this plugin's own. */
export interface StoredAccount {
  /** The key of its data source. */
  key: string;
  /** For people. */
  label: string;
  /** Its settings, with the secrets as they were typed. */
  settings: Record<string, unknown>;
  defaultSender: string;
  /** The roles that may run each action, by its id. */
  roles: Record<string, string[]>;
}

export interface Account extends StoredAccount {
  /** Connects when first asked to. Throws when the settings are not complete, before anything is sent. */
  telephony(): Telephony;
}

/** The accounts of a NocoBase. */
export class Accounts {
  readonly #app: Application;
  readonly #open = new Map<string, { version: string; account: Account }>();

  constructor(app: Application) {
    this.#app = app;
  }

  async #read(row: Model): Promise<StoredAccount> {
    const stored = row.toJSON();
    const secrets = secretKeys.map(async (key) => {
      const value = textOf(row.get(key));
      return [key, value && (await this.#app.aesEncryptor.decrypt(value))];
    });
    const settings = { ...stored, ...Object.fromEntries(await Promise.all(secrets)) };
    return {
      key: textOf(stored.key),
      label: textOf(stored.label),
      settings: { ...pickSettings(settings) },
      defaultSender: textOf(stored.defaultSender),
      roles: Object(stored.roles ?? {}),
    };
  }

  #opened(stored: StoredAccount): Account {
    const version = JSON.stringify(stored);
    const known = this.#open.get(stored.key);
    if (known?.version === version) return known.account;
    let telephony: Telephony | undefined;
    const account: Account = {
      ...stored,
      telephony: () => {
        telephony ??= connect(pickSettings(stored.settings));
        return telephony;
      },
    };
    this.#open.set(stored.key, { version, account });
    return account;
  }

  /** The account of a key, if there is one. */
  async find(key: string): Promise<Account | undefined> {
    const row = await this.#app.db.getRepository(accountsResource).findOne({ filterByTk: key });
    return row ? this.#opened(await this.#read(row)) : undefined;
  }

  /**
   * The account of a key; without one, the only account there is.
   *
   * @throws {TelephonyError} when there is none, or it is not said which
   */
  async get(key: unknown): Promise<Account> {
    if (typeof key === 'string' && key !== '') {
      const account = await this.find(key);
      if (account) return account;
      throw new TelephonyError(
        'settings',
        'The account is no longer in the settings of the plugin.',
      );
    }
    const [first, second] = await this.all();
    if (!first)
      throw new TelephonyError(
        'settings',
        "No account is set. Add one in the plugin's settings first.",
      );
    if (second) throw new TelephonyError('settings', 'Choose which account it is to be done with.');
    return first;
  }

  async all(): Promise<Account[]> {
    const rows = await this.#app.db.getRepository(accountsResource).find({ sort: ['createdAt'] });
    return Promise.all(rows.map(async (row) => this.#opened(await this.#read(row))));
  }
}
