import { settingsWithStoredSecrets, type TelephonySettings } from '../../../../src/builder.ts';

/** What is stored of an account: its settings, and some of this plugin's own. */
export interface StoredAccount {
  /** The key of its data source. */
  key: string;
  /** For people. */
  label: string;
  /** Its settings, without the secrets. */
  settings: Record<string, unknown>;
  /** The secrets as they were typed, and the `baseUrl` that they were typed with. */
  secrets: Record<string, unknown>;
  defaultSender: string;
  /** Where the service reaches this NocoBase; empty where it is to report nothing. */
  publicAddress: string;
  /** What it signs events by, where that is not the password. */
  authToken: string;
  /** Whether the service reports the status of calls, messages and recordings. */
  reported: boolean;
  /** The poll interval in minutes; 0 if polling is off. */
  askMinutes: number;
  /** The roles that may run each action, by its id. */
  roles: Record<string, string[]>;
  /** The roles that may only use the buttons of each action, as they are set up. */
  buttonRoles: Record<string, string[]>;
}

/**
 * The settings of an account, with its secrets.
 *
 * @throws {TelephonyError} when something else than its form, such as a workflow, has given the account another host
 */
export const settingsOf = ({ settings, secrets }: StoredAccount): TelephonySettings =>
  settingsWithStoredSecrets(settings, secrets);
