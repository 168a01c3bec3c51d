import { join } from 'node:path';
import {
  Batches,
  definitions,
  oncePer,
  purgeHourly,
  repairedBatches,
} from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { fileStore } from '../store.ts';

function open(account: string, RED: NodeRed): Batches<object> {
  const name = `${definitions.manifest.id}-batches-${encodeURIComponent(account)}.jsonl`;
  const store = fileStore(join(RED.settings.userDir ?? '.', name), {
    // The plugin sends nothing for a row whose start isn't stored.
    rejects: true,
    warn: ({ message }) => RED.log.warn(`No batch can send. ${message}`),
    damaged: (problem) =>
      RED.log.warn(
        `${problem} For batches that were in progress, the plugin checks the account's log before it sends again. Before you repeat another batch, check the log yourself.`,
      ),
    repair: repairedBatches,
    most: Number.POSITIVE_INFINITY,
  });
  // Only one process uses Node-RED's folder.
  const opened = new Batches<object>(store, { isAlone: () => true });
  purgeHourly(() => opened.expire());
  return opened;
}

/**
 * Returns the batches of an account, by its id. They outlive nodes and Node-RED's object: messages in progress finish while an account is
 * deployed again, or while someone disables and enables the module.
 */
export const batchesOf = oncePer(open);
