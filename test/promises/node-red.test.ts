import { keepsPromises } from './keeps-promises.ts';
import { openInNodeRed } from './node-red.ts';

keepsPromises('node-red', openInNodeRed);
