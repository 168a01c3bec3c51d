import type { Batch, PreviousBatch } from '../../../../src/builder.ts';

/** What a batch of NocoBase needs to go on. */
export interface BatchContext {
  /** The key of the account. */
  account: string;
}

export type NocobaseBatch = Batch<BatchContext>;
export type Previous = PreviousBatch<BatchContext>;
