import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  definitions,
  type EarlierEntry,
  entriesOfEarlierDeliveries,
  entriesOfEarlierPoll,
  expireWrites,
  oncePer,
  purgeHourly,
} from '../../../src/builder.ts';
import type { NodeRed } from '../node-red.ts';
import { type FileStore, fileStore } from '../store.ts';

const textIn = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return '';
    throw fault;
  });

/** Parses the delivery log of versions before the store, which has one line per event. */
function deliveriesIn(text: string): EarlierEntry[] {
  const lines = text.split('\n').flatMap((line) => {
    try {
      const { key, signature, subject, step, at } = Object(JSON.parse(line));
      const isWhole =
        [key, signature, subject].every((one) => typeof one === 'string') &&
        [step, at].every(Number.isFinite);
      return isWhole ? [{ key, signature, subject, step, at }] : [];
    } catch {
      return [];
    }
  });
  return entriesOfEarlierDeliveries(lines);
}

function open(account: string, RED: NodeRed): FileStore {
  const fileOf = (kind: string, ending: string) =>
    join(
      RED.settings.userDir ?? '.',
      `${definitions.manifest.id}-${kind}-${encodeURIComponent(account)}.${ending}`,
    );
  const [deliveries, cursor] = [fileOf('events', 'jsonl'), fileOf('events', 'json')];
  const store = fileStore(fileOf('store', 'jsonl'), {
    warn: ({ message }) =>
      RED.log.warn(
        `Cannot store which events were delivered and which actions were sent, so a restart may repeat or skip events: ${message}`,
      ),
    damaged: (problem) =>
      RED.log.warn(`${problem} The plugin may deliver some events again, or skip them.`),
    earlier: {
      read: async () => {
        const entries = [
          ...deliveriesIn(await textIn(deliveries)),
          ...entriesOfEarlierPoll({ cursor: await textIn(cursor) }, account),
        ];
        return entries.map(([kind, entry, at]) => [kind, { ...entry, at, version: 'earlier' }]);
      },
      remove: async () => {
        for (const file of [deliveries, cursor]) await rm(file, { force: true });
      },
    },
  });
  purgeHourly(() => expireWrites(store));
  return store;
}

/**
 * Returns the store for an account's events and actions, by the account's id. It outlives nodes and Node-RED's object: a request may be in progress
 * while an account is deployed again, or while someone disables and enables the module.
 */
export const storeOf = oncePer(open);
