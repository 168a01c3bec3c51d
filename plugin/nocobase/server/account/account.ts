import {
  connect,
  type LimitReached,
  nodeHttp,
  pickLimits,
  pickSettings,
  sentence,
  type Telephony,
  TelephonyError,
} from '../../../../src/builder.ts';
import { accountsResource } from '../../resources.ts';
import { webhookUrl } from '../event/webhook.ts';
import type { Application, Model } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';
import { textOf } from '../text-of.ts';
import { openAuthToken, openRow, withoutSecrets } from './sealed-row.ts';
import { type StoredAccount, settingsOf } from './stored-account.ts';

export interface Account extends StoredAccount {
  /** Connects on first use. Throws if the settings are incomplete, before anything is sent. */
  telephony(): Telephony;
}

/** The stored accounts. */
export class Accounts {
  readonly #app: Application;
  readonly #open = new Map<string, { version: string; account: Account }>();
  /** Called when an account has reached a limit. */
  onLimitReached: (account: Account, reached: LimitReached) => unknown = () => {};

  constructor(app: Application) {
    this.#app = app;
  }

  #read(row: Model): StoredAccount {
    const stored = row.toJSON();
    return {
      key: textOf(stored.key),
      label: textOf(stored.label),
      settings: withoutSecrets({ ...pickSettings(stored) }),
      limits: pickLimits(stored),
      secrets: openRow(this.#app, row),
      defaultSender: textOf(stored.defaultSender),
      publicAddress: textOf(stored.publicAddress),
      authToken: openAuthToken(this.#app, row),
      reported: stored.reported === true,
      pollMinutes: Number(stored.pollMinutes ?? 0),
      roles: Object(stored.roles ?? {}),
      buttonRoles: Object(stored.buttonRoles ?? {}),
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
        const statusCallback = stored.reported ? webhookUrl(stored) : undefined;
        telephony ??= connect({
          ...settingsOf(stored),
          statusCallback,
          http: nodeHttp,
          spending: {
            ...stored.limits,
            // Also what a batch sends that any process started before a change.
            stopped: async () => (await this.get(stored.key)).limits.stopped ?? false,
          },
          onLimitReached: (reached) => this.onLimitReached(account, reached),
          store: nocobaseStore(this.#app),
        });
        return telephony;
      },
    };
    this.#open.set(stored.key, { version, account });
    return account;
  }

  /** Finds an account by its key. */
  async find(key: string): Promise<Account | undefined> {
    const row = await this.#app.db.getRepository(accountsResource).findOne({ filterByTk: key });
    return row ? this.#opened(this.#read(row)) : undefined;
  }

  /** Returns the secrets that replace empty ones in an account's form, and the addresses they were entered with. */
  async secretsOf(key: unknown): Promise<Record<string, unknown>> {
    return (typeof key === 'string' && (await this.find(key))?.secrets) || {};
  }

  /**
   * Returns the account with this key or, without a key, the only account.
   *
   * @throws {TelephonyError} if there is no account, or no key and several accounts
   */
  async get(key: unknown): Promise<Account> {
    if (typeof key === 'string' && key !== '') {
      const account = await this.find(key);
      if (account) return account;
      throw new TelephonyError(
        'settings',
        sentence("The account was removed from the plugin's settings."),
      );
    }
    const [first, second] = await this.all();
    if (!first)
      throw new TelephonyError(
        'settings',
        sentence("There is no account. Add one in the plugin's settings first."),
      );
    if (second)
      throw new TelephonyError(
        'settings',
        sentence(
          'There are several accounts. Choose one in the settings of the button, the node or the channel.',
        ),
      );
    return first;
  }

  /**
   * Returns the key of a trigger's account. Without one, it means the first account, as when that was the only one: adding
   * another must not stop its workflow.
   */
  async keyOf({ account }: { account?: unknown }): Promise<unknown> {
    return account || (await this.all())[0]?.key;
  }

  async all(): Promise<Account[]> {
    const rows = await this.#app.db.getRepository(accountsResource).find({ sort: ['createdAt'] });
    return rows.map((row) => this.#opened(this.#read(row)));
  }
}
