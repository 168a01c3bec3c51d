import type { Batch, PreviousBatch } from '../../../../src/builder.ts';
import type { Right } from '../../usable-account.ts';

/** The context that NocoBase needs to resume a batch. */
export interface BatchContext {
  /** The account's key. */
  account: string;
  /** The right of the user who clicked the button, at that time. */
  right?: Right;
}

export type NocobaseBatch = Batch<BatchContext>;
export type Previous = PreviousBatch<BatchContext>;
