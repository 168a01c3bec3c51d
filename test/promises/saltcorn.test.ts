import { keepsPromises } from './keeps-promises.ts';
import { openInSaltcorn } from './saltcorn.ts';

keepsPromises('saltcorn', openInSaltcorn);
