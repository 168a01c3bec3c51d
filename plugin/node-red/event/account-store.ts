import { join } from 'node:path';
import { definitions, expireWrites, oncePer, purgeHourly } from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { type FileStore, fileStore } from '../store.ts';

function open(account: string, RED: NodeRed): FileStore {
  const name = `${definitions.manifest.id}-store-${encodeURIComponent(account)}.jsonl`;
  const store = fileStore(join(RED.settings.userDir ?? '.', name), {
    warn: ({ message }) =>
      RED.log.warn(
        `Cannot store which events were delivered and which actions were sent, so a restart may repeat or skip events: ${message}`,
      ),
    damaged: (problem) =>
      RED.log.warn(`${problem} The plugin may deliver some events again, or skip them.`),
  });
  purgeHourly(() => expireWrites(store));
  return store;
}

/**
 * Returns the store for an account's events and actions, by the account's id. It outlives nodes and Node-RED's object: a request may be in progress
 * while an account is deployed again, or while someone disables and enables the module.
 */
export const storeOf = oncePer(open);
