import { join } from 'node:path';
import { Batches, definitions, oncePer, purgeHourly } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { fileStore } from '../store.ts';

function open(RED: NodeRed, account: string): Batches<object> {
  const name = `${definitions.manifest.id}-batches-${encodeURIComponent(account)}.jsonl`;
  const store = fileStore(join(RED.settings.userDir ?? '.', name), {
    // The plugin sends nothing for a row whose start isn't stored.
    rejects: true,
    warn: (fault) => RED.log.warn(`Cannot store batches, so no batch can send: ${fault}`),
  });
  // Only one process uses Node-RED's folder.
  const opened = new Batches<object>(store, { isAlone: () => true });
  purgeHourly(() => opened.expire());
  return opened;
}

// Batches outlive nodes: messages in progress finish while an account is deployed again.
const openedBy = oncePer((RED: NodeRed) => oncePer((account: string) => open(RED, account)));

/** Returns the batches of an account, by its id. */
export const batchesOf = (RED: NodeRed, account: string): Batches<object> => openedBy(RED)(account);
