/** The account a sandbox serves, and where its records say they live. */
export interface Account {
  /** `AC` and 32 hex digits. */
  sid: string;
  /** Path of the account from the origin, `/2010-04-01/Accounts/AC...`, after the base path if there is one. */
  root: string;
  /** `http://127.0.0.1:<port>`. */
  origin: string;
}

/** Credentials that only a sandbox accepts: the right shape, and plainly made up. */
export const SANDBOX_USERNAME = 'AC5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a5a';
export const SANDBOX_PASSWORD = '5a5a5a5a00000000000000005a5a5a5a';

/** Numbers of the account itself. Whatever else appears in a record is somebody else's number. */
export const ACCOUNT_NUMBERS = {
  main: { number: '+14155550100', sid: 'PN5a5a5a5a5a5a5a5a5a5a5a5a5a5a0100', name: 'Front desk' },
  support: { number: '+14155550101', sid: 'PN5a5a5a5a5a5a5a5a5a5a5a5a5a5a0101', name: 'Support' },
} as const;
