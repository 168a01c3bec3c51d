import { getState } from '@saltcorn/data/db/state';
import { definitions } from '../../src/builder.ts';

/** Whether the tenant still has the module. Saltcorn doesn't report its removal. */
export const isInstalled = (): boolean => definitions.manifest.id in getState().plugins;
