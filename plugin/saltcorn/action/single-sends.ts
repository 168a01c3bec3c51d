import { withSingleSends } from '../../../src/builder.ts';
import type { Account } from '../account/account.ts';
import { store } from '../tenant-store.ts';

/** An account as far as actions need it. */
export type SendingAccount = Pick<Account, 'telephony' | 'changed'>;

/** The account for actions that run without a preview, so that previews of batches know what they sent. */
export const forSingleSends = ({ telephony, changed }: Account): SendingAccount => ({
  telephony: async () => withSingleSends(await telephony(), store),
  changed,
});
