/** What the server shows of an account, and takes back. */
export interface StoredAccount {
  /** None yet of an account that was not saved. */
  key?: string;
  label: string;
  /** The secrets that are stored. */
  stored: string[];
  defaultSender?: string;
  /** Which roles may use each action, by its id. */
  roles?: Record<string, string[]>;
}

/** A role of NocoBase. */
export interface Role {
  name: string;
  title?: string;
}
