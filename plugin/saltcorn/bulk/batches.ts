import { Batches } from '../../../src/builder.ts';
import { isAlone } from '../is-alone.ts';
import { store } from '../tenant-store.ts';
import type { BatchContext } from './batch-context.ts';

/** The tenant's batches. */
export const batches = new Batches<BatchContext>(store, { isAlone });
