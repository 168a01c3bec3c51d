import {
  type SpendingLimits,
  settingsWithStoredSecrets,
  type TelephonySettings,
} from '../../../../src/builder.ts';

/** An account as it is stored: the service's settings and the plugin's own. */
export interface StoredAccount {
  /** The key of the account's data source. */
  key: string;
  /** The name that users see. */
  label: string;
  /** The settings, without the secrets. */
  settings: Record<string, unknown>;
  /** The limits on what it sends. */
  limits: SpendingLimits;
  /** The secrets, and the addresses they were entered with. */
  secrets: Record<string, unknown>;
  defaultSender: string;
  /** The public URL of this NocoBase, for webhooks; empty if the account receives none. */
  publicAddress: string;
  /** The Auth Token that signs webhooks, if it isn't the password. */
  authToken: string;
  /** Whether requests ask the service to report the status of calls, messages and recordings. */
  reported: boolean;
  /** The poll interval in minutes; 0 if polling is off. */
  pollMinutes: number;
  /** The roles that may run each action with any input, by the action's id. */
  roles: Record<string, string[]>;
  /** The roles that may run each action only through buttons as an administrator configured them. */
  buttonRoles: Record<string, string[]>;
}

/**
 * Returns an account's settings including its secrets.
 *
 * @throws {TelephonyError} if something other than its form, such as a workflow, changed the account's host
 */
export const settingsOf = ({ settings, secrets }: StoredAccount): TelephonySettings =>
  settingsWithStoredSecrets(settings, secrets);
