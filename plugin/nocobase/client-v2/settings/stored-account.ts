/** What the server shows of an account, and takes back. */
export interface StoredAccount {
  /** None yet of an account that was not saved. */
  key?: string;
  label: string;
  /** The secrets that are stored. */
  stored: string[];
  defaultSender?: string;
  publicAddress?: string;
  reported?: boolean;
  /** What to enter at the service as the address of events; empty where none can come. */
  eventAddress?: string;
  /** The poll interval in minutes. */
  askMinutes?: number;
  /** When the service last answered a poll, as ISO 8601, and why it hasn't since. */
  polledAt?: string;
  pollProblem?: string;
  /** When the last event came, as ISO 8601. */
  lastEvent?: string;
  /** Which roles may use each action, by its id. */
  roles?: Record<string, string[]>;
  /** Which roles may only use its buttons, as they are set up. */
  buttonRoles?: Record<string, string[]>;
}

/** A role of NocoBase. */
export interface Role {
  name: string;
  title?: string;
}
