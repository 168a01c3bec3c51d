import { patience } from '../nocobase/nocobase-server.ts';
import { keepsPromises } from './keeps-promises.ts';
import { openInNocobase } from './nocobase.ts';

keepsPromises('nocobase', openInNocobase, patience);
