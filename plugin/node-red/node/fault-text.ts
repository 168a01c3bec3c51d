import { TelephonyError } from '../../../src/builder.ts';
import type { UiText } from '../locale/ui-texts.ts';

const texts: Record<TelephonyError['code'], UiText> = {
  settings: 'check the settings',
  input: 'check the fields',
  unauthorised: 'wrong username or password',
  'not-found': 'not found',
  rejected: 'refused by the service',
  'rate-limited': 'too many requests',
  'limit-reached': 'limit reached',
  unavailable: 'service unreachable',
  timeout: 'no response in time',
  aborted: 'stopped',
  'unknown-outcome': "check the account's log",
  'bad-answer': 'unexpected response',
};

/** A short text about an error, for the node's status. */
export const faultText = (error: unknown): UiText =>
  error instanceof TelephonyError ? texts[error.code] : 'unexpected error';
