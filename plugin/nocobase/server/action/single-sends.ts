import { type Store, type Telephony, withSingleSends } from '../../../../src/builder.ts';
import type { Account } from '../account/account.ts';

/** Returns an account for what is sent without a preview, so that previews of batches know it. */
export const forSingleSends = (account: Account, store: Store): Telephony =>
  withSingleSends(account.telephony(), store, { scope: account.key });
