/** The account that a sandbox serves, and the URLs of its records. */
export interface Account {
  /** `AC` and 32 hex digits. */
  sid: string;
  /** The path of the account, `/2010-04-01/Accounts/AC...`, below the base path if there is one. */
  root: string;
  /** `http://127.0.0.1:<port>`. */
  origin: string;
}

/** The path before the account's, such as `/api/laml`; usually empty. */
export const basePathOf = (root: string): string => root.replace(/\/[^/]+\/Accounts\/[^/]+$/, '');

/** The settings with the URLs of the service's sister hosts, for a URL that serves them all. */
export const sisterHosts = (url: string) => ({ contentUrl: url, lookupsUrl: url, verifyUrl: url });

/** Credentials that only a sandbox accepts, in the service's format. */
export const SANDBOX_USERNAME = 'AC5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a';
export const SANDBOX_PASSWORD = '5a5a5a5a00000000000000005a5a5a5a';

/** The account's numbers. */
export const ACCOUNT_NUMBERS = {
  main: { number: '+14155550100', sid: 'PN5a5a5a5a5a5a5a5a5a5a5a5a5a5a0100', name: 'Front desk' },
  support: { number: '+14155550101', sid: 'PN5a5a5a5a5a5a5a5a5a5a5a5a5a5a0101', name: 'Support' },
} as const;
