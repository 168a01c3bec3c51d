import type { Batch, PreviousBatch } from '../../../../src/builder.ts';
import type { Right } from '../action/rights.ts';

/** What a batch of NocoBase needs to go on. */
export interface BatchContext {
  /** The key of the account. */
  account: string;
  /** What the user who pressed the button might do then. */
  right?: Right;
}

export type NocobaseBatch = Batch<BatchContext>;
export type Previous = PreviousBatch<BatchContext>;
