import cluster from 'node:cluster';
import db from '@saltcorn/data/db';

/** Whether no other process serves this Saltcorn. The process that starts the workers runs scheduled triggers, too. */
export const isAlone = (): boolean =>
  !cluster.isWorker && Object.keys(cluster.workers ?? {}).length === 0 && !db.connectObj.multi_node;
