import type { Axios } from 'axios';
import { oncePer } from '../once-per.ts';
import type { Account } from '../settings/check-settings.ts';

/**
 * The client of an account. It is loaded when a request is first sent: axios costs a server more, in time and memory,
 * than all else that this package loads.
 */
export const clientOf = oncePer(async (account: Account): Promise<Axios> => {
  const { openClient } = await import('./http-client.ts');
  return openClient(account);
});
