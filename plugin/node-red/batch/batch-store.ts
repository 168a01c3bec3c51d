import { join } from 'node:path';
import { Batches, definitions, purgeHourly } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { fileStore } from '../store.ts';

// They outlive the nodes: messages in progress finish while an account is deployed again.
const batches = new Map<string, Batches<object>>();

function open(RED: NodeRed, account: string): Batches<object> {
  const name = `${definitions.manifest.id}-batches-${encodeURIComponent(account)}.jsonl`;
  const store = fileStore(join(RED.settings.userDir ?? '.', name), {
    // Nothing is sent for a row that is not known to have been started.
    rejects: true,
    warn: (fault) => RED.log.warn(`Cannot store batches, so no batch can send: ${fault}`),
  });
  // Node-RED's folder belongs to one process.
  const opened = new Batches<object>(store, { isAlone: () => true });
  purgeHourly(() => opened.expire());
  return opened;
}

/** The batches of an account; by its id. */
export function batchesOf(RED: NodeRed, account: string): Batches<object> {
  const known = batches.get(account) ?? open(RED, account);
  batches.set(account, known);
  return known;
}
