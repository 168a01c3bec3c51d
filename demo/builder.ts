import type { sisterHosts } from './sandbox/account.ts';

/**
 * A builder of the demo. Its folder has a package.json with the Node versions that it supports, a lock, and a `serve.ts` that
 * starts it and sends `{ url, ownAccount }` to its parent.
 */
export interface Builder {
  /** The name that people see. */
  name: string;
  folder: string;
  /** The label of its installation, with the time it takes. */
  size: string;
  /** Whether it is so large that it is installed only on request. */
  isHeavy?: true;
  /** Whether its pages have no login. */
  hasNoLogin?: true;
  /** A sentence that names missing programs, if there are any. */
  missing?(): string | undefined;
  /** The arguments of its `serve.ts`. */
  args(context: Context): (string | number)[];
  /** Further environment variables of its `serve.ts`. */
  env(context: Context): Record<string, string>;
  /** The path of its webhook URL, if it receives events. */
  eventPath?: string;
  /** The URL to open. */
  pages(url: string): [label: string, url: string][];
  /** The first step for a user. */
  tryFirst: string[];
  /** The first steps for a user of the sandbox. */
  tryWithSandbox?: string[];
}

export interface Context {
  /** The folder with the builder's data. */
  home: string;
  port: number;
  login: Login;
  /** The folder of the built plugin. */
  plugin: string;
  /** The settings of a real account. */
  account: AccountSettings | undefined;
  /** The settings for the sandbox. */
  sandboxAccount: (AccountSettings & Partial<EventSettings>) | undefined;
}

export interface Login {
  email: string;
  password: string;
}

/** The settings of an account. */
export interface AccountSettings extends Partial<ReturnType<typeof sisterHosts>> {
  username: string;
  password: string;
  accountSid: string;
  baseUrl: string;
}

/** The webhook URL for the sandbox's events, also for the status of sent messages. */
export interface EventSettings {
  publicAddress: string;
  reported: boolean;
}
