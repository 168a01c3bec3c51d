import { Batches } from '../../../../src/builder.ts';
import type { Accounts } from '../account/account.ts';
import type { Application } from '../nocobase.ts';
import { nocobaseStore } from '../store.ts';
import type { BatchContext } from './batch-context.ts';

/** Opens the batches of all accounts. */
export const accountsBatches = (
  app: Pick<Application, 'db'>,
  accounts: Accounts,
): Batches<BatchContext> =>
  new Batches<BatchContext>(nocobaseStore(app), {
    account: async ({ context }) => (await accounts.get(context.account)).telephony(),
  });
