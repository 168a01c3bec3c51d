import { Batches } from '../../../src/builder.ts';
import { accountOf } from '../account/account.ts';
import { currentSettings } from '../account/fixed-settings.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';
import type { BatchContext } from './batch-context.ts';

/** The tenant's batches. */
export const batches = new Batches<BatchContext>(store, {
  isAlone,
  account: () => accountOf(currentSettings()).telephony(),
});
