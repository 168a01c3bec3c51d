import type { Usage } from '../../../../src/builder.ts';

/** An account as the settings page reads and saves it. */
export interface StoredAccount {
  /** Undefined until the account is saved. */
  key?: string;
  label: string;
  /** The keys of the stored secrets. */
  stored: string[];
  defaultSender?: string;
  publicAddress?: string;
  reported?: boolean;
  /** The webhook URL to enter at the service; empty if the account receives no webhooks. */
  eventAddress?: string;
  /** The poll interval in minutes. */
  pollMinutes?: number;
  /** When the service last responded to a poll, in ISO 8601, and why a later poll failed. */
  polledAt?: string;
  pollProblem?: string;
  /** How much it has sent; undefined if its settings can't connect. */
  usage?: Usage;
  /** When the last event arrived, in ISO 8601. */
  lastEvent?: string;
  /** Why its events start no workflow. */
  eventProblem?: string;
  /** The roles that may run each action with any input, by the action's id. */
  roles?: Record<string, string[]>;
  /** The roles that may run each action only through buttons as an administrator configured them. */
  buttonRoles?: Record<string, string[]>;
}

export interface Role {
  name: string;
  title?: string;
}
