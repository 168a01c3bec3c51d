import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../src/builder.ts';

/** Whether the tenant still has the module: Saltcorn does not say when it is removed. */
export const isInstalled = (): boolean => definitions.manifest.id in getState().plugins;
