import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type DeliveryLog,
  definitions,
  deliveryLog,
  type Entry,
  entriesOfEarlier,
  purgeHourly,
} from '../../../src/index.ts';
import type { NodeRed } from '../node-red.ts';
import { fileStore } from '../store.ts';

/** Which events of an account were delivered. */
interface Memory extends DeliveryLog {
  /** Resolves when everything is written, as far as it can be. */
  written(): Promise<void>;
}

// They outlive the nodes: a request may be under way while an account is deployed again.
const memories = new Map<string, Memory>();

/** What versions before the store have written: a line for each event. */
async function earlierIn(file: string): Promise<[kind: string, entry: Entry][]> {
  const text = await readFile(file, 'utf8').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return '';
    throw fault;
  });
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
  return entriesOfEarlier(lines).map(([kind, entry, at]) => [
    kind,
    { ...entry, at, version: 'earlier' },
  ]);
}

function open(RED: NodeRed, account: string): Memory {
  const name = `${definitions.manifest.id}-events-${encodeURIComponent(account)}.jsonl`;
  const earlier = join(RED.settings.userDir ?? '.', name);
  const file = join(
    RED.settings.userDir ?? '.',
    `${definitions.manifest.id}-store-${encodeURIComponent(account)}.jsonl`,
  );
  const store = fileStore(file, {
    warn: (fault) =>
      RED.log.warn(`Cannot store the delivery log, so a restart may repeat events: ${fault}`),
    earlier: () => earlierIn(earlier),
  });
  // Node-RED's folder belongs to one process.
  const log = deliveryLog(store, { isAlone: () => true });
  purgeHourly(() => log.expire());
  return { ...log, written: store.written };
}

/** Which events of an account were told; by its id. */
export function memoryOf(RED: NodeRed, account: string): Memory {
  const memory = memories.get(account) ?? open(RED, account);
  memories.set(account, memory);
  return memory;
}
