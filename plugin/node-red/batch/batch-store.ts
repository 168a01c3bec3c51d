import { join } from 'node:path';
import {
  Batches,
  definitions,
  oncePer,
  purgeHourly,
  repairedBatches,
  type Telephony,
  withSingleSends,
} from '../../../src/builder.ts';
import { runningAccount } from '../account/account.ts';
import type { NodeRed } from '../node-red.ts';
import { type FileStore, fileStore } from '../store.ts';

function openStore(account: string, RED: NodeRed): FileStore {
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
  purgeHourly(() => new Batches(store).expire());
  return store;
}

/** Returns the store of an account's batches and of what its other nodes sent, by the account's id. */
export const batchStoreOf = oncePer(openStore);

// Only one process uses Node-RED's folder.
const open = (account: string, RED: NodeRed) =>
  new Batches<object>(batchStoreOf(account, RED), {
    isAlone: () => true,
    account: () => runningAccount(account)?.telephony(),
  });

/**
 * Returns the batches of an account, by its id. They outlive nodes and Node-RED's object: messages in progress finish while an account is
 * deployed again, or while someone disables and enables the module.
 */
export const batchesOf = oncePer(open);

/** Returns an account for what runs without a preview, so that previews of batches know what was sent. */
export const forSingleSends = (RED: NodeRed, account: string, telephony: Telephony): Telephony =>
  withSingleSends(telephony, batchStoreOf(account, RED), { scope: account, isOptional: true });
