/**
 * A builder to try the plugin in. Its folder has a package.json, with the Node that it needs and a lock, and a `serve.ts`
 * that boots it and sends `{ url, ownAccount }` to its parent.
 */
export interface Builder {
  /** For people. */
  name: string;
  folder: string;
  /** Of its installation, and how long that takes. */
  size: string;
  /** Whether it is so large that it is installed only on request. */
  isHeavy?: true;
  /** What else has to be on this machine and is not, as a sentence. */
  lacks?(): string | undefined;
  /** Those of its `serve.ts`. */
  args(context: Context): (string | number)[];
  /** What its `serve.ts` finds in the environment besides. */
  env(context: Context): Record<string, string>;
  /** Where it receives events, below the address that it listens on, if it does. */
  eventPath?: string;
  /** What to open. */
  pages(url: string): [label: string, url: string][];
  /** What to do there first. */
  tryFirst: string[];
  /** What to do there, where the service is the sandbox. */
  tryWithSandbox?: string[];
}

export interface Context {
  /** The folder that keeps all of the builder's. */
  home: string;
  port: number;
  login: Login;
  /** The folder of the package to try. */
  plugin: string;
  /** The settings of a real account. */
  account: AccountSettings | undefined;
  /** The settings that lead to the sandbox. */
  sandboxAccount: (AccountSettings & Partial<EventSettings>) | undefined;
}

export interface Login {
  email: string;
  password: string;
}

/** The settings of an account. */
export interface AccountSettings {
  username: string;
  password: string;
  accountSid: string;
  baseUrl: string;
}

/** Where the sandbox reports events, and that it does for what is sent. */
export interface EventSettings {
  publicAddress: string;
  reported: boolean;
}
