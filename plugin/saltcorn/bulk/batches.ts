import { Batches } from '../../../src/index.ts';
import { isAlone } from '../action/one-worker.ts';
import { store } from '../tenant-store.ts';
import type { BatchContext } from './batch-context.ts';

/** The batches of the tenant. */
export const batches = new Batches<BatchContext>(store, { isAlone });
