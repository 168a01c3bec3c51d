import { join } from 'node:path';
import { Batches, definitions, purgeHourly } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { fileStore } from '../store.ts';

// Batches outlive nodes: messages in progress finish while an account is deployed again.
const batches = new Map<string, Batches<object>>();

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

/** Returns the batches of an account, by its id. */
export function batchesOf(RED: NodeRed, account: string): Batches<object> {
  const known = batches.get(account) ?? open(RED, account);
  batches.set(account, known);
  return known;
}
